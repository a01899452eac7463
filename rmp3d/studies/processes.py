"""Processes that do runs side by side, on this machine; one that dies costs one run."""

import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.parallel import VARIABLE
from rmp3d.studies.figures import CRASHED, failed
from rmp3d.studies.messages import Job, Outcome, receive, send

TRIES = 2
"""How often a run is begun whose process dies, as it does where memory is short."""
ONE_THREAD = {VARIABLE: "1"} | {
    f"{name}_NUM_THREADS": "1" for name in ("NUMBA", "OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")
}
"""Each process has one core."""


class RunProcess:
    """A process that does one run after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._leave: Callable[[], object] = lambda: None
        self._ended = False

    def run(self, job: Job) -> Outcome:
        """Do a run; if the process dies, try once more."""
        how = "stopped"
        for _ in range(TRIES):
            if self._ended:
                break
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send(process.stdin, job)
                found = receive(process.stdout)
            except (EOFError, OSError):
                how = f"its process ended by itself ({_ending(process.wait())})"
                self._drop()
                continue
            assert isinstance(found, Outcome)
            return found
        return Outcome(failed(CRASHED, how), {})

    def stop(self) -> None:
        """Kill the process, in the middle of a run, too; the next run is none."""
        self._ended = True
        process = self._process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """End the process between two runs."""
        self.stop()
        if self._process is not None:
            self._drop()

    def _drop(self) -> None:
        """Close what leads to a process that has ended."""
        self._process = None
        self._leave()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "rmp3d.studies.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **ONE_THREAD},
                start_new_session=True,  # Ctrl-C is for the study, which then ends its processes
            )
            # Also where nobody ends it: in a thread of a Dask worker that is closed.
            self._leave = weakref.finalize(self, _leave, self._process)
        return self._process


def _leave(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process if it runs, and close what leads to it."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with suppress(OSError):  # what it did not read any more
            stream.close()


class Processes:
    """Runs jobs in some processes at a time; a context manager.

    Args:
        processes: How many.
    """

    def __init__(self, processes: int) -> None:
        self._own_processes: list[RunProcess] = []
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(processes)

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._own_processes:
            process.stop()
        self._pool.shutdown(cancel_futures=True)
        for process in self._own_processes:
            process.end()

    def outcomes(self, jobs: Mapping[str, Job]) -> Iterator[tuple[str, Outcome]]:
        """Yield the name and the outcome of each job as it is done."""
        waiting = {self._pool.submit(self._run, job): name for name, job in jobs.items()}
        yield from as_done(waiting)

    def _run(self, job: Job) -> Outcome:
        if not hasattr(self._local, "process"):
            self._local.process = RunProcess()
            self._own_processes.append(self._local.process)
        outcome: Outcome = self._local.process.run(job)
        return outcome


def as_done(waiting: "dict[Future[Outcome], str]") -> Iterator[tuple[str, Outcome]]:
    """Yield names and results as they come; Ctrl-C is heard in between."""
    while waiting:
        done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    import signal

    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def check_processes(processes: int) -> int:
    """Return the number of processes; 0 is one for each core.

    Raises:
        InputError: It is negative, or far above what a machine has.
    """
    if not 0 <= processes <= 1024:
        raise InputError(f"--processes {processes}: expected 0 (one for each core) to 1024")
    return processes or os.cpu_count() or 1
