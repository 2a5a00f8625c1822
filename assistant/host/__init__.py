"""The connector host: pure asyncio, no Django, no database. It reaches the server over one socket."""
