"""The binary inside a replay page: a JSON head and named arrays, deflated, in base64."""

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import unit
from rmp3d.viewer.export.exporter import Progress
from rmp3d.viewer.export.keyframes import Keys, Tolerances, orientation_keys, position_keys
from rmp3d.viewer.export.part_keys import PartKeys, part_keys
from rmp3d.viewer.playback.playback import Playback

POSITION_STEPS, ROTATION_STEPS = 5, 16
"""Steps that values are rounded to, in parts of the tolerance."""
PART_ROTATION_STEP = 1e-8
"""Step of rotations of parts: large ones must be turned exactly."""


class Pack:
    """Arrays by name, laid out for `unpack` in ``web/motion.js``."""

    def __init__(self) -> None:
        self._arrays: dict[str, bytes] = {}

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Add an array as its little-endian bytes."""
        self._arrays[name] = np.ascontiguousarray(array).tobytes()

    def add_integers(self, name: str, values: NDArray[np.intp], width: int) -> None:
        """Add integers (M,) of ``width`` bytes, all lowest bytes first: small ones deflate well."""
        if np.abs(values).max(initial=0) >= 2 ** (8 * width - 1):
            raise ValueError(f"`{name}` does not fit into {width} bytes")
        rows = values.astype("<i4").view(np.uint8).reshape(-1, 4)[:, :width]
        self._arrays[name] = np.ascontiguousarray(rows.T).tobytes()

    def add_keys(self, name: str, keys: Keys, steps: NDArray[np.intp], width: int) -> None:
        """Add key frames whose values are ``steps`` (K, D), as differences within each motion."""
        first = keys.start[:-1]
        frame, value = (np.diff(part, axis=0, prepend=0 * part[:1]) for part in (keys.frame, steps))
        frame[first], value[first] = keys.frame[first], steps[first]
        self.add_integers(f"{name}_count", np.diff(keys.start), 4)
        self.add_integers(f"{name}_frame", frame, 4)
        self.add_integers(f"{name}_value", value.T.reshape(-1), width)

    def encode(self, head: Mapping[str, Any]) -> str:
        """Return the text for the page; ``head`` gets ``arrays``, name to (offset, bytes)."""
        offset, places = 0, {}
        for name, data in self._arrays.items():
            places[name] = [offset, len(data)]
            offset += len(data)
        text = json.dumps({**head, "arrays": places}, separators=(",", ":"), allow_nan=False)
        start = text.encode()
        body = b"".join([struct.pack("<I", len(start)), start, *self._arrays.values()])
        return base64.b64encode(zlib.compress(body, 9)).decode("ascii")


def add_motion(
    pack: Pack, playback: Playback, tolerances: Tolerances, progress: Progress | None
) -> dict[str, float]:
    """Add the key frames of all members; return what the head has to say of them.

    Positions are multiples of ``position_step`` [m]; components of quaternions, scalar last, are
    multiples of ``rotation_step`` before they are scaled to unit length.
    """
    position_step = tolerances.tolerance / POSITION_STEPS
    rotation_step = tolerances.angle_tolerance / ROTATION_STEPS
    position, turns = playback.drawn, np.asarray(playback.orientation_wxyz)

    def moved(done: int, total: int) -> None:
        if progress:
            progress(done, 2 * total)

    def turned(done: int, total: int) -> None:
        if progress:
            progress(total + done, 2 * total)

    grid = np.round(position / position_step)
    moves = position_keys(position, grid * position_step, tolerances.tolerance, moved)
    pack.add_keys("move", moves, grid[moves.frame, moves.motion].astype(np.intp), 4)
    grid = np.round(turns / rotation_step)
    spins = orientation_keys(turns, unit(grid), tolerances.angle_tolerance, turned)
    steps = grid[spins.frame, spins.motion]
    steps *= np.sign(np.einsum("ij,ij->i", steps, spins.value))[:, None]  # signs as chosen there
    pack.add_keys("turn", spins, np.roll(steps, -1, axis=1).astype(np.intp), 2)
    return {"position_step": position_step, "rotation_step": rotation_step}


def add_part_motion(
    pack: Pack, playback: Playback, tolerances: Tolerances
) -> tuple[PartKeys, dict[str, Any]]:
    """Add the key frames of the parts that move; return them, and what the head has to say."""
    step = tolerances.tolerance / POSITION_STEPS

    def place(values: Float) -> Float:
        return np.round(values / step) * step

    found = part_keys(playback, tolerances, place)
    pack.add_keys("part_move", found.moves, np.round(found.moves.value / step).astype(np.intp), 4)
    steps = np.round(np.roll(found.turns.value, -1, axis=1) / PART_ROTATION_STEP)
    pack.add_keys("part_turn", found.turns, steps.astype(np.intp), 4)
    shown = [
        list(zip((frames * playback.dt).tolist(), there.tolist(), strict=True))
        for frames, there in found.shown
    ]
    said = {"part_position_step": step, "part_rotation_step": PART_ROTATION_STEP}
    return found, {**said, "part_shown": shown}
