"""From where members are seen: lines of sight against the scene."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.cameras.standing import standing_in
from rmp3d.viewer.playback.playback import Playback, Pose

TURNS = np.radians([0.0, -35.0, 35.0, -75.0, 75.0, 180.0])
RAISES = np.radians([0.0, 14.0, 27.0])
TURN_COST, RAISE_COST = 0.12, 0.30  # of share seen, per radian: one view is kept if it will do
MOST_RAYS = 200  # members looked for in a crowd
STEPS_NEARER = 12  # distances at which a camera behind a member is tried
NEAREST = 0.25  # of the distance that is wanted: nearer, the member fills the picture
EYE_ROOM = 0.25  # [m] around an eye that is free of obstacles
LIFTS = np.radians([0.0, 25.0, 50.0, 75.0])  # by which a camera behind a member is raised
ENOUGH_SEEN = 0.6  # of the lines from a member to the eye: what is thin may stand between


class ClearView:
    """Chooses the side from which the scene hides few members; built once per playback.

    Attributes:
        scene: What may hide them.
    """

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self.scene, self._standing = playback.scene, standing_in(playback)

    def share_seen(
        self, camera: Camera, pose: Pose, cut: float = np.inf, time: float = 0.0
    ) -> float:
        """Return the share of members whose middle and top the camera sees past the scene.

        What is above the height ``cut`` [m] is not drawn and hides nothing; parts that move are
        where they are at a time [s].
        """
        playback = self._playback
        there = np.flatnonzero(pose.there)
        if len(there) == 0:
            return 1.0
        rows = there[np.unique(np.linspace(0, len(there) - 1, MOST_RAYS).astype(np.intp))]
        heights = playback.capsule_axis[rows] + [[0.0, 0.5]] * playback.radius[rows, None]
        points = np.repeat(pose.position[rows], 2, axis=0)
        points[0::2, 2] += heights.mean(axis=1)
        points[1::2, 2] += heights[:, 1]
        sight = camera.eye - points
        reach = np.linalg.norm(sight, axis=1)
        free = self._standing.reach(points, sight / reach[:, None], playback.clocks(time))
        above = points[:, 2] + free * sight[:, 2] / reach >= cut
        return float(np.mean((free >= reach) | above))

    def best(
        self,
        camera: Camera,
        pose: Pose,
        bounds: Float,
        aspect: float,
        cut: float = np.inf,
        time: float = 0.0,
    ) -> Camera:
        """Return the camera, turned and raised no more than seeing the members is worth.

        Args:
            camera: The one that is wanted; kept if it sees them.
            pose: Where members are.
            bounds: (2, 3) box that is to fill the picture.
            aspect: Width of the picture over its height.
            cut: As in `share_seen`.
            time: As there [s].
        """
        tries = []
        for turn in TURNS:
            for lift in RAISES:
                elevation = min(camera.elevation + lift, np.pi / 2)
                turned = replace(camera, azimuth=camera.azimuth + turn, elevation=elevation)
                fitted = turned.fit(bounds, aspect, margin=1.3)
                cost = TURN_COST * abs(turn) + RAISE_COST * (elevation - camera.elevation)
                tries.append((self.share_seen(fitted, pose, cut, time) - cost, fitted))
        return max(tries, key=lambda each: each[0])[1]


def has_room(playback: Playback, eye: Float, cut: float = np.inf, time: float = 0.0) -> bool:
    """Return whether an eye (3,) [m] is free of the scene, of which nothing is above ``cut``."""
    gap = standing_in(playback).gap(eye[None], playback.clocks(time), EYE_ROOM)
    return bool(gap[0] >= EYE_ROOM or eye[2] >= cut)


def before_obstacles(
    camera: Camera, playback: Playback, time: float, member: int, least: float = 0.0
) -> Camera:
    """Return a camera brought so near to a member that neither tree nor rock is before it.

    Of distances from the one that is wanted down to a quarter, the largest is taken at which the
    eye has room and most of five lines from the member to it are free. Where there is none, as
    behind the corner of a hedge, the same is tried from higher up; the wanted one is kept if that
    does not help.

    Args:
        camera: Its target is the member.
        playback: What is seen.
        time: When [s].
        member: Its row.
        least: By which angle it is raised at least [rad].
    """
    cut = np.inf if camera.under_roof is None else Cutaway(playback).height(time, member)
    for lift in (least, *LIFTS[LIFTS > least]):
        raised = replace(camera, elevation=min(camera.elevation + lift, 0.5 * np.pi))
        nearer = _nearer(raised, playback, time, member, cut)
        if nearer is not None:
            return nearer
    return replace(camera, elevation=min(camera.elevation + least, 0.5 * np.pi))


def _nearer(
    camera: Camera, playback: Playback, time: float, member: int, cut: float
) -> Camera | None:
    """Return the camera as far away as it sees a member, as of `before_obstacles`, if it can."""
    standing, clocks = standing_in(playback), playback.clocks(time)
    shares = np.linspace(1.0, NEAREST, STEPS_NEARER)
    low, high = playback.capsule_axis[member]
    radius, right, up = playback.radius[member], camera.axes[0], np.array([0.0, 0.0, 1.0])
    half = 0.5 * (high - low)
    offsets = np.array([0.0 * up, half * up, -0.5 * half * up, radius * right, -radius * right])
    eyes = camera.target + (shares * camera.distance)[:, None] * camera.axes[2]  # (S, 3)
    starts = np.tile(camera.target + offsets, (STEPS_NEARER, 1))  # (5 S, 3)
    sight = np.repeat(eyes, len(offsets), axis=0) - starts
    reach = np.linalg.norm(sight, axis=1)
    free = standing.reach(starts, sight / reach[:, None], clocks)
    above = starts[:, 2] + free * sight[:, 2] / reach >= cut
    seen = ((free >= reach) | above).reshape(STEPS_NEARER, -1).mean(axis=1) >= ENOUGH_SEEN
    gap = standing.gap(eyes, clocks, EYE_ROOM)
    roomy = (gap >= EYE_ROOM) | (eyes[:, 2] >= cut)
    good = np.flatnonzero(seen & roomy)
    return camera.zoomed(float(shares[good[0]])) if len(good) else None
