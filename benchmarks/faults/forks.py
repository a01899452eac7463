"""Command lines of rmp3d in forks of this process: each alone, with limits, and quickly begun."""

import dataclasses
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from benchmarks.faults.without_a_verb import WITHOUT_A_VERB

CPU_LIMIT = 12  # s of processor time
WALL_LIMIT = 240.0  # s, for what sleeps or waits; a busy machine may take ten times the processor's
MEMORY_LIMIT = 3 * 2**30  # bytes of address space above what this process has
STEPS = 40  # of a run of a study: when damage takes its duration away, it is asked for 180 s


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes:
        code: Exit code; -N for a signal N.
        stdout: Its output.
        stderr: Its messages.
        cpu: Processor time [s].
        wall: Time from start to end [s].
        memory: Largest resident size [bytes] above what this process has.
        late: It was ended because it ran past `WALL_LIMIT`.
    """

    code: int
    stdout: str
    stderr: str
    cpu: float
    wall: float
    memory: int
    late: bool


def warm_up() -> None:
    """Import what the verbs import, so that forks need not."""
    import h5py  # noqa: F401
    import trimesh  # noqa: F401

    import rmp3d.front.running
    import rmp3d.scenes.formats.trimesh_reader
    import rmp3d.verification  # noqa: F401
    from rmp3d import cli

    cli.make_parser()


def run_forked(
    arguments: Sequence[str], folder: Path, *, dies: bool = False, cpu: int = CPU_LIMIT
) -> Ended:
    """Run a command line in a fork of this process.

    Args:
        arguments: Of ``rmp3d``.
        folder: Its working folder.
        dies: Whether the fork is killed as soon as a frame of a recording is written.
        cpu: Limit of its processor time [s].
    """
    out, err = folder / ".stdout", folder / ".stderr"
    sys.stdout.flush()
    sys.stderr.flush()
    began, base = time.monotonic(), _resident()
    child = os.fork()
    if child == 0:
        _run_and_leave(arguments, folder, out, err, dies, cpu)
    status, usage, late = _wait(child, began + WALL_LIMIT * max(1.0, cpu / CPU_LIMIT))
    return Ended(
        os.waitstatus_to_exitcode(status),
        out.read_text(encoding="utf-8", errors="replace"),
        err.read_text(encoding="utf-8", errors="replace"),
        usage.ru_utime + usage.ru_stime,
        time.monotonic() - began,
        max(usage.ru_maxrss * 1024 - base, 0),
        late,
    )


def processor_seconds(process: int) -> float:
    """Return the processor time [s] that a process has used; 0 when it is gone."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0.0
    # The name, in brackets, may hold anything; user and system time are fields 14 and 15.
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _wait(child: int, until: float) -> tuple[int, resource.struct_rusage, bool]:
    pause, late = 0.001, False
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return status, usage, late
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            late = True
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)


def _run_and_leave(
    arguments: Sequence[str], folder: Path, out: Path, err: Path, dies: bool, cpu: int
) -> None:
    """Be the fork: never returns."""
    code = 70
    try:
        for number, path in ((1, out), (2, err)):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = _address_space() + MEMORY_LIMIT
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        from rmp3d.cli import main

        if dies:
            _die_when_a_frame_is_written()
        if "--web" in arguments:
            _serve_once()
        if arguments[0] == "study":
            _simulate_little()
        own = WITHOUT_A_VERB.get(arguments[0])
        code = main(list(arguments)) if own is None else own(arguments[1])
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _die_when_a_frame_is_written() -> None:
    """Be killed as soon as four frames are on the disk."""
    from rmp3d.recording import RecordingWriter

    append, frames = RecordingWriter.append, iter(range(4))

    def watched(self: RecordingWriter, **arrays: Any) -> None:
        append(self, **arrays)
        if next(frames, None) is None:
            self.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    RecordingWriter.append = watched  # type: ignore[method-assign]


def _serve_once() -> None:
    """Let the server of `view --web` answer one browser and end: it would wait for others."""
    from threading import Thread
    from urllib.request import urlopen

    from rmp3d.viewer.web_server import PageServer

    def served(self: PageServer) -> None:
        thread = Thread(target=self._server.handle_request)
        thread.start()
        with urlopen(self.address, timeout=WALL_LIMIT) as answer:
            if b"</html>" not in answer.read():
                raise RuntimeError("half a page was served")
        thread.join()

    PageServer.serve = served  # type: ignore[method-assign]


def _simulate_little() -> None:
    """Let a run of a study make some steps only; no damage to a file can ask for more.

    What the file asks for is not read as a hang, then, and all that stands around the steps still
    may be one: reading, planning, verifying, and searching.
    """
    from rmp3d.studies import processes

    run = processes.RunProcess.run

    def shortened(self: processes.RunProcess, job: processes.Job) -> processes.Outcome:
        settings = job.table.simulation
        least = min(settings.duration, STEPS * settings.dt)
        table = structs.replace(job.table, simulation=structs.replace(settings, duration=least))
        return run(self, dataclasses.replace(job, table=table))

    processes.RunProcess.run = shortened  # type: ignore[method-assign]


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
