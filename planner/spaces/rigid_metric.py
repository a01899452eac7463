"""Distances, motions and random configurations of a rigid body, of which some may be locked."""

import numpy as np

from rmp3d.geometry import Bool, Float, InputError, frozen
from rmp3d.geometry.rotations import angle_between, product, slerp, uniform_rotations

# Free degrees of freedom: x y z, then rotation about x y z.
FREEDOM = {
    "rigid": (1, 1, 1, 1, 1, 1),
    "translation": (1, 1, 1, 0, 0, 0),
    "planar": (1, 1, 0, 0, 0, 0),
    "planar_rotation": (1, 1, 0, 0, 0, 1),
}


class RigidMetric:
    """The degrees of freedom of a rigid body: distances, motions, and random configurations.

    A configuration is (7,): x y z [m], then a unit quaternion, scalar first.

    Args:
        kind: "rigid", "translation", "planar" or "planar_rotation" (about z).
        bounds: (2, 3) corners [m] of the box of the reference point; a locked axis has none.
        origin: (7,) the configuration that gives locked degrees of freedom their value.
        reach: Largest distance [m] of a point of the body from its reference point.

    Attributes:
        freedom: (6,) which of the degrees of freedom (x y z, rotation about x y z) are free.

    Raises:
        InputError: No space has that name, or the box has negative extent.
    """

    def __init__(self, kind: str, bounds: Float, origin: Float, reach: float) -> None:
        if kind not in FREEDOM:
            raise InputError(f"no rigid space named `{kind}` (there is {', '.join(FREEDOM)})")
        bounds = np.array(bounds, dtype=np.float64)
        self.origin = frozen(origin)
        locked = ~np.array(FREEDOM[kind][:3], dtype=np.bool_)
        bounds[:, locked] = self.origin[:3][locked]
        if not (bounds[0] <= bounds[1]).all():
            raise InputError(f"`bounds` must be lower and upper corner, got {bounds.tolist()}")
        self.kind = kind
        self.bounds = frozen(bounds)
        self.reach = reach
        free = np.array(FREEDOM[kind], dtype=np.float64)
        free[:3] *= bounds[1] > bounds[0]
        self.freedom = frozen(free)

    @property
    def turns(self) -> bool:
        """Whether the body can turn at all."""
        return any(FREEDOM[self.kind][3:])

    @property
    def lever(self) -> float:
        """How many meters a radian counts [m]: half the reach."""
        return 0.5 * self.reach

    def sample(self, count: int, rng: np.random.Generator) -> Float:
        """Return configurations (count, 7), uniform in position and in rotation."""
        rows = np.tile(self.origin, (count, 1))
        cube = rng.random((count, 6))
        rows[:, :3] = self.bounds[0] + cube[:, :3] * (self.bounds[1] - self.bounds[0])
        if self.kind == "rigid":
            rows[:, 3:] = uniform_rotations(cube[:, 3:])
        elif self.kind == "planar_rotation":
            rows[:, 3:] = _turned(self.origin[3:], 2.0 * np.pi * cube[:, 5])
        return rows

    def near(self, configurations: Float, scale: float, rng: np.random.Generator) -> Float:
        """Return configurations (M, 7) normally distributed around others, within bounds.

        Args:
            configurations: (M, 7).
            scale: Standard deviation per axis [m]; of the rotation, ``scale / lever`` [rad].
            rng: Source of randomness.
        """
        step = rng.normal(scale=scale, size=(len(configurations), 6)) * self.freedom
        rows = configurations.copy()
        rows[:, :3] = np.clip(rows[:, :3] + step[:, :3], *self.bounds)
        turn = step[:, 3:] / self.lever
        angle = np.linalg.norm(turn, axis=1, keepdims=True)
        half = np.hstack([np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * turn])
        rows[:, 3:] = _scaled(product(half, rows[:, 3:]))
        return rows

    def embedded(self, configurations: Float) -> Float:
        """Return points (M, 7) whose Euclidean distance orders neighbors: (p, 2 lever q).

        A quaternion and its opposite are one rotation, so both must be looked for.
        """
        return np.hstack([configurations[:, :3], 2.0 * self.lever * configurations[:, 3:]])

    def distance(self, start: Float, end: Float) -> Float:
        """Return the distance (M,) [m]: of the reference points, plus reach times the angle."""
        apart: Float = np.linalg.norm(end[..., :3] - start[..., :3], axis=-1)
        if self.turns:
            apart = apart + self.reach * angle_between(start[..., 3:], end[..., 3:])
        return apart

    def interpolated(self, start: Float, end: Float, share: Float) -> Float:
        """Return the configurations (M, 7) at shares (M,) of motions start[i] -> end[i]."""
        share = np.asarray(share, dtype=np.float64)
        place = start[..., :3] + share[..., None] * (end[..., :3] - start[..., :3])
        return np.concatenate([place, slerp(start[..., 3:], end[..., 3:], share)], axis=-1)

    def can_be_cut(self, start: Float, end: Float) -> Bool:
        """Return that all motions (M,) can be cut."""
        return np.ones(len(start), np.bool_)


def _turned(quaternion_wxyz: Float, angle: Float) -> Float:
    """Return a rotation (4,) followed by turns about z by angles (M,) [rad]."""
    zero = np.zeros_like(angle)
    turn = np.stack([np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)], axis=1)
    return _scaled(product(turn, np.broadcast_to(quaternion_wxyz, turn.shape)))


def _scaled(quaternion_wxyz: Float) -> Float:
    return quaternion_wxyz / np.linalg.norm(quaternion_wxyz, axis=1, keepdims=True)
