"""Runs on many machines, by a Dask scheduler that is running already."""

import hashlib
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import write_whole
from rmp3d.scenario import Scenario
from rmp3d.scenes.assembly import is_in_memory
from rmp3d.studies.figures import CRASHED, failed
from rmp3d.studies.messages import Job, Outcome
from rmp3d.studies.points import program_digest
from rmp3d.studies.processes import RunProcess

PATIENCE = 10.0
"""How long the scheduler and its first worker may take to answer [s]."""
FOR_EACH = 4
"""Runs that wait, for each thread of the workers."""
_own = threading.local()


@dataclass(frozen=True)
class Found:
    """What a worker has.

    Attributes:
        machine: Its name.
        program: Digest of its program.
        files: Digest by file; None: there is no such file.
    """

    machine: str
    program: str
    files: dict[str, str | None]


class Cluster:
    """The workers of a Dask scheduler; a context manager.

    Args:
        address: Of the scheduler, such as ``tcp://10.0.0.5:8786``.

    Raises:
        InputError: Dask is not installed, the scheduler is out of reach, or it has no worker.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError(
                "--scheduler needs Dask: pip install 'rmp3d[cluster]', here and on each machine"
            ) from None
        self._address = address
        try:
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(
                f"--scheduler {address}: out of reach ({reason}); is `dask scheduler` running?"
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self._client.close()
            raise InputError(
                f"--scheduler {address}: has no worker; start one with `dask worker {address}`"
            ) from None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def check(self, files: Mapping[str, str | None]) -> None:
        """Refuse workers that have another program or other files than there are here.

        Args:
            files: Digest by file.

        Raises:
            InputError: It names the machine and the file.
        """
        answers = self._client.run(found_here, tuple(files), on_error="return")
        for address, answer in answers.items():
            if not isinstance(answer, Found):
                raise InputError(
                    f"worker {address}: rmp3d does not work there ({type(answer).__name__}: "
                    f"{answer}); install the same version as here"
                )
            if answer.program != program_digest():
                raise InputError(
                    f"worker {address} on {answer.machine}: has another version of rmp3d than "
                    "this machine; install the same one, and start the worker again"
                )
            for file, digest in files.items():
                if answer.files[file] != digest:
                    what = "is not there" if answer.files[file] is None else "differs"
                    raise InputError(
                        f"worker {address} on {answer.machine}: {file} {what}; share the folder, "
                        "or say `embed = true` in the scenario's [scene]"
                    )

    def outcomes(self, jobs: Mapping[str, Job]) -> Iterator[tuple[str, Outcome]]:
        """Yield the name and the outcome of each job as it is done; recordings are fetched."""
        from distributed import as_completed

        names: dict[Any, str] = {}
        left = iter(jobs.items())

        def begun(count: int) -> list[Any]:
            futures = []
            for name, job in islice(left, count):
                future = self._client.submit(run_here, job, pure=False, retries=1)
                names[future.key] = name
                futures.append(future)
            return futures

        threads = sum(self._client.nthreads().values())
        waiting = as_completed(begun(FOR_EACH * max(threads, 1)), loop=self._client.loop)
        for future in waiting:
            name = names.pop(future.key)
            yield name, _fetched(future, jobs[name].recording)
            for other in begun(1):
                waiting.add(other)


def found_here(files: tuple[str, ...]) -> Found:
    """Return what this machine has; it runs on a worker."""
    return Found(
        socket.gethostname(), program_digest(), {name: file_digest(name) for name in files}
    )


def run_here(job: Job) -> tuple[Outcome, bytes]:
    """Do a run in a process of this worker's thread; return its recording, too."""
    if not hasattr(_own, "process"):
        _own.process = RunProcess()
    with TemporaryDirectory(prefix="rmp3d-") as folder:
        here = replace(job, recording=Path(folder) / job.recording.name)
        outcome: Outcome = _own.process.run(here)
        return outcome, here.recording.read_bytes() if here.recording.exists() else b""


def files_of(scenario: Scenario) -> dict[str, str | None]:
    """Return the files, with their digests, that a run reads and that are not the program's own."""
    table, home = scenario.table, Path(__file__).resolve().parents[2]
    scene = table.scene
    named = [scene.mesh] if isinstance(scene.mesh, str) else list(scene.mesh or ())
    named += [each.file for each in scene.meshes]
    named += [name for name in table.kinds if name.endswith(".toml")]
    named += [table.planner.roadmap]
    paths = [Path(name) for name in named if name and not is_in_memory(name)]
    return {
        str(path): file_digest(str(path)) for path in paths if home not in path.resolve().parents
    }


def file_digest(name: str) -> str | None:
    """Return the SHA-256 of a file; None if it cannot be read."""
    try:
        with open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _fetched(future: Any, recording: Path) -> Outcome:
    try:
        outcome, content = future.result()
    except Exception as error:  # a worker that died again and again, say
        return Outcome(failed(CRASHED, f"{type(error).__name__}: {error}"), {})
    finally:
        future.release()
    if content:
        write_whole(recording, content)
    assert isinstance(outcome, Outcome)
    return outcome
