"""The typed HTTP client of the JobCache seam (contract section 10). No Django, no workspace, nothing private.

Above: workspaces and assistant call `search`. Below: httpx and the environment.

    roles = jobcache_client.search({"query": "python developer", "location": "Zurich", "limit": 5})["roles"]

`search` blocks, may be called from any thread, and raises only `errors.Misconfigured`, `errors.Refused` or
`errors.Unavailable`.
"""

from __future__ import annotations

from jobcache_client import errors
from jobcache_client.answers import SearchPage
from jobcache_client.breaker import CircuitBreaker
from jobcache_client.client import JobCacheClient
from jobcache_client.config import Config, from_environment
from jobcache_client.shared import check_configuration, close_shared, observe_calls, search

__all__ = [
    "CircuitBreaker",
    "Config",
    "JobCacheClient",
    "SearchPage",
    "check_configuration",
    "close_shared",
    "errors",
    "from_environment",
    "observe_calls",
    "search",
]
