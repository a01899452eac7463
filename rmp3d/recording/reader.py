"""Reads a recording; the run may be finished, interrupted, or still going on."""

import json
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import check_frame, path_given
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.meanwhile import Meanwhile
from rmp3d.geometry.number_limits import LARGEST_NUMBER, are_sensible
from rmp3d.geometry.parallel import in_blocks
from rmp3d.models import Character
from rmp3d.recording import coding, layout
from rmp3d.recording.byte_source import PAUSE, TRIES, ByteSource
from rmp3d.recording.coded_frames import CodedFrames
from rmp3d.recording.event import RecordedEvent
from rmp3d.recording.presence import check_note_count, lives, present
from rmp3d.recording.read_anew import characters_of_run, scene_of_run
from rmp3d.recording.stored import UNREADABLE, DamagedError, StoredArray, StoredFile
from rmp3d.recording.stored_header import read_header
from rmp3d.scenario import ScenarioTable
from rmp3d.scenes import Scene


class RecordingReader:
    """An open recording, read-only; a context manager.

    Frames are read from the file on request, so a long recording need not fit in memory.

    Attributes:
        path: The file.
        header: The facts that were written before the frames.
        frames: T, the number of frames that every array has.
        dt: Time step [s]; frame k is at time ``k dt``.
    """

    def __init__(self, file: StoredFile, path: Path) -> None:
        self._file = file
        # Python must not end while HDF5 still has one of its files.
        self._closing = weakref.finalize(self, file.close)
        self.path = path
        self._scene: Meanwhile[Scene] | None = None  # that was begun to be read
        state = file.read("status/state", np.int8, 1)
        if state.shape != (1,) or not 0 <= state[0] < len(layout.STATES):
            raise DamagedError("its state is none that there is")
        self._state = layout.STATES[int(state[0])]
        reason = file.read("status/reason", layout.REASON, 1)
        self._reason = b"".join(reason.tolist()).decode(errors="replace")
        self.header = read_header(file)
        self.dt = float(file.attribute("dt", "f"))
        self._arrays = self._frame_arrays()
        self._coded = {
            name: CodedFrames(self._arrays[name], each.order) for name, each in layout.CODED.items()
        }
        self.frames = self._checked_frames()

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a recording file; its run may have been killed, or may be writing it.

        Raises:
            RecordingError: The file is missing, no recording, of another version, or damaged.
        """
        return cls._opened(path_given(path))

    @classmethod
    def _opened(cls, path: Path, content: bytes | None = None) -> Self:
        """Open a file, or its content, which errors call ``path``."""
        for left in reversed(range(TRIES)):
            source = ByteSource(path, content)
            try:
                with naming_damage(path):
                    file = StoredFile(source)
                    _check_format(file, path)
                    return cls(file, path)
            except RecordingError:
                is_marked = source.is_marked
                source.close()
                if not left or not is_marked:
                    raise
            time.sleep(PAUSE)  # perhaps its writer is writing what was read
        raise AssertionError

    @property
    def scenario(self) -> ScenarioTable:
        """The resolved scenario."""
        return self.header.scenario

    @property
    def finished(self) -> bool:
        """Whether the run ended normally."""
        return self._state == "finished"

    @property
    def ending(self) -> str:
        """How the run ended, as text."""
        return self._reason or (
            "cut off (killed, or still running)" if self._state == "running" else self._state
        )

    def position(self, start: int = 0, stop: int | None = None) -> Float:
        """Return positions (T', N, 3) [m] of frames ``start`` up to ``stop``."""
        return self._values("position", start, stop)

    def orientation_wxyz(self, start: int = 0, stop: int | None = None) -> Float:
        """Return unit quaternions (T', N, 4) of frames ``start`` up to ``stop``."""
        rest, xyz = (
            self._decoded(f"orientation_{axes}", start, stop, 1.0)[0] for axes in ("w", "xyz")
        )
        found = np.empty((*xyz.shape[:2], 4))

        def some(block: slice) -> float:
            step = layout.ORIENTATION_STEP
            return coding.unit_quaternions(rest[block], xyz[block], step, found[block])

        if max(in_blocks(some, len(found), 1)) > coding.UNIT_TOLERANCE:
            raise RecordingError(f"{self.path}: orientations that are not unit quaternions")
        return found

    def subgoal(self, start: int = 0, stop: int | None = None) -> Float:
        """Return subgoals (T', N, 3) [m] of frames ``start`` up to ``stop``."""
        return self._values("subgoal", start, stop)

    def force(self, start: int = 0, stop: int | None = None) -> NDArray[np.float32] | None:
        """Return forces (T', B, N, 3) [N] of `Header.behaviors`; None if none are recorded."""
        if not self.header.behaviors:
            return None
        return self._read("force", start, stop, np.float32)

    def clock(self, start: int = 0, stop: int | None = None) -> Float:
        """Return the clocks (T', K) [s] of the parts `Header.moving`, of which there are some."""
        return np.asarray(self._read("clock", start, stop, np.float64))

    def formation_of(self, start: int = 0, stop: int | None = None) -> Index:
        """Return the row in `Header.formations` (T', G), -1 for none."""
        rows: Index = self._read("formation", start, stop, np.intp)
        if rows.size and not -1 <= rows.min() <= rows.max() < len(self.header.formations):
            raise RecordingError(f"{shown_path(self.path)}: damaged recording (no such formation)")
        return rows

    @cached_property
    def life(self) -> Index:
        """The first frame of each member and the one after its last, (N, 2); see `lives`.

        Raises:
            RecordingError: What is noted of coming and leaving is damaged.
        """
        with naming_damage(self.path, "notes of presence"):
            notes = np.empty(0, layout.PRESENCE)
            if self._file.has("presence"):
                count = self._file.array("presence", layout.PRESENCE, 1).shape[0]
                check_note_count(count, self.header.member_count)
                notes = self._file.read("presence", layout.PRESENCE, 1)
            return lives(notes, self.header.member_count, self.frames)

    def presence(self, start: int = 0, stop: int | None = None) -> Bool:
        """Return which members are there in frames ``start`` up to ``stop``, (T', N)."""
        return present(self.life, *self._span(start, stop))

    def events(self) -> tuple[RecordedEvent, ...]:
        """Return the events in the order in which they were added.

        Raises:
            RecordingError: The events are damaged.
        """
        with naming_damage(self.path, "events"):
            stored = self._file.read("events", layout.EVENT, 1)
            if not (
                are_sensible(stored["time"], LARGEST_NUMBER)
                and (stored["group"] >= -1).all()
                and (stored["group"] < len(self.scenario.groups)).all()
                and (stored["member"] >= -1).all()
                and (stored["member"] < self.header.member_count).all()
            ):
                raise DamagedError("one is of a time, group or member that there is not")
            return tuple(
                RecordedEvent(time, kind.decode(), group, member, text.decode())
                for time, kind, group, member, text in stored.tolist()
            )

    def series(self, group: int) -> dict[str, NDArray[Any]]:
        """Return the measurements of a group by name: arrays (S, ...), and ``time`` (S,) [s].

        Raises:
            RecordingError: The series are damaged.
        """
        place = f"groups/{group}/series"
        with naming_damage(self.path, "series"):
            arrays = {
                name: self._file.read(f"{place}/{name}", "f") for name in self._file.names(place)
            }
            if any(array.ndim == 0 or not are_sensible(array) for array in arrays.values()):
                raise DamagedError("one has values without sense")
            if arrays and arrays.get("time", np.empty((0, 0))).ndim != 1:
                raise DamagedError("their times are missing")
            counts = {len(array) for array in arrays.values()}
            if len(counts) > 1 and self._state != "running":
                raise DamagedError("they end at different times")
            rows = min(counts, default=0)
            return {name: np.asarray(array[:rows], np.float64) for name, array in arrays.items()}

    def figures(self, group: int) -> dict[str, Any]:
        """Return the final figures of a group by name; none if the run did not reach its end.

        Raises:
            RecordingError: The figures are damaged.
        """
        place = f"groups/{group}/figures"
        with naming_damage(self.path, "figures"):
            text = self._file.text(place) if self._file.has(place) else ""
            found = json.loads(text) if text else {}
            if not isinstance(found, dict):
                raise DamagedError("they have no names")
            return found

    def begin_scene(self) -> None:
        """Begin to read the scene of the run in another thread; `load_scene` waits for it."""
        self._scene = Meanwhile(self._read_scene)

    def load_scene(self) -> Scene:
        """Return the scene of the run, read anew.

        Raises:
            InputError: Its files are missing or cannot be read.
            RecordingError: The scene has changed since the run.
        """
        begun, self._scene = self._scene, None
        return self._read_scene() if begun is None else begun.result()

    def _read_scene(self) -> Scene:
        return scene_of_run(self.path, self.header)

    def load_characters(self) -> tuple[Character, ...]:
        """Return each kind of character, read anew.

        Raises:
            InputError: A character is unknown, or its files are missing.
            RecordingError: A character has changed since the run.
        """
        return characters_of_run(self.path, self.header)

    def close(self) -> None:
        """Close the file."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _frame_arrays(self) -> dict[str, StoredArray]:
        file, forced = self._file, bool(self.header.behaviors)
        arrays = {name: file.array(f"frames/{name}", np.uint64, 3) for name in layout.CODED}
        arrays["formation"] = file.array("frames/formation", "iu", 2)
        if self.header.moving:
            arrays["clock"] = file.array("frames/clock", np.float64, 2)
        return arrays | ({"force": file.array("frames/force", "f", 4)} if forced else {})

    def _checked_frames(self) -> int:
        """Return T; refuse a file whose parts contradict each other.

        Raises:
            DamagedError: They do.
        """
        header, arrays = self.header, self._arrays
        counts = header.scenario.counts
        members = sum(counts)
        shapes = {name: (axes, members) for name, (axes, _, _) in layout.CODED.items()}
        agrees = (
            np.array_equal(header.group_of, np.repeat(np.arange(len(counts)), counts))
            and np.array_equal(header.character_of, header.scenario.kind_rows)
            and self.dt == header.scenario.simulation.dt
            and int(self._file.attribute("seed", "iu")) == header.scenario.seed
            and all(arrays[name].shape[:-1] == shape for name, shape in shapes.items())
            and arrays["formation"].shape[1:] == (len(counts),)
            and ("clock" not in arrays or arrays["clock"].shape[1:] == (len(header.moving),))
            and (
                "force" not in arrays
                or arrays["force"].shape[1:] == (len(header.behaviors), members, 3)
            )
        )
        if not agrees:
            raise DamagedError("its parts do not agree")
        frames = {
            name: array.shape[-1 if name in layout.CODED else 0] for name, array in arrays.items()
        }
        shortest = min(frames, key=lambda name: frames[name])
        longest = max(frames, key=lambda name: frames[name])
        # A writer that is killed may leave one array ahead of another, one that ends does not.
        if frames[shortest] < frames[longest] and self._state != "running":
            raise DamagedError(
                f"`{shortest}` has {frames[shortest]} frames, `{longest}` has {frames[longest]}"
            )
        return frames[shortest]

    def _values(self, name: str, start: int, stop: int | None) -> Float:
        rows, largest = self._decoded(name, start, stop, layout.CODED[name].step)
        if largest > LARGEST_NUMBER:
            raise RecordingError(f"{self.path}: damaged recording (`{name}` is beyond all sense)")
        return rows

    def _decoded(self, name: str, start: int, stop: int | None, step: float) -> tuple[Float, float]:
        """Return values (T', N, axes) of a coded array times ``step``, and the largest of them."""
        span = self._span(start, stop)
        with naming_damage(self.path):
            return self._coded[name].read(*span, step)

    def _read(self, name: str, start: int, stop: int | None, dtype: Any) -> NDArray[Any]:
        rows = np.asarray(self._stored(name, slice(*self._span(start, stop))), dtype)
        if rows.dtype.kind == "f" and not are_sensible(rows):
            raise RecordingError(f"{self.path}: values of `{name}` without sense")
        return rows

    def _span(self, start: int, stop: int | None) -> tuple[int, int]:
        check_frame(start, "start")
        if stop is not None:
            check_frame(stop, "stop")
        first, end, _ = slice(start, stop).indices(self.frames)
        return first, max(first, end)

    def _stored(self, name: str, part: Any) -> NDArray[Any]:
        with naming_damage(self.path):
            return self._arrays[name][part]


@contextmanager
def naming_damage(path: Path, part: str = "") -> Iterator[None]:
    """Turn what is raised about a damaged file into an error that names the file.

    Args:
        path: The file.
        part: What is read of it, such as "events".

    Raises:
        RecordingError: Something inside this context was damaged.
    """
    here, what = shown_path(path), f"{part} are damaged" if part else "damaged recording"
    try:
        yield
    except RecordingError:
        raise
    except MemoryError:
        raise RecordingError(f"{here}: there is not enough memory to read it") from None
    except (DamagedError, InputError) as error:
        raise RecordingError(f"{here}: {what} ({error})") from None
    except UNREADABLE:
        raise RecordingError(
            f"{here}: {what} (a part of it is missing, or does not fit its checksum)"
        ) from None


def _check_format(file: StoredFile, path: Path) -> None:
    is_recording = False
    with suppress(ValueError):
        is_recording = file.attribute("format", "S").decode() == layout.FORMAT
    if not is_recording:
        raise RecordingError(f"{shown_path(path)}: an HDF5 file, but not a recording")
    found = int(file.attribute("format_version", "iu"))
    if found not in layout.READABLE:
        remedy = "run its scenario again" if found < layout.VERSION else "update rmp3d"
        raise RecordingError(
            f"{shown_path(path)}: recording format {found}; this program reads format "
            f"{layout.VERSION}; {remedy}"
        )
