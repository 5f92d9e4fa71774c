"""Chromium, driven by Playwright, that notices every request and every complaint of a page."""

import contextlib
import shutil
import urllib.parse

import pytest
from playwright.sync_api import sync_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOCAL = ("127.0.0.1", "localhost")
PATIENCE = 90_000


def program() -> str:
    return shutil.which("chromium") or pytest.skip("there is no `chromium` here")


class Visit:
    """A page, and what it did that it should not have done."""

    def __init__(self, page):
        self.page = page
        self.foreign = []
        self.complaints = []
        page.set_default_timeout(PATIENCE)
        page.context.on("request", self._requested)
        page.on("websocket", self._requested)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)

    def _requested(self, request) -> None:
        url = urllib.parse.urlsplit(request.url)
        if url.scheme not in ("data", "blob") and url.hostname not in LOCAL:
            self.foreign.append(request.url)

    def _said(self, message) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url')})")


@contextlib.contextmanager
def visit():
    """Everything foreign is refused, so that a test cannot depend on it either."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program(), args=list(FLAGS))
        try:
            page = chromium.new_page(viewport={"width": 1280, "height": 860})
            page.route(lambda url: urllib.parse.urlsplit(url).hostname not in LOCAL, refuse)
            yield Visit(page)
        finally:
            chromium.close()


def refuse(route) -> None:
    route.abort()
