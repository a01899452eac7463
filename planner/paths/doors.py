"""Doors on a way: where a vehicle just fits through, with a straight run before and behind."""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.paths.polyline import stations
from rmp3d.planner.spaces.ground_heading import GroundHeadingSpace, heading_angle, posed

# A place is a door if the vehicle has less room than this to each side [m].
DOOR = 0.16
# A way is looked at so densely, times the body's reach, at so many places most.
DENSE, MOST = 0.1, 1500
# Headings tried, up to so far from that of the way [rad], and places aside, up to so many half
# widths; then again around the best, in a grid so much smaller, so many times.
SLANT, ASIDE, FINER, ROUNDS = 1.3, 0.5, 2.5, 8
HEADINGS, PLACES = 15, 7
# From this round on, the room is that on the straight line through the pose, at these shares of
# the reach before and behind: what is in a thin wall says little about the heading.
STRAIGHT, SHARES = 3, np.array([-0.9, -0.45, 0.0, 0.45, 0.9])
# A pose of equal room is taken if it is nearer to the way: what a whole half width or turn costs
# [m].
LATE = 1e-6
# Poses on the straight line through a door: the body is before or behind it by so much of its
# reach, and by these shares of the turn radius more.
CLEAR_OF, RUN_UP = 1.25, np.array([0.0, 0.5, 1.0, 1.5])
# The line is tested at places so far apart, times the reach.
TESTED = 0.2


class DoorPoses(NamedTuple):
    """Poses of a vehicle on the straight line through a door, in the order of the way.

    Attributes:
        before: (B, 7), the farthest first, and
        behind: (A, 7), the nearest first; nothing but the door is between the last and the first.
        place: Arc length [m] of the door on the way, and
        station: (B + A,) of the poses.
        room: To each side [m].
    """

    before: Float
    behind: Float
    place: float
    station: Float
    room: float

    @property
    def poses(self) -> Float:
        """(B + A, 7) all of them."""
        return np.concatenate([self.before, self.behind])


def doors_along(space: GroundHeadingSpace, points: Float, most: int = MOST) -> list[DoorPoses]:
    """Return the doors on a way in its order, at most so many, the narrowest.

    A door leaves a vehicle that just fits through a few centimeters and degrees; a way of its
    widest part passes it anywhere and aslant. Of a grid of places and headings around that way the
    pose with the most room is taken, again and again in finer grids. The vehicle drives straight to
    it and on.

    Args:
        space: Where the vehicle drives.
        points: (K, 3) on the surface [m], K >= 1; they may be where the vehicle just cannot be.
        most: Doors looked for.
    """
    along = stations(points)
    if along[-1] <= 0.0:
        return []
    count = int(np.clip(np.ceil(along[-1] / (DENSE * space.reach)), 1, MOST)) + 1
    dense = np.linspace(0.0, along[-1], count)
    way = _at(points, along, dense)
    room = space.ground.world.clearance(way, DOOR)
    rows = _narrow(room, max(1, round(space.reach / dense[1])), most)
    if len(rows) == 0:
        return []
    chord = _at(points, along, dense[rows] + space.reach) - _at(
        points, along, dense[rows] - space.reach
    )
    poses, room = _in_the_middle(space, way[rows], np.arctan2(chord[:, 1], chord[:, 0]))
    passable = (room > space.world.tolerance) & (room < DOOR)
    found = [
        _door(space, poses[row], float(dense[rows[row]]), float(room[row]))
        for row in np.flatnonzero(passable).tolist()
    ]
    return [door for door in found if len(door.before) and len(door.behind)]


def _at(points: Float, along: Float, station: Float) -> Float:
    return np.column_stack([np.interp(station, along, points[:, axis]) for axis in range(3)])


