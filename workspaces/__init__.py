"""The canonical documents and the one write path. Below: jobcache_client. Above: assistant, careervector.

Others import only `workspaces.facade`, `workspaces.contracts` and `workspaces.errors`.
"""
