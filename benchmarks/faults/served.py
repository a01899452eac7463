"""Ends of `view --web`, which ends only when it is told: is the port free, is nothing left?"""

import random
import re
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

from benchmarks.faults.forks import WALL_LIMIT, processor_seconds

SERVED = ("view --web", "view --web of a run")
ADDRESS = re.compile(r"^open (http://([\d.]+):(\d+)/\S+)$", re.MULTILINE)


def address_in(folder: Path) -> tuple[str, str, int] | None:
    """Return address, host and port that a server told; None before it serves."""
    found = ADDRESS.search((folder / ".stdout").read_text(encoding="utf-8", errors="replace"))
    return None if found is None else (found.group(1), found.group(2), int(found.group(3)))


def until_it_serves(process: "subprocess.Popen[str]", folder: Path, most: float = 1e9) -> float:
    """Wait until a server tells its address, ends, or has used some processor time.

    Args:
        process: Of the server.
        folder: Its working folder, with its output.
        most: Longest processor time [s].

    Returns:
        The processor time [s] used.
    """
    used, until = 0.0, time.monotonic() + WALL_LIMIT
    while process.poll() is None and time.monotonic() < until:
        used = max(used, processor_seconds(process.pid))
        if address_in(folder) is not None or used >= most:
            break
        time.sleep(0.01)
    return used


def visit(folder: Path, rng: random.Random) -> list[socket.socket]:
    """Be a browser that reads, waits, is rude, or comes many times; return what stays open."""
    told = address_in(folder)
    if told is None:
        return []
    address, *place = told
    way = rng.choice(["none", "reads", "waits", "leaves", "many"])
    if way == "reads":
        with urlopen(address, timeout=WALL_LIMIT) as answer:
            answer.read()
    elif way == "waits":
        return [socket.create_connection(place, WALL_LIMIT)]
    elif way == "leaves":
        for words in (b"", b"GET / HT", f"GET {address} HTTP/1.0\r\n\r\n".encode()):
            _reset(place, words)
    elif way == "many":
        return [socket.create_connection(place, WALL_LIMIT) for _ in range(40)]
    return []


def _reset(place: list[object], words: bytes) -> None:
    """Say something and tear the connection down."""
    one = socket.create_connection((str(place[0]), int(str(place[1]))), WALL_LIMIT)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.sendall(words)
    one.close()


def judge_served(folder: Path, code: int, number: signal.Signals) -> tuple[str, str]:
    """Return the column of an ended server, and why it is a bad one."""
    told = address_in(folder)
    if told is not None:
        with socket.socket() as one:
            if one.connect_ex(told[1:]) == 0:
                return "stray", f"port {told[2]} still answers after {number.name}"
    if code in (0, 1):
        return "code", f"exit code {code} of what serves until it is told"
    return "none", ""
