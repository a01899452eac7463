"""Writes a recording during the run."""

import errno
import json
import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.uninterrupted import uninterrupted
from rmp3d.geometry.whole_file import UnfinishedFile, is_stream, unwritable
from rmp3d.recording import layout
from rmp3d.recording.coding import Encoder, Whole, rounded_scalar, whole_steps
from rmp3d.recording.disk import locked, reserve
from rmp3d.recording.embedded import embedded_bytes, write_embedded
from rmp3d.recording.filled import FilledRows
from rmp3d.recording.header import Header
from rmp3d.recording.layout import write_array
from rmp3d.recording.presence import PresenceNotes

OPENED: Mapping[str, Any] = {"libver": layout.LIBRARY_VERSIONS, "locking": False}


class RecordingWriter:
    """Streams frames and events to one file; a context manager.

    If an exception (or Ctrl-C) leaves the context, the file has all frames so far, and the reason
    of the early end. If the process is killed, the file has the frames up to the last whole block.

    Args:
        path: The file; an older one is replaced.
        header: The facts that are known before the first frame.

    Raises:
        RecordingError: The file cannot be written, or another run is writing to it.
    """

    def __init__(self, path: Path | str, header: Header) -> None:
        self.path = Path(path)
        self.header = header
        self._pending: dict[str, list[NDArray[Any]]] = {"formations": []}
        self._formations = list(header.formations)
        self._encoders = {name: Encoder(each.order) for name, each in layout.CODED.items()}
        self._events: list[tuple[Any, ...]] = []
        self._presence = PresenceNotes(header.member_count)
        self._filled = FilledRows(header.member_count)
        try:
            self._begin()
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError) and "\0" not in str(path):
                raise
            raise unwritable(self.path, error, kind=RecordingError) from None
        self._open = True

    def append(
        self,
        *,
        position: ArrayLike,
        orientation_wxyz: ArrayLike,
        subgoal: ArrayLike,
        formation_of: ArrayLike,
        force: ArrayLike | None = None,
        member: Index | None = None,
        clock: ArrayLike | None = None,
    ) -> None:
        """Add one frame.

        Args:
            position: (N, 3) [m].
            orientation_wxyz: (N, 4) unit quaternions.
            subgoal: (N, 3) [m].
            formation_of: (G,) row in `Header.formations`, -1 for none.
            force: (B, N, 3) [N] of `Header.behaviors`; None if there are none.
            member: (n,) rows of the members that are there, if not all are: the arrays have these
                only, and all others keep the values that they had last.
            clock: (K,) clocks of the parts `Header.moving` [s]; None if there are none.
        """
        if member is not None:
            position = self._filled.of("position", position, member)
            orientation_wxyz = self._filled.of("orientation_wxyz", orientation_wxyz, member)
            subgoal = self._filled.of("subgoal", subgoal, member)
            force = None if force is None else self._filled.forces(force, member)
        self._presence.add(member)
        turn = self._whole("orientation_wxyz", orientation_wxyz, 4, layout.ORIENTATION_STEP)
        scalar = rounded_scalar(turn[:, 1:], layout.ORIENTATION_STEP)
        whole = {
            "position": self._whole("position", position, 3, layout.POSITION_STEP),
            "orientation_xyz": turn[:, 1:],
            "orientation_w": turn[:, :1] - scalar[:, None],
            "subgoal": self._whole("subgoal", subgoal, 3, layout.SUBGOAL_STEP),
        }
        for name, value in whole.items():
            self._pending.setdefault(name, []).append(self._encoders[name].encode(value))
        self._hold("formation", formation_of)
        if force is not None:
            self._hold("force", np.round(np.asarray(force) / layout.FORCE_STEP) * layout.FORCE_STEP)
        if clock is not None:
            self._hold("clock", clock)
        if len(self._pending["position"]) == layout.BLOCK_FRAMES:
            self.flush()

    def formation_row(self, name: str) -> int:
        """Return the row of a formation, -1 for an empty name; a new one gets the next row."""
        if name and name not in self._formations:
            self._formations.append(name)
            self._hold("formations", layout.fixed(name, 64))
        return self._formations.index(name) if name else -1

    def add_event(
        self, time: float, kind: str, group: int = -1, member: int = -1, text: str = ""
    ) -> None:
        """Add one event, at ``time`` [s]; -1 for an event without a group or a member."""
        size = layout.EVENT["text"].itemsize
        kind_size = layout.EVENT["kind"].itemsize
        self._events.append(
            (time, layout.fixed(kind, kind_size), group, member, layout.fixed(text, size))
        )

    def add_measures(self, time: float, group: int, measures: Mapping[str, ArrayLike]) -> None:
        """Add a row to each series of a group: its measurements at ``time`` [s]."""
        self._hold(f"groups/{group}/series/time", time)
        for name, value in measures.items():
            self._hold(f"groups/{group}/series/{name}", value)

    def put_figures(self, group: int, figures: Mapping[str, Any]) -> None:
        """Write the final figures of a group; call it once."""
        text = json.dumps(figures, sort_keys=True).encode()
        for byte in np.frombuffer(text, np.uint8):
            self._hold(f"groups/{group}/figures", byte)

    def flush(self) -> None:
        """Write all buffered frames to the disk: readers see them, and a killed run keeps them.

        Raises:
            RecordingError: The disk is full, or the file was removed.
        """
        with uninterrupted():
            self._flush()

    def _flush(self) -> None:
        held = sum(row.nbytes for rows in self._pending.values() for row in rows)
        try:
            reserve(self._lock, held + len(self._events) * layout.EVENT.itemsize)
        except OSError as error:
            self._end("stopped", error.strerror or "the disk is full")
            raise RecordingError(
                f"{self.path}: writing stopped ({error.strerror}); "
                f"the recording ends with the frames before"
            ) from None
        for name, rows in self._pending.items():
            if rows:
                coded = name in self._encoders  # (axes, N, T): frames last
                _extend(self._arrays[name], np.array(rows).T if coded else np.array(rows))
                rows.clear()
        if self._events:
            _extend(self._arrays["events"], np.array(self._events, layout.EVENT))
            self._events.clear()
        if self._presence.rows:
            _extend(self._arrays["presence"], np.array(self._presence.rows, layout.PRESENCE))
            self._presence.rows.clear()
        self._file.flush()

    def close(self, finished: bool = True, reason: str = "") -> None:
        """Write the rest and how the run ended; closing twice does nothing."""
        if self._open:
            with uninterrupted():
                self._flush()
                self._end("finished" if finished else "stopped", reason)

    def __enter__(self) -> "RecordingWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        elif self._open:
            name = "interrupted" if issubclass(kind, KeyboardInterrupt) else kind.__name__
            self.close(finished=False, reason=f"{name}: {error}" if str(error) else name)

    def _whole(self, name: str, value: ArrayLike, axes: int, step: float) -> Whole:
        """Return a frame's values as whole steps."""
        whole = whole_steps(name, value, step)
        _check_shape(name, whole, (self.header.member_count, axes))
        return whole

    def _hold(self, name: str, value: ArrayLike) -> None:
        array = self._arrays[name]
        row = np.asarray(value, array.dtype)
        _check_shape(name, row, array.shape[1:])
        if row.dtype.kind == "f" and not np.isfinite(row).all():
            raise ValueError(f"`{name}` of a frame is not finite")
        self._pending.setdefault(name, []).append(row)

    def _begin(self) -> None:
        """Make the file with its header beside the target, put it in its place, and open it.

        An older file is there until then. From then on the file is readable at any time.
        """
        if is_stream(self.path):
            raise OSError(errno.EINVAL, "a recording needs a file that can be read back")
        replaces, older = self.path.exists(), locked(self.path)
        try:
            file: UnfinishedFile | None = None
            try:
                with uninterrupted():
                    file = UnfinishedFile(self.path)
                reserve(file.descriptor, _size_of(self.header))
                with h5py.File(file.path, "w", **OPENED) as laid_out:
                    self._lay_out(laid_out)
                file.finish(keep_open=True, replace=replaces)
            except FileExistsError:
                if file is not None:
                    file.discard()
                raise RecordingError(
                    f"{self.path}: another run has just begun to write to it"
                ) from None
            except BaseException:
                if file is not None:
                    file.discard()
                raise
        finally:
            if older is not None:
                os.close(older)
        self._lock = file.descriptor
        self._file = h5py.File(file.path, "r+", **OPENED)
        self._arrays = _growing_arrays(self._file)
        self._file.swmr_mode = True

    def _lay_out(self, file: h5py.File) -> None:
        """Make every array of the file; in the single-writer mode none can be added."""
        header = self.header
        file.attrs["format"] = np.bytes_(layout.FORMAT)
        file.attrs["format_version"] = layout.VERSION
        file.attrs["package_version"] = np.bytes_(_package_version())
        file.attrs["seed"] = header.scenario.seed
        file.attrs["dt"] = header.scenario.simulation.dt
        file.attrs["scene_hash"] = np.bytes_(header.scene_hash)
        text = header.scenario.to_json().encode()
        write_array(file, "scenario", np.frombuffer(text, np.uint8))
        size = layout.CHARACTER["name"].itemsize
        kinds = [
            (layout.fixed(name, size), sha256)
            for name, sha256 in zip(header.characters, header.character_hashes, strict=True)
        ]
        write_array(file, "characters", np.array(kinds, layout.CHARACTER))
        members = np.empty(header.member_count, layout.MEMBER)
        members["group"], members["character"] = header.group_of, header.character_of
        write_array(file, "members", members)
        behaviors = [layout.fixed(each, 64) for each in header.behaviors]
        write_array(file, "behaviors", np.array(behaviors, "S64"))
        if header.moving:
            names = [layout.fixed(each, size) for each in header.moving]
            write_array(file, "moving", np.array(names, f"S{size}"))
        for row, (path, plan) in enumerate(zip(header.paths, header.plans, strict=True)):
            group = file.create_group(f"groups/{row}")
            write_array(group, "path", np.asarray(path, np.float64).reshape(-1, 3))
            plans = group.create_group("plan")
            for name, array in sorted(plan.items()):
                write_array(plans, name, array)
        write_embedded(file, header.held)
        _make_growing(file, "formations", (None,), 64, "S64")
        names = [layout.fixed(each, 64) for each in header.formations]
        _extend(file["formations"], np.array(names, "S64"))
        self._lay_out_frames(file, len(header.paths))
        self._lay_out_series(file)

    def _lay_out_series(self, file: h5py.File) -> None:
        for row, series in enumerate(self.header.series):
            place = f"groups/{row}/series"
            for name, shape in {"time": (), **series}.items() if series else ():
                kind = "<f8" if not shape else "<f4"
                _make_growing(file, f"{place}/{name}", (None, *shape), 64, kind)
            _make_growing(file, f"groups/{row}/figures", (None,), 512, "u1")

    def _lay_out_frames(self, file: h5py.File, group_count: int) -> None:
        count = self.header.member_count
        rows = layout.BLOCK_FRAMES
        for name, (axes, _, _) in layout.CODED.items():
            _make_growing(file, f"frames/{name}", (axes, count, None), rows, "<u8")
        _make_growing(file, "frames/formation", (None, group_count), rows, "<i2")
        if self.header.behaviors:
            shape = (None, len(self.header.behaviors), count, 3)
            _make_growing(file, "frames/force", shape, rows, "<f4")
        if self.header.moving:
            _make_growing(file, "frames/clock", (None, len(self.header.moving)), rows, "<f8")
        _make_growing(file, "events", (None,), 256, layout.EVENT)
        _make_growing(file, "presence", (None,), 256, layout.PRESENCE)
        status = file.create_group("status")
        write_array(status, "state", np.zeros(1, np.int8), **layout.CHECKED)
        write_array(status, "reason", np.zeros(1, layout.REASON), **layout.CHECKED)

    def _end(self, state: str, reason: str) -> None:
        """Note the ending, which takes no new room in the file, and let go of it."""
        self._open = False
        self._arrays["state"][0] = layout.STATES.index(state)
        self._arrays["reason"][0] = layout.fixed(reason, layout.REASON.itemsize)
        self._file.close()
        os.close(self._lock)


