"""Named cameras over time, moving evenly: what a film is shot with."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import ALL, Cutaway
from rmp3d.viewer.cameras.presets import first_person, follow, iso, named_camera, ride_of
from rmp3d.viewer.cameras.sight import RAISES, TURNS, ClearView, before_obstacles
from rmp3d.viewer.playback.bounds import member_bounds, scene_bounds
from rmp3d.viewer.playback.playback import Playback

STEP = 0.25  # [s] between the moments at which members are looked for
CALM = 2.0  # [s] over which the camera's motion is smoothed
APPROACH, EASE = 2.0, 0.6
"""How fast [m/s] a camera behind a member comes nearer, and within what time [s] that begins."""
RAISING = np.radians(40.0)  # how fast [rad/s] one is raised to look over something
TURNING = 0.9  # [s] over which turns behind a member are smoothed
SIGHT_CHECKS = 12  # moments at which sides are compared
RAISE_COST, TURN_COST = 0.30, 0.12  # of share seen, per radian, as for single pictures
NEAREST = 14.0  # radii of the largest member


def camera_path(name: str, playback: Playback, times: Float, aspect: float) -> list[Camera]:
    """Return the camera of a name at each time.

    Args:
        name: See `viewer.cameras.presets.named_camera`; ``iso`` and ``top`` stand still,
        ``group`` keeps
            all members in the picture from one side, ``follow:ROW`` and ``first:ROW`` go with one.
        playback: What is seen.
        times: (M,) [s], increasing.
        aspect: Width of the picture over its height.

    Raises:
        InputError: No such name or member.
    """
    if name == "group" and playback.member_count:
        return _with_members(playback, times, aspect)
    first = named_camera(name, playback, float(times[0]), aspect)
    if name in ("iso", "top", "group"):
        return [first] * len(times)
    ride, member = ride_of(name)
    if ride == "first":
        return [first_person(playback, float(time), member) for time in times]
    return _behind(playback, member, times)


def _behind(playback: Playback, member: int, times: Float) -> list[Camera]:
    """Return cameras behind a member: they turn, rise and come nearer evenly, and in time."""
    cameras = [follow(playback, float(time), member) for time in times]
    azimuth = calmed_turns(np.array([camera.azimuth for camera in cameras]), times, TURNING)
    cameras = [
        replace(camera, azimuth=float(turn)) for camera, turn in zip(cameras, azimuth, strict=True)
    ]
    found = _before_obstacles(cameras, playback, member, times, np.zeros(len(times)))
    needed = np.array([b.elevation - a.elevation for a, b in zip(cameras, found, strict=True)])
    lift = -approached(-needed, times, RAISING, EASE)
    found = _before_obstacles(cameras, playback, member, times, lift)
    distance = approached(np.array([each.distance for each in found]), times, APPROACH, EASE)
    return [
        replace(camera, elevation=camera.elevation + float(up), distance=float(far))
        for camera, up, far in zip(cameras, lift, distance, strict=True)
    ]


def _before_obstacles(
    cameras: list[Camera], playback: Playback, member: int, times: Float, lift: Float
) -> list[Camera]:
    """Return cameras before what would hide the member, raised by ``lift`` (M,) at least [rad]."""
    return [
        before_obstacles(camera, playback, float(time), member, float(least))
        for camera, time, least in zip(cameras, times, lift, strict=True)
    ]


def calmed_turns(azimuth: Float, times: Float, calm: float) -> Float:
    """Return azimuths (M,) [rad] that turn evenly, however others (M,) change.

    Each turn is through the smaller angle, and is spread over time by a normal law.

    Args:
        azimuth: (M,) [rad].
        times: (M,) [s], evenly apart.
        calm: Standard deviation of the normal law [s].
    """
    from scipy.ndimage import gaussian_filter1d  # half a second to import

    step = (times[-1] - times[0]) / max(len(times) - 1, 1)
    turned = np.unwrap(azimuth)
    return gaussian_filter1d(turned, calm / step, mode="nearest") if step > 0.0 else turned


def approached(distance: Float, times: Float, pace: float, ease: float) -> Float:
    """Return distances (M,) that are never above others, and change only so fast.

    Of all functions with that slope that are not above the given one it is the largest, with its
    corners rounded: d(t) = min over s of distance(s) + pace |t - s|.

    Args:
        distance: (M,) largest distances [m].
        times: (M,) [s], evenly apart.
        pace: Largest slope [m/s].
        ease: Time [s] over which corners are rounded.
    """
    from scipy.ndimage import gaussian_filter1d, minimum_filter1d  # half a second to import

    step = (times[-1] - times[0]) / max(len(times) - 1, 1)
    if step <= 0.0:
        return distance
    count = int(np.ceil(ease / step))
    near = minimum_filter1d(distance, 2 * count + 1, mode="nearest")
    way = pace * (times - times[0])
    before = np.minimum.accumulate(near - way) + way
    after = np.minimum.accumulate((near + way)[::-1])[::-1] - way
    sharp = np.minimum(before, after)
    # The rounded one is above it by no more than `ease` gained.
    return np.minimum(gaussian_filter1d(sharp, 0.5 * ease / step, mode="nearest"), distance)


def _with_members(playback: Playback, times: Float, aspect: float) -> list[Camera]:
    """Return cameras of one direction whose target and distance go with the members."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d  # half a second to import

    count = max(int(np.ceil((times[-1] - times[0]) / STEP)) + 1, 2)
    moments = np.linspace(times[0], times[-1], count)
    boxes = [member_bounds(playback, playback.pose(float(time))) for time in moments]
    direction = _clearest(playback, moments, boxes, aspect)
    fitted = [direction.fit(box, aspect, margin=1.3) for box in boxes]
    least = NEAREST * float(playback.radius.max())
    distance = np.maximum([camera.distance for camera in fitted], least)
    target = np.array([camera.target for camera in fitted])
    calm = CALM * (count - 1) / max(moments[-1] - moments[0], STEP)  # in moments
    wide = maximum_filter1d(distance, 2 * int(calm) + 1, mode="nearest")  # before it is needed
    distance = gaussian_filter1d(wide, calm / 2.0, mode="nearest")
    target = gaussian_filter1d(target, calm / 2.0, axis=0, mode="nearest")
    at = [np.interp(times, moments, values) for values in (distance, *target.T)]
    return [
        replace(direction, target=np.array([x, y, z]), distance=float(far))
        for far, x, y, z in zip(*at, strict=True)
    ]


def _clearest(playback: Playback, moments: Float, boxes: list[Float], aspect: float) -> Camera:
    """Return the overview camera, turned and raised to where the scene hides members least."""
    wanted = replace(iso(scene_bounds(playback), aspect), under_roof=ALL)
    clear, cutaway = ClearView(playback), Cutaway(playback)
    rows = np.unique(np.linspace(0, len(moments) - 1, SIGHT_CHECKS).astype(np.intp))
    poses = [playback.pose(float(moments[row])) for row in rows]
    cuts = [cutaway.height(float(moments[row])) for row in rows]
    best, most = wanted, -np.inf
    for turn in TURNS:
        for lift in RAISES:
            elevation = min(wanted.elevation + lift, np.pi / 2)
            camera = replace(wanted, azimuth=wanted.azimuth + turn, elevation=elevation)
            seen = [
                clear.share_seen(
                    camera.fit(boxes[row], aspect, margin=1.3), pose, cut, float(moments[row])
                )
                for row, pose, cut in zip(rows, poses, cuts, strict=True)
            ]
            cost = TURN_COST * abs(turn) + RAISE_COST * (elevation - wanted.elevation)
            if np.mean(seen) - cost > most:
                best, most = camera, float(np.mean(seen) - cost)
    return best
