"""Who rides on parts that carry, such as lifts: found anew from positions and clocks.

A member rides through a motion if its feet are on the part in the frames before and after, and near
it in between, while the part moves. It is on ground then. Who is where a part stops, while the part
is elsewhere, is not.
"""

from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.recording import RecordingReader
from rmp3d.scenes import Scene
from rmp3d.scenes.motion import PartMotion
from rmp3d.verification.blocks import Block
from rmp3d.verification.part_motion import REST, PartTrack

ON = 0.01
"""Feet are on a part within so far [m] of it, in frames."""
NEARLY = 0.04
"""And within so far [m] between frames, where a part may come to a key frame."""
SHARES = (0.25, 0.5, 0.75)


class CarryingPart:
    """A part that carries: what can be walked on of it, at a value of its clock.

    Args:
        column: Of its clock.
        mesh: The part, where the scene has it.
        flat: (F,) which of its faces can be walked on.
        motion: Its key frames.
    """

    def __init__(self, column: int, mesh: TriangleMesh, flat: Bool, motion: PartMotion) -> None:
        self.column, self._hinge = column, motion.hinge
        self._deck, self._track = MeshQuery(mesh.select(flat)), PartTrack(mesh, motion)
        self.stops = _stops(motion)

    def is_on(self, feet: Float, clock: float, within: float) -> Bool:
        """Return which feet (N, 3) [m] are on it within so far [m], at a clock [s]."""
        displacement = self.place(clock)
        up, down = np.array([0.0, 0.0, within]), np.array([0.0, 0.0, -1.0])
        found: Bool = self._deck.cast_ray(feet - displacement + up, down, 2.0 * within)[1] >= 0
        return found

    def place(self, clock: float) -> Float:
        """Return how far (3,) [m] it is from where the scene has it, at a clock [s]."""
        found: Float = self._track.pose(clock)[1] - self._hinge
        return found

    def stop_at(self, start: float, end: float) -> int:
        """Return the stop at which it stands all the time between two clocks; -1: none."""
        if self._track.travel(start, end) > REST:
            return -1
        away = self.place(start) - self.stops
        apart = np.sqrt((away * away).sum(axis=1))
        return int(apart.argmin()) if apart.min() <= REST else -1

    def at_stop(self, feet: Float, stop: int) -> Bool:
        """Return which feet (N, 3) [m] are where its ground is at a stop."""
        up, down = np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -1.0])
        found: Bool = self._deck.cast_ray(feet - self.stops[stop] + up, down, 0.5 + ON)[1] >= 0
        return found


class Riders:
    """Who rides in a recording.

    Args:
        recording: Has the clocks.
        scene: Has the parts.

    Attributes:
        parts: Those that carry.
    """

    def __init__(self, recording: RecordingReader, scene: Scene) -> None:
        self._recording = recording
        self.parts: list[CarryingPart] = []
        self._block: Block | None = None
        self._found: dict[int, Bool] = {}
        self._shift: Float = np.zeros((0, 0, 3))
        level = np.cos(scene.max_slope) - 1e-9
        for column, row in enumerate(scene.moving.tolist()):
            part = scene.parts[row]
            if part.motion is not None and part.carries:
                flat = part.mesh.normals[:, 2] >= level
                self.parts.append(CarryingPart(column, part.mesh, flat, part.motion))

    def by_part(self, block: Block) -> dict[int, Bool]:
        """Return which members ride in the motions of a block (B, N), by the clock's column."""
        if self._block is not block:
            self._look(block)
        return {column: rides[: block.motions] for column, rides in self._found.items()}

    def shift(self, block: Block) -> Float:
        """Return by how much (B or B + 1, N, 3) [m] parts carry members in each motion.

        What is left of a motion is the member's own. One motion more than the block has is looked
        at if there is one, as in the block's positions.
        """
        if self._block is not block:
            self._look(block)
        return self._shift

    def _look(self, block: Block) -> None:
        """Find who rides in a block, and in the motion after it."""
        frames, count = block.position.shape[:2]
        last = block.first + frames
        clock = self._recording.clock(block.first, last) if self.parts else np.zeros((0, 0))
        self._block, self._found = block, {}
        self._shift = np.zeros((frames - 1, count, 3))
        for part in self.parts:
            own = clock[:, part.column]
            rides = self._rides(part, block.position, own)
            self._found[part.column] = rides
            place = np.array([part.place(each) for each in own.tolist()])
            self._shift += rides[..., None] * np.diff(place, axis=0)[:, None]

    def all(self, block: Block) -> tuple[Bool, Bool]:
        """Return who is carried in frames (B + 1, N), and rides in motions (B, N)."""
        count = block.position.shape[1]
        rides = np.zeros((block.motions, count), np.bool_)
        for each in self.by_part(block).values():
            rides |= each
        nobody = np.zeros((1, count), np.bool_)
        carried = np.concatenate([rides, nobody]) | np.concatenate([nobody, rides])
        return carried, rides

    @staticmethod
    def _rides(part: CarryingPart, feet: Float, clock: Float) -> Bool:
        """Return who (T - 1, N) rides on a part, from feet (T, N, 3) [m] and its clocks (T,)."""
        frames = [part.is_on(own, at, ON) for own, at in zip(feet, clock.tolist(), strict=True)]
        found = np.zeros((len(feet) - 1, feet.shape[1]), np.bool_)
        for k, (start, end) in enumerate(pairwise(clock.tolist())):
            both = frames[k] & frames[k + 1]
            if part.stop_at(start, end) >= 0 or not both.any():
                continue
            for share in SHARES:
                between = feet[k] + share * (feet[k + 1] - feet[k])
                both &= part.is_on(between, start + share * (end - start), NEARLY)
            found[k] = both
        return found


def _stops(motion: PartMotion) -> Float:
    """Return the displacements (S, 3) [m] at which a part stands."""
    place = motion.position
    rows = [k for k in range(len(place) - 1) if np.abs(place[k + 1] - place[k]).max() <= REST]
    if motion.repeat == "stay":
        rows.append(len(place) - 1)
    found: Float = place[rows]
    return found