def _make_growing(
    file: h5py.File, name: str, shape: tuple[int | None, ...], rows: int, dtype: Any
) -> None:
    """Make an empty array that grows, ``rows`` at a time, along the axis that is None."""
    file.create_dataset(
        name,
        tuple(size or 0 for size in shape),
        dtype,
        maxshape=shape,
        chunks=tuple(rows if size is None else size for size in shape),
        **layout.COMPRESSED,
    )


def _growing_arrays(file: h5py.File) -> dict[str, h5py.Dataset]:
    """Return what is written to during the run: by its place, or by its name in two groups."""
    arrays = {**file["frames"], **file["status"]}
    arrays |= {name: file[name] for name in ("events", "formations", "presence")}
    for row, group in file["groups"].items():
        series = {f"groups/{row}/series/{k}": v for k, v in group.get("series", {}).items()}
        arrays |= series
        if "figures" in group:
            arrays[f"groups/{row}/figures"] = group["figures"]
    return arrays


def _size_of(header: Header) -> int:
    """Return about how much room the head of a recording takes at most."""
    return len(header.scenario.to_json()) + embedded_bytes(header.held)


def _check_shape(name: str, value: NDArray[Any], shape: tuple[int, ...]) -> None:
    if value.shape != shape:
        raise ValueError(f"`{name}` must have shape {shape}, got {value.shape}")


def _extend(array: h5py.Dataset, rows: NDArray[Any]) -> None:
    """Write more rows along the axis that the array grows on."""
    axis = array.maxshape.index(None)
    count = array.shape[axis]
    array.resize(count + rows.shape[axis], axis=axis)
    array[(slice(None),) * axis + (slice(count, None),)] = rows
    array.flush()


def _package_version() -> str:
    try:
        return version("rmp3d")
    except PackageNotFoundError:
        return "unknown"
