"""The assistant's sockets: the rail of a thread, and the gateway of the connector hosts."""
