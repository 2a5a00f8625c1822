"""The built-in assistant: offline, deterministic, English. Exports its connector."""

from .connector import BuiltinConnector

__all__ = ["BuiltinConnector"]
