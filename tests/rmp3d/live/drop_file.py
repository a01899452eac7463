"""Drops a file on a window as a file manager does (XDND 5); offers no more types than there are.

Usage: drop_file.py WINDOW FILE TYPE. Says whether the window took it.
"""

import ctypes
import sys
from pathlib import Path

from pyglet.libs.x11 import xlib


def main(target: int, uri: bytes, offered: str) -> None:
    display = xlib.XOpenDisplay(None)

    def atom(name):
        return xlib.XInternAtom(display, name.encode(), False)

    root = xlib.XDefaultRootWindow(display)
    source = xlib.XCreateSimpleWindow(display, root, 0, 0, 10, 10, 0, 0, 0)
    xlib.XSetSelectionOwner(display, atom("XdndSelection"), source, 0)

    def send(kind, *words):
        event = xlib.XEvent()
        event.xclient.type, event.xclient.format = xlib.ClientMessage, 32
        event.xclient.window, event.xclient.message_type = target, atom(kind)
        for place, word in enumerate(words):
            event.xclient.data.l[place] = word
        xlib.XSendEvent(display, target, False, 0, ctypes.byref(event))

    send("XdndEnter", source, 5 << 24, atom(offered))
    send("XdndPosition", source, 0, 500 << 16 | 300, 0, atom("XdndActionCopy"))
    send("XdndDrop", source, 0, 0)
    event = xlib.XEvent()
    while True:
        xlib.XNextEvent(display, ctypes.byref(event))
        if event.type == xlib.SelectionRequest:
            asked, answer = event.xselectionrequest, xlib.XEvent()
            xlib.XChangeProperty(
                display, asked.requestor, asked.property, asked.target, 8, 0,
                (ctypes.c_ubyte * len(uri))(*uri), len(uri),
            )  # fmt: skip
            answer.xselection.type = xlib.SelectionNotify
            for name in ("requestor", "selection", "target", "property", "time"):
                setattr(answer.xselection, name, getattr(asked, name))
            xlib.XSendEvent(display, asked.requestor, False, 0, ctypes.byref(answer))
        elif event.type == xlib.ClientMessage:
            if event.xclient.message_type == atom("XdndFinished"):
                sys.stdout.write("taken" if event.xclient.data.l[1] else "refused")
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]).as_uri().encode() + b"\r\n", sys.argv[3])
