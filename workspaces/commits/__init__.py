"""The one write path. `service` and `undo` are its two doors; `store` is the only writer of rows."""
