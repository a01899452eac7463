"""What goes between a study and the processes that do its runs."""

import pickle
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rmp3d.scenario import ScenarioTable
    from rmp3d.scenario.held import HeldObjects
    from rmp3d.studies.figures import Row

LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes:
        table: The scenario.
        held: What it names that is in no file.
        recording: File of its recording.
        verify: Whether it is verified.
        extensions: Python files that are loaded first.
        figures: Names of those that are measured besides.
    """

    table: "ScenarioTable"
    held: "HeldObjects"
    recording: Path
    verify: bool
    extensions: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a job.

    Attributes:
        row: Its figures.
        seconds: What planning, simulating and verifying took, and all of it, with measuring [s];
            ``processor`` is processor time of planning and simulating.
    """

    row: "Row"
    seconds: dict[str, float]


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    content = pickle.dumps(message)
    stream.write(LENGTH.pack(len(content)) + content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message.

    Raises:
        EOFError: There is none any more.
    """
    head = stream.read(LENGTH.size)
    content = b"" if len(head) < LENGTH.size else stream.read(LENGTH.unpack(head)[0])
    if not content:
        raise EOFError
    return pickle.loads(content)
