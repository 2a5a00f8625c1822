"""Tables of threads, turns, tool calls, connectors and hosts."""
