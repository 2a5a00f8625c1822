"""How often questions may be asked, for the socket as for HTTP: one count for both."""

from __future__ import annotations

from workspaces.http.rate_limits import check_rate


def check_turn_rate(*, client: str | None, link: str) -> None:
    """Raises RateLimited. Blocks: it asks Valkey."""
    check_rate("turn", client=client, link=link)
