"""A recording as a Python program has it: verified, exported, shown and saved in one call each."""

import shutil
from collections.abc import Callable
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import path_given
from rmp3d.geometry.short_repr import in_short
from rmp3d.geometry.whole_file import whole_file
from rmp3d.recording import RecordingReader
from rmp3d.recording.tracks import track
from rmp3d.scenario import Scenario
from rmp3d.scenes import KeyFrame, MotionDescription

if TYPE_CHECKING:
    from rmp3d.verification import Report
    from rmp3d.viewer import Playback

IN_MEMORY = Path("recording in memory")
"""What errors call a recording that is in no file."""

Progress = Callable[[int, int], None]


class Recording(RecordingReader):
    """What happened in a run: positions, orientations, subgoals, events, and what was planned.

    >>> with Recording.open("a.rmp3d") as recording:  # doctest: +SKIP
    ...     recording.verify().ok, recording.position().shape
    (True, (300, 9, 3))

    It is in memory (`rmp3d.run`) or in a file (`open`), with the same bytes. In a notebook it
    plays: the last line of a cell is the recording. ``start`` and ``stop`` are those of a slice:
    ``position(-1)`` is the last frame, (1, N, 3).

    Attributes:
        path: The file; of one in memory what errors call it.
        header: What it says about the run.
        frames: T, frames that are there in every array.
        dt: Time step [s]; frame k is at time ``k dt``.
    """

    _bytes: bytes | None = None

    @classmethod
    def from_bytes(cls, data: bytes) -> "Recording":
        """Return the recording that a file with these bytes is.

        Raises:
            RecordingError: They are none of a recording, or damaged.
            InputError: No bytes at all.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise InputError(f"`data` must be bytes, got {in_short(data)}")
        made = cls._opened(IN_MEMORY, data)
        made._bytes = data
        return made

    def to_bytes(self) -> bytes:
        """Return the bytes of the recording's file.

        Raises:
            RecordingError: The file is gone.
        """
        if self._bytes is not None:
            return self._bytes
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise RecordingError(f"{self.path}: cannot be read ({error.strerror})") from None

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a file, and return the path.

        Raises:
            InputError: The name does not end in ``.rmp3d``, or it cannot be written.
        """
        target = path_given(path)
        if target.suffix != ".rmp3d":
            raise InputError(f"{target}: a recording file ends in `.rmp3d`")
        with whole_file(target) as file:
            if self._bytes is None:
                with self.path.open("rb") as own:
                    shutil.copyfileobj(own, file)
            else:
                file.write(self._bytes)
        return target

    @property
    def time(self) -> Float:
        """(T,) time of each frame [s]."""
        return np.arange(self.frames, dtype=np.float64) * self.dt

    def as_scenario(self) -> Scenario:
        """Return the scenario of the run; running it again gives the same recording."""
        return Scenario.held_by(self.header.scenario, self.header.held)

    def verify(self, progress: Progress | None = None) -> "Report":
        """Prove every frame and motion, mesh against mesh, from the recording alone.

        Args:
            progress: Called with frames done and frames in all.

        Returns:
            The report: ``ok``, ``findings``, clearances.

        Raises:
            RecordingError: There are no frames, or they are damaged.
            InputError: Scene or characters are gone or have changed.
        """
        from rmp3d.verification import verify

        return verify(self, progress)

    def track(
        self,
        part: str,
        *,
        group: str = "",
        member: int = 0,
        repeat: Literal["no", "stay", "cycle", "back_and_forth"] = "no",
        phase: float = 0.0,
    ) -> MotionDescription:
        """Return the way of a member as the motion of a part, for `Scene.with_motions`.

        The part begins where its scene has it, and goes and turns as the member did.

        Args:
            part: Its name.
            group: Of the member; by default the first one.
            member: Number in its group, from 0.
            repeat: What follows the end; see `rmp3d.scenes.MotionDescription`.
            phase: Time of the recording [s] at which the part begins.

        Raises:
            InputError: There is no such member, or it is not there all the time.
        """
        found = track(self, group, member)
        keys = [KeyFrame(k["time"], k["position"], k["rotation"]) for k in found["keys"]]
        return MotionDescription(part, keys, repeat, found["hinge"], phase)

    def playback(self) -> "Playback":
        """Return all frames with scene and characters, as viewer and exporters take them.

        Raises:
            RecordingError: There is no frame, or scene or characters have changed.
        """
        from rmp3d.playback.from_recording import playback

        return playback(self)

    def export(self, *paths: str | PathLike[str], **options: Any) -> tuple[Path, ...]:
        """Write it in other formats, which the suffixes say (``rmp3d export --help``).

        >>> recording.export("a.glb", "a.html", tolerance=0.02)  # doctest: +SKIP

        Args:
            paths: Such as ``a.glb``, ``a.html``, ``a.mp4``, ``a.csv``, ``a.npz``.
            options: Of the formats, such as ``fps``; each goes to the formats that have it.

        Returns:
            The paths.

        Raises:
            InputError: No such format or option, or a file cannot be written.
            ViewerError: A format needs pictures, and there is no OpenGL 3.3 here.
        """
        from rmp3d.front.writing import export

        return export(self, *paths, **options)

    def report(self, path: str | PathLike[str], *, check: bool = True) -> Path:
        """Write a page with figures, tables and charts, and return its path.

        Args:
            path: Ends in ``.html``.
            check: Whether to verify the recording for the page.

        Raises:
            RecordingError: It is damaged, or has no frames.
            InputError: The file cannot be written.
        """
        from rmp3d.reporting import write_report

        page = path_given(path)
        write_report(self, page, check=check)
        return page

    def show(self) -> None:
        """Play it: in a window, or in the notebook.

        Raises:
            ViewerError: There is no screen; says what to do instead.
        """
        from rmp3d.front.showing import show

        show(self)

    def _repr_html_(self) -> str:
        """Return a replay for a notebook: one self-contained page in a frame."""
        from rmp3d.front.notebook import html_of

        if self.frames == 0:
            return f"<pre>{escape(repr(self))}</pre>"
        return html_of(self)

    def __repr__(self) -> str:
        scenario = self.scenario
        place = "in memory" if self._bytes is not None else str(self.path)
        return (
            f"<Recording of `{scenario.name}`, seed {scenario.seed}: {scenario.member_count} "
            f"members, {max(self.frames - 1, 0) * self.dt:.1f} s, {self.ending}; {place}>"
        )
