"""A process that carries out commands one after the other, and this end of the wire to it."""

import multiprocessing
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rmp3d.live.worker import serve
from rmp3d.viewer.panel.protocol import Advance, Command, Failed, Report

PATIENCE = 3.0  # [s] until a worker that does not give up its work is ended
MOST_REPORTS = 40  # taken at a time, so that a picture is not late


class Worker:
    """Carries out commands in another process, one after the other.

    The process is started with the first command, and anew if it dies or does not give up in time;
    what it had planned or simulated is lost then, and the next command begins afresh. Nothing is
    sent before it has said that it is up: this process would wait for it.
    """

    def __init__(self, extensions: Sequence[str] = ()) -> None:
        """Take Python files of the user's own, which this process has loaded already."""
        self._extensions = tuple(extensions)
        self._waiting: list[Command] = []
        self._under_way = 0  # commands that the process has and has not answered
        self._cancelled_at: float | None = None
        self._is_up = False
        self.process: Any = None

    @property
    def busy(self) -> bool:
        """Whether a command is under way or waits."""
        return bool(self._waiting) or self._under_way > 0

    def send(self, command: Command) -> None:
        """Carry out a command after those that were sent before; returns at once."""
        self._waiting.append(command)
        self._pass_on()

    def cancel(self) -> None:
        """Give up the command that runs and those that wait; their later reports are ignored."""
        self._waiting.clear()
        if self._under_way and self._cancelled_at is None:
            self._cancelled_at = monotonic()
            self._write(None)

    def reports(self) -> list[Report]:
        """Return what has come in since the last call."""
        found: list[Report] = []
        try:
            while self.process is not None and len(found) < MOST_REPORTS:
                if not self._connection.poll():
                    break
                self._hear(self._connection.recv(), found)
        except (EOFError, OSError):
            found.append(Failed("the work was ended from outside (out of memory?)"))
            self._begin_anew()
        if self._cancelled_at is not None and monotonic() - self._cancelled_at > PATIENCE:
            self._begin_anew()
        return found

    def _hear(self, report: Report | None, found: list[Report]) -> None:
        if not self._is_up:
            self._is_up = True
        elif report is None:
            self._under_way -= 1
        elif self._cancelled_at is None:
            found.append(report)
        if self._under_way == 0:
            self._cancelled_at = None
            self._pass_on()

    def close(self) -> None:
        """End everything, also a running command."""
        self._waiting.clear()
        if self.process is None:
            return
        self._connection.close()
        self.process.terminate()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process = None

    def start(self) -> None:
        """Start the process, so that it is up when there is something to do."""
        # A fresh process, not a copy of this one: it must not share the window's connection.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        arguments = (theirs, self._extensions)
        self.process = context.Process(target=serve, args=arguments, daemon=True)
        self._is_up = False
        with _heedless_children():
            self.process.start()
        theirs.close()

    def _pass_on(self) -> None:
        """Give the worker one command at a time, so that the next does not end it."""
        if self.process is None and self._waiting:
            self.start()
        if self._waiting and self._is_up and self._under_way == 0:
            self._write(self._waiting.pop(0))

    def _write(self, command: Command | None) -> None:
        try:
            self._connection.send(command)
        except OSError:
            pass  # it has died; `reports` will find out and say so
        self._under_way += 1

    def _begin_anew(self) -> None:
        """End the process; another one is started when there is something to do."""
        # One that does not come up would not do so for the same commands either.
        kept = self._waiting if self._is_up else []
        waiting = [each for each in kept if not isinstance(each, Advance)]
        self.close()
        self._under_way, self._cancelled_at = 0, None
        for command in waiting:
            self.send(command)


@contextmanager
def _heedless_children() -> Iterator[None]:
    """Let processes that are started inside ignore Ctrl-C: their parent ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
