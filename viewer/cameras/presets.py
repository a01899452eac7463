"""Named cameras: ``iso``, ``top``, ``group``, ``follow:ROW``, ``first:ROW``."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Literal

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import unit
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import ALL, Cutaway
from rmp3d.viewer.cameras.sight import ClearView, before_obstacles
from rmp3d.viewer.playback.bounds import member_bounds, scene_bounds
from rmp3d.viewer.playback.playback import Playback, Pose

Ride = Literal["", "follow", "first", "group"]
NO_RIDE: tuple[Ride, int] = ("", -1)
NAMES = (
    "`iso`, `top`, `group`, or `follow:ROW` and `first:ROW` (through its eyes) with a member's "
    "row, such as `follow:0`"
)
ISO_ELEVATION = np.radians(52.0)
TURN = np.radians(18.0)  # off the axis that the longer side faces, so that depth shows
LOOK_AHEAD = 1.0  # [m] from an eye to what counts as the camera's target
FOLLOW_SECONDS = 0.8  # headings are averaged over this time, so that the camera does not jerk


def named_camera(name: str, playback: Playback, time: float, aspect: float) -> Camera:
    """Return the camera of a name at a moment.

    Args:
        name: ``iso`` all of the scene from above at a slant, ``top`` straight down, ``group``
            the members from nearby, ``follow:ROW`` behind one member, ``first:ROW`` through its
            eyes.
        playback: What is seen.
        time: When [s]; all but ``iso`` and ``top`` depend on it.
        aspect: Width of the picture over its height.

    Raises:
        InputError: No such name or member.
    """
    check_camera(name)
    if name == "iso":
        return iso(scene_bounds(playback), aspect)
    if name == "top":
        return replace(top(scene_bounds(playback), aspect), under_roof=ALL)
    if name == "group":
        return around_members(playback, time, aspect)
    kind, row = ride_of(name)
    if row >= playback.member_count:
        raise InputError(
            f"camera `{name}`: there are {playback.member_count} members, counted from 0"
        )
    return RIDES[kind](playback, time, row)


def check_camera(name: str) -> None:
    """Accept the name of a camera; whether there is its member is not asked.

    Raises:
        InputError: No such name.
    """
    if name not in ("iso", "top", "group") and ride_of(name) == NO_RIDE:
        raise InputError(f"no camera named `{name}`; use {NAMES}")


def ride_of(name: str) -> tuple[Ride, int]:
    """Return how a named camera rides, and with which member; nothing and -1 if it does not."""
    kind, _, row = name.partition(":")
    found = next((ride for ride in RIDES if ride == kind), None)
    return (found, int(row)) if found and row.isdigit() else NO_RIDE


def iso(bounds: Float, aspect: float) -> Camera:
    """Return a camera on all of a box (2, 3), slanted, the box's longer side across."""
    size = bounds[1] - bounds[0]
    azimuth = (-np.pi / 2 if size[0] >= size[1] else 0.0) + TURN
    return Camera(azimuth=azimuth, elevation=ISO_ELEVATION).fit(bounds, aspect)


def top(bounds: Float, aspect: float) -> Camera:
    """Return a camera straight above a box (2, 3): +x to the right, +y up, as on a map."""
    narrow = Camera(azimuth=-np.pi / 2, elevation=np.pi / 2, field_of_view=np.radians(20.0))
    return narrow.fit(bounds, aspect, margin=1.03)


def around_members(
    playback: Playback,
    time: float,
    aspect: float,
    clear: ClearView | None = None,
    members: Collection[int] = (),
) -> Camera:
    """Return a camera on the members at one moment, near enough to see each of them.

    Args:
        playback: What is seen.
        time: When [s].
        aspect: Width of the picture over its height.
        clear: Looks for a side from which walls hide few of them; made here if None.
        members: Rows of those that are looked at; all if empty.
    """
    pose = pose_of(playback, time, members)
    bounds = member_bounds(playback, pose)
    camera = iso(scene_bounds(playback), aspect).fit(bounds, aspect, margin=1.3)
    camera = replace(camera, under_roof=ALL)
    if playback.member_count == 0:
        return camera
    cut = Cutaway(playback).height(time)
    return (clear or ClearView(playback)).best(camera, pose, bounds, aspect, cut, time)


def pose_of(playback: Playback, time: float, members: Collection[int]) -> Pose:
    """Return the pose of some members at a moment [s], nobody else being there; all if empty."""
    pose = playback.pose(time)
    if not members:
        return pose
    wanted = np.isin(np.arange(playback.member_count), list(members))
    return replace(pose, there=pose.there & wanted)


def follow(playback: Playback, time: float, member: int) -> Camera:
    """Return a camera behind and above one member, looking where it heads."""
    low, high = playback.capsule_axis[member]
    size = high - low + 2.0 * playback.radius[member]
    heading = _heading(playback, time, member)
    return Camera(
        target=playback.pose(time).position[member] + [0.0, 0.0, (low + high) / 2.0],
        azimuth=float(np.arctan2(-heading[1], -heading[0])),
        elevation=np.radians(30.0),
        distance=4.2 * size,
        field_of_view=np.radians(50.0),
        under_roof=member,
    )


def first_person(playback: Playback, time: float, member: int) -> Camera:
    """Return a camera at the upper end of a member's body, looking where it heads."""
    heading = _heading(playback, time, member)
    eye = playback.pose(time).position[member] + [0.0, 0.0, playback.capsule_axis[member, 1]]
    return Camera(
        target=eye + LOOK_AHEAD * heading,
        azimuth=float(np.arctan2(-heading[1], -heading[0])),
        elevation=float(np.arcsin(np.clip(-heading[2], -1.0, 1.0))),
        distance=LOOK_AHEAD,
        field_of_view=np.radians(65.0),
    )


def _heading(playback: Playback, time: float, member: int) -> Float:
    """Return the unit direction (3,) of a member, calmed over some time around a moment."""
    turns = [
        playback.pose(time + shift).orientation_wxyz[member]
        for shift in np.linspace(-FOLLOW_SECONDS, FOLLOW_SECONDS, 9)
    ]
    mean = rotate(np.array(turns), np.array([[1.0, 0.0, 0.0]])).mean(axis=0)
    now = rotate(turns[4], np.array([1.0, 0.0, 0.0]))
    return unit(mean) if np.linalg.norm(mean) > 0.1 else now


def _follow_in_sight(playback: Playback, time: float, member: int) -> Camera:
    return before_obstacles(follow(playback, time, member), playback, time, member)


RIDES: dict[Ride, Callable[[Playback, float, int], Camera]] = {
    "follow": _follow_in_sight,
    "first": first_person,
}
