"""Writes a recording during the run."""

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
from rmp3d.recording import layout
from rmp3d.recording.coding import Encoder, Whole, rounded_scalar, whole_steps
from rmp3d.recording.disk import locked, reserve
from rmp3d.recording.embedded import embedded_bytes, write_embedded
from rmp3d.recording.header import Header


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
        self._lock = locked(self.path)
        self._pending: dict[str, list[NDArray[Any]]] = {}
        self._encoders = {name: Encoder(each.order) for name, each in layout.CODED.items()}
        self._events: list[tuple[Any, ...]] = []
        self.header = header
        self._open = True
        try:
            reserve(self._lock, _size_of(header))
            self._file = h5py.File(
                self.path, "w", libver=layout.LIBRARY_VERSIONS, locking=False, track_order=False
            )
            self._arrays = self._lay_out()
            self._file.swmr_mode = True
        except OSError as error:
            os.close(self._lock)
            raise RecordingError(
                f"{self.path}: cannot be written ({error.strerror or error})"
            ) from None

    def append(
        self,
        *,
        position: ArrayLike,
        orientation_wxyz: ArrayLike,
        subgoal: ArrayLike,
        formation_of: ArrayLike,
        force: ArrayLike | None = None,
    ) -> None:
        """Add one frame.

        Args:
            position: (N, 3) [m].
            orientation_wxyz: (N, 4) unit quaternions.
            subgoal: (N, 3) [m].
            formation_of: (G,) row in `Header.formations`, -1 for none.
            force: (B, N, 3) [N] of `Header.behaviors`; None if there are none.
        """
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
        if len(self._pending["position"]) == layout.BLOCK_FRAMES:
            self.flush()

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
        self._file.flush()

    def close(self, finished: bool = True, reason: str = "") -> None:
        """Write the rest and how the run ended; closing twice does nothing."""
        if self._open:
            self.flush()
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

    def _lay_out(self) -> dict[str, h5py.Dataset]:
        """Make every array of the file; in the single-writer mode none can be added."""
        file, header = self._file, self.header
        file.attrs["format"] = np.bytes_(layout.FORMAT)
        file.attrs["format_version"] = layout.VERSION
        file.attrs["package_version"] = np.bytes_(_package_version())
        file.attrs["seed"] = header.scenario.seed
        file.attrs["dt"] = header.scenario.simulation.dt
        file.attrs["scene_hash"] = np.bytes_(header.scene_hash)
        text = header.scenario.to_json().encode()
        file.create_dataset("scenario", data=np.frombuffer(text, np.uint8), **layout.COMPRESSED)
        size = layout.CHARACTER["name"].itemsize
        kinds = [
            (layout.fixed(name, size), sha256)
            for name, sha256 in zip(header.characters, header.character_hashes, strict=True)
        ]
        file.create_dataset("characters", data=np.array(kinds, layout.CHARACTER))
        members = np.empty(header.member_count, layout.MEMBER)
        members["group"], members["character"] = header.group_of, header.character_of
        file.create_dataset("members", data=members)
        names = [layout.fixed(name, 64) for name in header.formations]
        file.create_dataset("formations", data=np.array(names, "S64"))
        names = [layout.fixed(name, 64) for name in header.behaviors]
        file.create_dataset("behaviors", data=np.array(names, "S64"))
        for row, (path, plan) in enumerate(zip(header.paths, header.plans, strict=True)):
            group = file.create_group(f"groups/{row}")
            group.create_dataset("path", data=np.asarray(path, np.float64).reshape(-1, 3))
            for name, array in sorted(plan.items()):
                group.create_dataset(f"plan/{name}", data=np.asarray(array))
        write_embedded(file, header.held)
        return self._frame_arrays(len(header.paths)) | self._series_arrays()

    def _series_arrays(self) -> dict[str, h5py.Dataset]:
        arrays = {}
        for row, series in enumerate(self.header.series):
            shapes = {f"groups/{row}/series/{name}": shape for name, shape in series.items()}
            for name, shape in (
                {f"groups/{row}/series/time": (), **shapes}.items() if series else ()
            ):
                arrays[name] = self._growing(
                    name, (None, *shape), 64, "<f8" if not shape else "<f4"
                )
            arrays[f"groups/{row}/figures"] = self._growing(
                f"groups/{row}/figures", (None,), 512, "u1"
            )
        return arrays

    def _growing(
        self, name: str, shape: tuple[int | None, ...], rows: int, dtype: Any
    ) -> h5py.Dataset:
        """Make an empty array that grows, ``rows`` at a time, along the axis that is None."""
        return self._file.create_dataset(
            name,
            tuple(size or 0 for size in shape),
            dtype,
            maxshape=shape,
            chunks=tuple(rows if size is None else size for size in shape),
            **layout.COMPRESSED,
        )

    def _frame_arrays(self, group_count: int) -> dict[str, h5py.Dataset]:
        count = self.header.member_count
        rows = layout.BLOCK_FRAMES
        arrays = {
            name: self._growing(f"frames/{name}", (axes, count, None), rows, "<u8")
            for name, (axes, _, _) in layout.CODED.items()
        }
        arrays["formation"] = self._growing("frames/formation", (None, group_count), rows, "<i2")
        if self.header.behaviors:
            shape = (None, len(self.header.behaviors), count, 3)
            arrays["force"] = self._growing("frames/force", shape, rows, "<f4")
        arrays["events"] = self._growing("events", (None,), 256, layout.EVENT)
        status = self._file.create_group("status")
        arrays["state"] = status.create_dataset("state", data=np.zeros(1, np.int8))
        arrays["reason"] = status.create_dataset("reason", data=np.zeros(1, layout.REASON))
        return arrays

    def _end(self, state: str, reason: str) -> None:
        """Note the ending, which takes no new room in the file, and let go of it."""
        self._open = False
        self._arrays["state"][0] = layout.STATES.index(state)
        self._arrays["reason"][0] = layout.fixed(reason, layout.REASON.itemsize)
        self._file.close()
        os.close(self._lock)


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
