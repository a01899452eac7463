"""Named cameras over time, moving evenly: what a film is shot with."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import ALL, Cutaway
from rmp3d.viewer.cameras.presets import iso, named_camera
from rmp3d.viewer.cameras.sight import RAISES, TURNS, ClearView
from rmp3d.viewer.playback.bounds import member_bounds, scene_bounds
from rmp3d.viewer.playback.playback import Playback

STEP = 0.25  # [s] between the moments at which members are looked for
CALM = 2.0  # [s] over which the camera's motion is smoothed
APPROACH, EASE = 2.0, 0.6
"""How fast [m/s] a camera behind a member comes nearer, and within what time [s] that begins."""
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
    cameras = [named_camera(name, playback, float(time), aspect) for time in times]
    return _calmed(cameras, times) if name.startswith("follow") else cameras


def _calmed(cameras: list[Camera], times: Float) -> list[Camera]:
    """Return cameras that come nearer before something is in the way, evenly, and leave so."""
    distance = np.array([camera.distance for camera in cameras])
    slow = approached(distance, times, APPROACH, EASE)
    return [replace(each, distance=float(far)) for each, far in zip(cameras, slow, strict=True)]


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
