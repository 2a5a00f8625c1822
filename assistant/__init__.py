"""Threads, turns, the four tools and their boundary. Below: workspaces. Above: careervector.

`assistant.host` is a program of its own that knows neither Django nor a database.
"""
