"""Reads a recording; the run may be finished, interrupted, or still going on."""

import json
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import h5py
import numpy as np
from numpy.typing import NDArray

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.recording import layout
from rmp3d.recording.coding import KEY_INTERVAL, decoded, rounded_scalar
from rmp3d.recording.embedded import read_embedded
from rmp3d.recording.header import Header, fingerprint
from rmp3d.scenario import ScenarioTable
from rmp3d.scenes import Scene, load_scene

UNIT_TOLERANCE = 1e-3


@dataclass(frozen=True)
class RecordedEvent:
    """An event of a run, at ``time`` [s]; group or member is -1 if the event has none."""

    time: float
    kind: str
    group: int
    member: int
    text: str


class RecordingReader:
    """An open recording, read-only; a context manager.

    Frames are read from the file on request, so a long recording need not fit in memory.

    Attributes:
        path: The file.
        header: The facts that were written before the frames.
        frames: T, the number of frames that every array has.
        dt: Time step [s]; frame k is at time ``k dt``.
    """

    def __init__(self, file: h5py.File, path: Path) -> None:
        self._file = file
        self.path = path
        self.header = _read_header(file)
        self.dt = float(file.attrs["dt"])
        self.frames = self._checked_frames()

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a recording file; its run may have been killed, or may be writing it.

        Raises:
            RecordingError: The file is missing, no recording, of another version, or damaged.
        """
        path = Path(path)
        file = _open_file(path)
        try:
            _check_format(file, path)
            return cls(file, path)
        except RecordingError:
            file.close()
            raise
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            file.close()
            raise RecordingError(f"{path}: damaged recording ({error})") from None

    @property
    def scenario(self) -> ScenarioTable:
        """The resolved scenario."""
        return self.header.scenario

    @property
    def finished(self) -> bool:
        """Whether the run ended normally."""
        return layout.STATES[int(self._file["status/state"][0])] == "finished"

    @property
    def ending(self) -> str:
        """How the run ended, as text."""
        state = layout.STATES[int(self._file["status/state"][0])]
        reason = bytes(self._file["status/reason"][0]).decode()
        return reason or ("cut off (killed, or still running)" if state == "running" else state)

    def position(self, start: int = 0, stop: int | None = None) -> Float:
        """Return positions (T', N, 3) [m] of frames ``start`` up to ``stop``."""
        return self._values("position", start, stop)

    def orientation_wxyz(self, start: int = 0, stop: int | None = None) -> Float:
        """Return unit quaternions (T', N, 4) of frames ``start`` up to ``stop``."""
        xyz = self._steps("orientation_xyz", start, stop)
        scalar = rounded_scalar(xyz, layout.ORIENTATION_STEP)[..., None]
        w = self._steps("orientation_w", start, stop) + scalar
        rows = np.concatenate([w, xyz], axis=-1)
        size = length(rows)[..., None]
        if (np.abs(size * layout.ORIENTATION_STEP - 1.0) > UNIT_TOLERANCE).any():
            raise RecordingError(f"{self.path}: orientations that are not unit quaternions")
        return rows / size

    def subgoal(self, start: int = 0, stop: int | None = None) -> Float:
        """Return subgoals (T', N, 3) [m] of frames ``start`` up to ``stop``."""
        return self._values("subgoal", start, stop)

    def force(self, start: int = 0, stop: int | None = None) -> NDArray[np.float32] | None:
        """Return forces (T', B, N, 3) [N] of `Header.behaviors`; None if none are recorded."""
        if not self.header.behaviors:
            return None
        return self._read("force", start, stop, np.float32)

    def formation_of(self, start: int = 0, stop: int | None = None) -> Index:
        """Return the row in `Header.formations` (T', G), -1 for none."""
        return self._read("formation", start, stop, np.intp)

    def events(self) -> tuple[RecordedEvent, ...]:
        """Return the events in the order in which they were added.

        Raises:
            RecordingError: The events are damaged.
        """
        try:
            return tuple(
                RecordedEvent(
                    float(row["time"]),
                    row["kind"].decode(),
                    int(row["group"]),
                    int(row["member"]),
                    row["text"].decode(),
                )
                for row in self._file["events"][:]
            )
        except (OSError, KeyError, RuntimeError, ValueError) as error:
            raise RecordingError(f"{self.path}: events are damaged ({error})") from None

    def series(self, group: int) -> dict[str, NDArray[Any]]:
        """Return the measurements of a group by name: arrays (S, ...), and ``time`` (S,) [s].

        Raises:
            RecordingError: The series are damaged.
        """
        arrays = self._file["groups"][str(group)].get("series", {})
        try:
            rows = min((array.shape[0] for array in arrays.values()), default=0)
            return {name: np.asarray(array[:rows], np.float64) for name, array in arrays.items()}
        except (OSError, RuntimeError, ValueError) as error:
            raise RecordingError(f"{self.path}: series are damaged ({error})") from None

    def figures(self, group: int) -> dict[str, Any]:
        """Return the final figures of a group by name; none if the run did not reach its end.

        Raises:
            RecordingError: The figures are damaged.
        """
        stored = self._file["groups"][str(group)].get("figures")
        try:
            text = b"" if stored is None else stored[:].tobytes()
            return dict(json.loads(text)) if text else {}
        except (OSError, RuntimeError, ValueError) as error:
            raise RecordingError(f"{self.path}: figures are damaged ({error})") from None

    def load_scene(self) -> Scene:
        """Return the scene of the run, read anew.

        Raises:
            InputError: Its files are missing or cannot be read.
            RecordingError: The scene has changed since the run.
        """
        scene = load_scene(self.scenario.scene, Path("/"), self.header.held.scene)
        if scene.hash != self.header.scene_hash:
            raise RecordingError(
                f"{self.path}: the scene has changed since the run "
                f"(hash {scene.hash[:12]}, recorded {self.header.scene_hash[:12]})"
            )
        return scene

    def load_characters(self) -> tuple[Character, ...]:
        """Return each kind of character, read anew.

        Raises:
            InputError: A character is unknown, or its files are missing.
            RecordingError: A character has changed since the run.
        """
        characters = tuple(self.header.held.character(name) for name in self.header.characters)
        for character, recorded in zip(characters, self.header.character_hashes, strict=True):
            if fingerprint(character) != recorded:
                raise RecordingError(
                    f"{self.path}: character `{character.name}` has changed since the run"
                )
        return characters

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _checked_frames(self) -> int:
        """Return T; refuse a file whose parts contradict each other."""
        header = self.header
        counts = [group.members for group in header.scenario.groups]
        expected = np.repeat(np.arange(len(counts)), counts)
        optional = ("force",) if header.behaviors else ()
        stored = self._file["frames"]
        coded = {name: stored[name] for name in layout.CODED}
        plain = {name: stored[name] for name in ("formation", *optional)}
        agrees = (
            np.array_equal(header.group_of, expected)
            and header.character_of.shape == expected.shape
            and bool((header.character_of >= 0).all())
            and bool((header.character_of < len(header.characters)).all())
            and self.dt == header.scenario.simulation.dt
            and all(
                array.shape[:-1] == (layout.CODED[name].axes, len(expected))
                and array.dtype == np.uint64
                for name, array in coded.items()
            )
            and plain["formation"].shape[1:] == (len(counts),)
            and all(
                plain[name].shape[1:] == (len(header.behaviors), len(expected), 3)
                for name in optional
            )
        )
        if not agrees:
            raise RecordingError(f"{self.path}: damaged recording (its parts do not agree)")
        return min(
            *(array.shape[-1] for array in coded.values()),
            *(array.shape[0] for array in plain.values()),
        )

    def _values(self, name: str, start: int, stop: int | None) -> Float:
        rows = self._steps(name, start, stop)
        rows *= layout.CODED[name].step
        return rows

    def _steps(self, name: str, start: int, stop: int | None) -> Float:
        """Return a coded array's values (T', N, axes) in steps, read from a key frame on.

        The values are whole numbers, which floats represent exactly.
        """
        axes, _, order = layout.CODED[name]
        end = self._end(stop)
        rows = np.empty((max(end - start, 0), len(self.header.group_of), axes))
        for key in range(start - start % KEY_INTERVAL, end, KEY_INTERVAL):
            code = self._stored(name, np.s_[..., key : min(key + KEY_INTERVAL, end)])
            first = max(start, key)
            values = decoded(code, order)[..., first - key :]
            rows[first - start : key + KEY_INTERVAL - start] = values.T
        return rows

    def _read(self, name: str, start: int, stop: int | None, dtype: Any) -> NDArray[Any]:
        rows = np.asarray(self._stored(name, np.s_[start : self._end(stop)]), dtype)
        if rows.dtype.kind == "f" and not np.isfinite(rows).all():
            raise RecordingError(f"{self.path}: values of `{name}` that are not finite")
        return rows

    def _end(self, stop: int | None) -> int:
        return self.frames if stop is None else min(stop, self.frames)

    def _stored(self, name: str, part: Any) -> NDArray[Any]:
        try:
            return np.asarray(self._file["frames"][name][part])
        except (OSError, RuntimeError) as error:
            raise RecordingError(f"{self.path}: `{name}` is damaged ({error})") from None


def _open_file(path: Path) -> h5py.File:
    if not path.exists():
        raise RecordingError(f"{path}: no such file")
    if path.is_dir():
        raise RecordingError(f"{path}: is a directory, not a recording")
    try:
        if not h5py.is_hdf5(path):
            raise RecordingError(f"{path}: not a recording (no HDF5 file)")
        if _is_marked_open(path):
            return h5py.File(path, "r", libver="latest", swmr=True, locking=False)
        return h5py.File(path, "r", locking=False)
    except (OSError, RuntimeError) as error:
        raise RecordingError(f"{path}: cannot be opened ({error})") from None


def _is_marked_open(path: Path) -> bool:
    """Whether a run is writing the file, or was killed while it wrote.

    HDF5 marks an open writer in byte 11 of the file (the consistency flags of its superblock), and
    stores the end of the file in bytes 28 to 35. A truncated file with this mark must be refused
    here: HDF5 would wait for a writer to write the missing part.
    """
    with path.open("rb") as file:
        head = file.read(36)
    if len(head) < 36 or head[8] < 3 or head[11] == 0:
        return False
    end = int.from_bytes(head[28:36], "little")
    if path.stat().st_size < end:
        raise RecordingError(f"{path}: truncated ({path.stat().st_size} of {end} bytes)")
    return True


def _check_format(file: h5py.File, path: Path) -> None:
    if bytes(file.attrs.get("format", b"")).decode(errors="replace") != layout.FORMAT:
        raise RecordingError(f"{path}: an HDF5 file, but not a recording")
    found = int(file.attrs["format_version"])
    if found != layout.VERSION:
        remedy = "run its scenario again" if found < layout.VERSION else "update rmp3d"
        raise RecordingError(
            f"{path}: recording format {found}; this program reads format {layout.VERSION}; "
            f"{remedy}"
        )


def _read_header(file: h5py.File) -> Header:
    scenario = ScenarioTable.from_json(file["scenario"][:].tobytes().decode())
    groups = [file["groups"][str(row)] for row in range(len(scenario.groups))]
    members, kinds = file["members"][:], file["characters"][:]
    names = scenario.kinds
    if len(kinds) != len(names):
        raise ValueError("its characters do not agree with its scenario")
    return Header(
        scenario=scenario,
        scene_hash=bytes(file.attrs["scene_hash"]).decode(),
        characters=names,
        character_hashes=tuple(text.decode() for text in kinds["sha256"]),
        character_of=frozen(members["character"], np.intp),
        group_of=frozen(members["group"], np.intp),
        formations=tuple(name.decode() for name in file["formations"][:]),
        paths=tuple(group["path"][:] for group in groups),
        plans=tuple(_plan(group) for group in groups),
        behaviors=tuple(name.decode() for name in file.get("behaviors", ())[:]),
        held=read_embedded(file, scenario),
    )


def _plan(group: h5py.Group) -> dict[str, NDArray[Any]]:
    return {name: array[()] for name, array in group.get("plan", {}).items()}
