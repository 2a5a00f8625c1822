"""Browser windows that complain: what nobody sees but must not happen fails the test that caused it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, Response

from tests.live_workspace import LiveWorkspace
from tests.product import Product

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DESKTOP = {"width": 1360, "height": 860}
PHONE = {"width": 320, "height": 640}

# Runs before the page's own scripts: a blocked style or script is an event, not always a console line.
_WATCH_POLICY = """
globalThis.__violations = [];
addEventListener("securitypolicyviolation", (event) =>
  __violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`), true);
"""


def launch(playwright: Playwright) -> Browser:
    executable = next((found for name in _CHROMIUM if (found := shutil.which(name))), None)
    assert executable, "the browser tests need Chromium"
    return playwright.chromium.launch(executable_path=executable, args=FLAGS)


@dataclass
class Window:
    """One browser with its own cookies. `troubles` are what must not happen; `expected` codes may fail a request."""

    page: Page
    product: Product
    expected: set[int] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(15_000)
        self.page.add_init_script(_WATCH_POLICY)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        self.page.on("request", self._request)
        self.page.on("response", self._response)

    def open(self, opened: LiveWorkspace) -> None:
        """As a person does: the link, then the button."""
        self.page.goto(opened.url)
        self.page.get_by_role("button", name="Open workspace").click()
        self.page.wait_for_url(f"**/w/{opened.id}/")
        self.page.get_by_role("heading", name="Next up").wait_for()

    def goto(self, opened: LiveWorkspace, path: str) -> None:
        self.page.goto(f"{self.product.origin}/w/{opened.id}/{path}")

    def go(self, surface: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=surface, exact=True).click()

    def ask(self, text: str) -> None:
        self.page.get_by_label("Ask the assistant").fill(text)
        self.page.get_by_role("button", name="Send").click()

    def wait_for_end(self, turns: int) -> None:
        """Until the conversation shows this many turns and the last has ended."""
        self.page.wait_for_function(
            """(turns) => {
              const all = [...document.querySelectorAll(".turn[data-status]")];
              return all.length === turns && ["completed", "cancelled", "failed"].includes(all.at(-1).dataset.status);
            }""",
            arg=turns,
        )

    def check(self) -> None:
        if not self.page.is_closed():
            violations = self.page.evaluate("() => globalThis.__violations ?? []")
            self.troubles.extend(f"policy: {violation}" for violation in violations)
        assert self.troubles == []

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        # Chromium itself reports each refused or lost request; those are judged by their status below.
        if message.text.startswith(("Failed to load resource", "WebSocket connection to")) and self.expected:
            return
        self.troubles.append(f"console {message.type}: {message.text} {message.location}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and f"http://{parts.netloc}" != self.product.origin:
            self.troubles.append(f"third-party request: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.troubles.append(f"{response.status} {response.request.method} {response.url}")


@contextmanager
def window(browser: Browser, product: Product, **options: Any) -> Iterator[Window]:
    context: BrowserContext = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
    try:
        shown = Window(context.new_page(), product)
        yield shown
        shown.check()
    finally:
        context.close()
