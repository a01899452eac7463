"""Serves one page to browsers on this machine, at an address that cannot be guessed."""

import errno
import hmac
import re
import secrets
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from rmp3d.geometry.errors import InputError

HOST = "127.0.0.1"
TOKEN_BYTES = 16
ASKED = "more?after="


class Source(Protocol):
    """What pages of a run that goes on are made of; both are asked for by several threads."""

    def page(self) -> bytes:
        """Return UTF-8 HTML."""

    def more(self, after: int) -> bytes:
        """Return what a page lacks that knows so many frames; empty: nothing yet."""


class _Quiet(ThreadingHTTPServer):
    """A server whose threads end with it, and that says nothing of browsers that leave early."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a page that is closed while it loads."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class PageServer:
    """A server of one page; only who knows the address gets it.

    Other machines cannot reach it, and a page of another site, which can have a browser here ask
    for anything, neither knows the token nor may name another host (DNS rebinding).

    Attributes:
        address: Of the page.
    """

    def __init__(self, page: bytes | Source, port: int = 0) -> None:
        """Begin to listen.

        Args:
            page: UTF-8 HTML, or what makes it of a run that goes on.
            port: 0 takes a free one.

        Raises:
            InputError: The port is in use, or not allowed.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        try:
            self._server = _Quiet((HOST, port), _handler(page, token))
        except (OSError, OverflowError) as error:
            why = (
                "is in use" if getattr(error, "errno", 0) == errno.EADDRINUSE else "is not allowed"
            )
            raise InputError(
                f"--port {port}: {why}; choose another from 1024 to 65535, or leave --port out"
            ) from None
        self.address = f"http://{HOST}:{self._server.server_port}/{token}/"

    def serve(self) -> None:
        """Answer until `stop` is called from another thread, or Ctrl-C."""
        self._server.serve_forever(poll_interval=0.2)

    def stop(self) -> None:
        """End `serve`."""
        self._server.shutdown()

    def close(self) -> None:
        """Give the port back."""
        self._server.server_close()


def _answers(page: bytes | Source) -> dict[str, Callable[[int], bytes]]:
    """Return what is answered to what comes after the token in a request."""
    if isinstance(page, bytes):
        return {"": lambda _: page}
    return {"": lambda _: page.page(), ASKED: page.more}


def _handler(page: bytes | Source, token: str) -> type[BaseHTTPRequestHandler]:
    """Return a class that answers requests for one page, and for more of it."""
    answers = _answers(page)

    class Handler(BaseHTTPRequestHandler):
        """Answers GET and HEAD."""

        server_version, sys_version = "rmp3d", ""

        def do_GET(self) -> None:
            """Send the page, or more of it."""
            self._answer()

        def do_HEAD(self) -> None:
            """Send what would come before it."""
            self._answer()

        def _answer(self) -> None:
            port = self.connection.getsockname()[1]
            if self.headers.get("Host") not in (f"{HOST}:{port}", f"localhost:{port}"):
                self._send(403, b"Not for this host.")
                return
            start, number = f"/{token}/", self._number()
            asked = self.path if number is None else self.path[: -len(str(number))]
            begins = asked[: len(start)].encode("utf-8", "replace")
            answer = answers.get(asked[len(start) :])
            if asked.endswith(ASKED) and number is None:
                answer = None
            if answer is None or not hmac.compare_digest(begins, start.encode()):
                self._send(404, b"There is nothing here.")
                return
            body = answer(number or 0)
            self._send(200 if body else 204, body)

        def _number(self) -> int | None:
            """Return the number of frames that a page knows, if it asks for more."""
            found = re.search(rf"/{re.escape(ASKED)}(0|[1-9][0-9]{{0,8}})$", self.path)
            return int(found.group(1)) if found else None

        def _send(self, code: int, body: bytes) -> None:
            self.send_response(code)
            kind = "text/html" if code == 200 else "text/plain"
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing: the address is a secret."""

    return Handler
