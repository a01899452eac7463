"""How feet go: flat on the ground, over the ball, through the air; and how the legs follow them.

A step is from one place on the ground to the next. The knee follows from the lengths of the bones
(two-bone inverse kinematics, the law of cosines).
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length, unit
from rmp3d.models.skeleton import LegJoints, Skeleton

HEEL_OFF, TOE_UP = 0.62, 0.3
"""How far the heel is up at the end of a stride, and the toes at its begin, at a walk [rad]."""
FLAT_FROM, FLAT_TO = 0.16, 0.55
"""Shares of the time on the ground between which the whole foot is."""
LIFT = 0.05
"""How high a foot goes over the straight way from one place to the next, per meter of leg."""
STRETCHED = 0.999
"""Most of the length of a leg that is used: a straight one would snap."""
LOWEST = 0.22
"""Most of the length of a leg by which a body is lowered where a leg is too short."""
ALMOST_STRAIGHT = 2e-3
"""A knee nearer [m] to the line from hip to ankle in the rest pose says nothing of its sense."""


def smooth(share: Float) -> Float:
    """Return shares (...) eased at both ends: 3 s^2 - 2 s^3, and 0 or 1 outside."""
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def foot_pitch(swing: Float, stance: Float, stride: Float) -> Float:
    """Return how far feet (n,) are tipped [rad]: positive on the ball, negative on the heel.

    Args:
        swing: (n,) share of the way through the air; below 0 on the ground.
        stance: (n,) share of the time on the ground.
        stride: (n,) 0 for feet that stay, 1 for those of a walk.
    """
    landing = -TOE_UP * (1.0 - smooth(stance / FLAT_FROM))
    leaving = HEEL_OFF * smooth((stance - FLAT_TO) / (1.0 - FLAT_TO))
    flying = HEEL_OFF * (1.0 - smooth(swing / 0.55)) - TOE_UP * smooth(2.0 * swing - 1.0)
    return stride * np.where(swing >= 0.0, flying, landing + leaving)


def foot_place(start: Float, end: Float, swing: Float, lift: Float) -> Float:
    """Return places (n, 3) of flat feet on their way from one place (n, 3) to the next.

    Args:
        start: Where it was [m].
        end: Where it will be [m].
        swing: (n,) share of the way, of the time; below 0 it stands at `start`.
        lift: (n,) height [m] over the straight way.
    """
    swing = np.maximum(swing, 0.0)
    found = start + smooth(swing)[:, None] * (end - start)
    # Up a stair the foot first goes up and then ahead, down a stair it first goes ahead.
    rise = end[:, 2] - start[:, 2]
    early = np.where(rise > 0.0, smooth(1.7 * swing), smooth(1.7 * swing - 0.7))
    found[:, 2] = start[:, 2] + rise * early + lift * 4.0 * swing * (1.0 - swing)
    return found


def lift_of(reach: float) -> float:
    """Return how high feet of legs of a length [m] are lifted [m]."""
    return LIFT * reach


def ankle(
    place: Float, yaw: Float, pitch: Float, leg: LegJoints, height: float
) -> tuple[Float, Float]:
    """Return where ankles are (n, 3) [m] and how feet are turned (n, 3, 3).

    Args:
        place: (n, 3) of the flat feet, below the ankle [m].
        yaw: (n,) of the feet [rad].
        pitch: (n,) as of `foot_pitch`.
        leg: Whose feet they are.
        height: Of the ankle over the sole [m].
    """
    c, s, zero, one = np.cos(pitch), np.sin(pitch), 0.0 * pitch, np.ones_like(pitch)
    tipped = np.stack([c, zero, s, zero, one, zero, -s, zero, c], -1).reshape(-1, 3, 3)
    c, s = np.cos(yaw), np.sin(yaw)
    turned = np.stack([c, -s, zero, s, c, zero, zero, zero, one], -1).reshape(-1, 3, 3)
    pivot = np.where(pitch >= 0.0, leg.ball, -leg.heel)[:, None] * np.array([1.0, 0.0, 0.0])
    foot = turned @ tipped
    raised = np.array([0.0, 0.0, height]) - pivot
    return place + np.einsum("nab,nb->na", turned, pivot) + np.einsum(
        "nab,nb->na", foot, raised
    ), foot


class TwoBones:
    """The two bones of a leg, in the rest pose of its skeleton.

    Attributes:
        leg: Its joints.
        reach: From the hip to the ankle at most [m].
    """

    def __init__(self, skeleton: Skeleton, leg: LegJoints) -> None:
        self.leg = leg
        hip, knee, foot = (skeleton.position[row] for row in (leg.upper, leg.lower, leg.foot))
        self._thigh, self._shin = knee - hip, foot - knee
        self._long = float(length(self._thigh[None])[0]), float(length(self._shin[None])[0])
        self.reach = STRETCHED * sum(self._long)
        line = unit((foot - hip)[None])[0]
        bent = self._thigh - (self._thigh @ line) * line
        if float(np.linalg.norm(bent)) < ALMOST_STRAIGHT:
            bent = np.array([1.0, 0.0, 0.0])
        self._bend = bent / np.linalg.norm(bent)
        self._hinge = unit(np.cross(line, self._bend)[None])[0]

    def solved(self, hip: Float, foot: Float, pelvis: Float) -> tuple[Float, Float, Float]:
        """Return how the bones are turned, (n, 3, 3) each, and where the ankle is (n, 3) [m].

        Args:
            hip: (n, 3) where the leg begins [m].
            foot: (n, 3) where the ankle shall be; as near as it can be if that is too far.
            pelvis: (n, 3, 3) how what the leg hangs on is turned: the knee bends in its sense.
        """
        a, b = self._long
        way = foot - hip
        far = np.maximum(length(way), 1e-9)
        along = way / far[:, None]
        far = np.clip(far, abs(a - b) + 1e-3, self.reach)
        bend = pelvis @ self._bend
        bend = unit(bend - np.einsum("na,na->n", bend, along)[:, None] * along)
        share = np.clip((a * a + far * far - b * b) / (2.0 * a * far), -1.0, 1.0)
        knee = a * (share[:, None] * along + np.sqrt(1.0 - share * share)[:, None] * bend)
        end = far[:, None] * along
        hinge = np.cross(along, bend)
        return (
            _turn(self._thigh, self._hinge, knee, hinge),
            _turn(self._shin, self._hinge, end - knee, hinge),
            hip + end,
        )


def _turn(bone: Float, hinge: Float, turned: Float, turned_hinge: Float) -> Float:
    """Return rotations (n, 3, 3) of a bone and its hinge (3,) into others (n, 3)."""
    return _axes(turned, turned_hinge) @ _axes(bone[None], hinge[None]).transpose(0, 2, 1)


def _axes(bone: Float, hinge: Float) -> Float:
    first = unit(bone)
    third = unit(hinge - np.einsum("na,na->n", hinge, first)[:, None] * first)
    return np.stack([first, np.cross(third, first), third], axis=-1)


def standing(
    skeleton: Skeleton,
    bones: Sequence[TwoBones],
    rotation: Float,
    root: Float,
    ankles: Float,
    feet: Float,
    bearing: Float,
) -> tuple[Float, Float]:
    """Return poses whose legs reach their feet: rotations (N, J, 3, 3) and roots (N, 3) [m].

    Where a leg that bears is too short, the whole body is lowered.

    Args:
        skeleton: Of the poses.
        bones: Of L legs.
        rotation: (N, J, 3, 3) of the joints relative to their parents.
        root: (N, 3) displacement of the root [m].
        ankles: (L, N, 3) where the ankles shall be, body frame [m].
        feet: (L, N, 3, 3) how the feet shall be turned there.
        bearing: (L, N) share of the weight that may be on a leg, 0 to 1.
    """
    turn, place = skeleton.posed(rotation, root)
    drop = np.zeros(len(root))
    for own, goal, share in zip(bones, ankles, bearing, strict=True):
        way = place[:, own.leg.upper] - goal
        aside = np.minimum((way[:, :2] ** 2).sum(axis=1), (0.98 * own.reach) ** 2)
        drop = np.maximum(drop, share * (way[:, 2] - np.sqrt(own.reach**2 - aside)))
    root = root - np.minimum(drop, LOWEST * bones[0].reach)[:, None] * np.array([0.0, 0.0, 1.0])
    place = place + (root - (place[:, 0] - skeleton.position[0]))[:, None]
    rotation = rotation.copy()
    for own, goal, foot in zip(bones, ankles, feet, strict=True):
        leg = own.leg
        above = turn[:, skeleton.parents[leg.upper]]
        upper, lower, _ = own.solved(place[:, leg.upper], goal, above)
        for row, outer, inner in (
            (leg.upper, above, upper), (leg.lower, upper, lower), (leg.foot, lower, foot),
        ):  # fmt: skip
            rotation[:, row] = outer.transpose(0, 2, 1) @ inner
    return rotation, root