def _narrow(room: Float, near: int, most: int) -> Index:
    """Return the rows of the narrowest places, more than ``near`` rows apart, in order."""
    found: list[int] = []
    for row in np.argsort(room, kind="stable").tolist():
        if room[row] >= DOOR or len(found) == most:
            break
        if all(abs(row - other) > near for other in found):
            found.append(row)
    return np.sort(np.array(found, np.intp))


def _in_the_middle(space: GroundHeadingSpace, point: Float, angle: Float) -> tuple[Float, Float]:
    """Return the poses (D, 7) with the most room around points (D, 3) and headings; and the room.

    Args:
        space: Where the vehicle drives.
        point: [m].
        angle: (D,) in plan [rad].
    """
    turn: Float = np.repeat(np.linspace(-SLANT, SLANT, HEADINGS), PLACES)
    far: Float = np.tile(np.linspace(-ASIDE, ASIDE, PLACES), HEADINGS)
    late = LATE * (np.abs(turn) / SLANT + np.abs(far) / ASIDE)
    far = far * space.world.body.half_width
    point, _ = space.surface.locate(point, 0.1, 0.1)
    size, first = len(turn), len(turn) * np.arange(len(point))
    for number in range(ROUNDS):
        own = (angle[:, None] + turn).ravel()
        aside = np.tile(far, len(angle))[:, None] * np.column_stack(
            [-np.sin(own), np.cos(own), np.zeros(len(own))]
        )
        moved, arrived = space.ground.move(np.repeat(point, size, axis=0), aside)
        along = space.reach * (SHARES if number >= STRAIGHT else np.zeros(1))
        room = np.where(arrived, _room(space, posed(moved, own), along), -np.inf)
        best = (room - np.tile(late, len(angle))).reshape(-1, size).argmax(axis=1) + first
        point, angle, room = moved[best], own[best], room[best]
        turn, far = turn / FINER, far / FINER
    return posed(point, angle), room


def _room(space: GroundHeadingSpace, poses: Float, along: Float) -> Float:
    """Return the least room (M,) [m] on lines straight through poses (M, 7), at places (P,) [m]."""
    every = np.repeat(poses, len(along), axis=0)
    lined, arrived = _moved_ahead(space, every, np.tile(along, len(poses)))
    room = np.where(arrived, space.world.clearance(lined, DOOR), -np.inf)
    least: Float = room.reshape(len(poses), len(along)).min(axis=1)
    return least


def _door(space: GroundHeadingSpace, pose: Float, place: float, room: float) -> DoorPoses:
    """Return the door with what is free of the line through a pose (7,) in it."""
    step = TESTED * space.reach
    far = CLEAR_OF * space.reach + RUN_UP * space.turn_radius
    count = int(np.ceil(far[-1] / step))
    along = step * np.arange(-count, count + 1, dtype=np.float64)
    poses, free = _on_line(space, pose, along)
    blocked = along[~free]
    low = blocked[blocked <= 0.0].max(initial=-np.inf)
    high = blocked[blocked > 0.0].min(initial=np.inf)
    both: Float = np.concatenate([-far[::-1], far])
    ends = both[(low < both) & (both < high)]
    poses, free = _on_line(space, pose, ends)
    ends, poses = ends[free], poses[free]
    return DoorPoses(poses[ends < 0.0], poses[ends > 0.0], place, place + ends, room)


def _on_line(space: GroundHeadingSpace, pose: Float, along: Float) -> tuple[Float, Bool]:
    """Return poses (P, 7) straight ahead of a pose and behind, by (P,) [m]; which are free."""
    poses, arrived = _moved_ahead(space, np.repeat(pose[None], len(along), axis=0), along)
    return poses, arrived & space.is_free(poses)


def _moved_ahead(space: GroundHeadingSpace, poses: Float, along: Float) -> tuple[Float, Bool]:
    """Return poses (M, 7) moved straight ahead by (M,) [m], and which arrive there."""
    angle = heading_angle(poses)
    ahead = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
    point, arrived = space.ground.move(poses[:, :3], along[:, None] * ahead)
    return posed(point, angle), arrived
