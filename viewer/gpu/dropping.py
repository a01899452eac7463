"""Files dropped on a window under X11: pyglet's part of it that fails is replaced.

pyglet 2.1 raises where the source offers three types or fewer, where it offers no files, and where
a name is not UTF-8; and it tells the root window, not the source, that a drop is done, so that the
source waits. See the protocol XDND, version 5 (freedesktop.org).
"""

import ctypes
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

VERSION = 5  # of the protocol


def mend_drops(window: Any) -> None:
    """Let a pyglet window take files that are dropped on it, from whatever source; on X11 only."""
    if hasattr(window, "_event_drag_enter"):
        Drops(window)


def paths_of(uris: bytes) -> list[str]:
    """Return the paths in a list of URIs (RFC 2483); what is no file stays a URI."""
    paths = []
    for line in uris.rstrip(b"\0").decode(errors="surrogateescape").splitlines():
        if line and not line.startswith("#"):
            is_file = line.startswith("file:")
            path = unquote(urlsplit(line).path, errors="surrogateescape")
            paths.append(path if is_file else line)
    return paths


class Drops:
    """What happens between a source of files and one window.

    Attributes:
        window: That files are dropped on; pyglet's.
        source: Id of the window that the files come from.
        offers_files: Whether it offers any.
    """

    def __init__(self, window: Any) -> None:
        from pyglet.libs.x11 import xlib

        self.window, self.source, self.offers_files = window, 0, False
        window._event_drag_enter, window._event_drag_drop = self.enter, self.drop
        window._event_handlers[xlib.SelectionNotify] = self.receive
        window._xdnd_version, window._xdnd_source = VERSION + 1, 0  # nothing before that

    def enter(self, event: Any) -> None:
        """Remember the source, and whether it offers files: in the message, or in its list."""
        window, words = self.window, event.xclient.data.l
        self.source, version = words[0], (words[1] >> 24) & 0xFF
        types = self._listed() if words[1] & 1 else list(words[2:5])
        self.offers_files = version <= VERSION and self._atom("text/uri-list") in types
        window._xdnd_source, window._xdnd_version = self.source, version
        window._xdnd_format = self._atom("text/uri-list") if self.offers_files else None

    def drop(self, event: Any) -> None:
        """Ask the source for its files, or refuse what it offers."""
        from pyglet.libs.x11 import xlib

        if not self.offers_files:
            self._finish(taken=False)
            return
        window, selection = self.window, self._atom("XdndSelection")
        xlib.XConvertSelection(
            window._x_display, selection, self._atom("text/uri-list"), selection, window._window,
            event.xclient.data.l[2],
        )  # fmt: skip
        xlib.XFlush(window._x_display)

    def receive(self, event: Any) -> None:
        """Take the names of the files."""
        from pyglet.libs.x11 import xlib

        window, found = self.window, event.xselection
        if not self.offers_files or found.selection != self._atom("XdndSelection"):
            return
        paths: list[str] = []
        if found.property:
            data, count, _ = window.get_single_property(
                found.requestor, found.property, found.target
            )
            paths = paths_of(ctypes.string_at(data, count) if data else b"")
            if data:
                xlib.XFree(data)
        self._finish(taken=bool(paths))
        self.offers_files = False
        if paths:
            column, row = window._xdnd_position
            window.dispatch_event("on_file_drop", column, window._height - row, paths)

    def _finish(self, *, taken: bool) -> None:
        """Tell the source that it need not wait."""
        from pyglet.libs.x11 import xlib

        window, done = self.window, xlib.XEvent()
        done.xclient.type = xlib.ClientMessage
        done.xclient.message_type = self._atom("XdndFinished")
        done.xclient.window = self.source
        done.xclient.format = 32
        words: Sequence[int] = (window._window, int(taken), self._atom("XdndActionCopy") * taken)
        for place, word in enumerate(words):
            done.xclient.data.l[place] = word
        xlib.XSendEvent(window._x_display, self.source, False, 0, ctypes.byref(done))
        xlib.XFlush(window._x_display)

    def _listed(self) -> list[int]:
        """Return the types that the source has in its list."""
        from pyglet.libs.x11 import xlib

        atom = 4  # XA_ATOM
        data, count, _ = self.window.get_single_property(
            self.source, self._atom("XdndTypeList"), atom
        )
        if not data:
            return []
        types = ctypes.cast(data, ctypes.POINTER(xlib.Atom))[:count]
        xlib.XFree(data)
        return list(types)

    def _atom(self, name: str) -> int:
        return int(self.window._xdnd_atoms[name])
