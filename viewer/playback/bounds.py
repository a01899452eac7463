"""How far what is seen reaches, and how far above the ground lines on it are drawn."""

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.viewer.playback.playback import Playback, Pose

LIFT = 0.04
"""Lines on the ground are drawn this far above it [m]."""
LIFTED = frozen([0.0, 0.0, LIFT])


def scene_bounds(playback: Playback) -> Float:
    """Return the corners (2, 3) [m] of what is looked at: members, paths, parts within the bounds.

    Of a part, that is the share of its box in the scene's bounds. What is far outside them is
    drawn, but no camera goes so far away that it is seen, too.
    Of frames that are read when they are looked at, the members are the first one's.
    """
    least, most = playback.scene.bounds
    shares = [
        np.array([np.maximum(low, least), np.minimum(high, most)]) for low, high in _parts(playback)
    ]
    boxes = [*_moving(playback), *(each for each in shares if (each[0] <= each[1]).all())]
    return _around(boxes or _parts(playback))


def whole_bounds(playback: Playback) -> Float:
    """Return the corners (2, 3) [m] of all that is seen: parts wherever they are, members, paths.

    Of frames that are read when they are looked at, the members are the first one's.
    """
    return _around([*_parts(playback), *_moving(playback)])


def drawn_bounds(playback: Playback) -> Float:
    """Return the corners (2, 3) [m] of all that is ever seen: also where moving parts come.

    A camera shows `scene_bounds`; pictures, and the shadows in them, reach as far as this.
    """
    boxes = [whole_bounds(playback)]
    for part in playback.scene.parts:
        if part.motion is not None:
            boxes.append(part.motion.reached(part.mesh.bounds))
    return _around(boxes)


def _parts(playback: Playback) -> list[Float]:
    return [part.mesh.bounds for part in playback.scene.parts]


def _moving(playback: Playback) -> list[Float]:
    frames = playback.position if playback.loader is None else playback.position[:1]
    points = [np.reshape(frames, (-1, 3)), *playback.paths]
    return [np.array([each.min(axis=0), each.max(axis=0)]) for each in points if len(each)]


def _around(boxes: list[Float]) -> Float:
    return frozen([np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)])


def member_bounds(playback: Playback, pose: Pose) -> Float:
    """Return the corners (2, 3) [m] of the members' bounding capsules; the scene's if none."""
    if playback.member_count == 0:
        return scene_bounds(playback)
    seen = pose.there if pose.there.any() else np.ones_like(pose.there)
    low, high = pose.position[seen], pose.position[seen]
    low[:, 2] += playback.capsule_axis[seen, 0]
    high[:, 2] += playback.capsule_axis[seen, 1]
    reach = playback.radius[seen, None]
    return np.array([(low - reach).min(axis=0), (high + reach).max(axis=0)])


def feet(playback: Playback, pose: Pose) -> Float:
    """Return the lowest points (N, 3) of members' capsules, a little above the ground [m]."""
    low = playback.capsule_axis[:, 0] - playback.radius
    return pose.position + np.column_stack([np.zeros((len(low), 2)), low + LIFT])


def lift(playback: Playback, group: int) -> Float:
    """Return how far (3,) [m] what belongs to a group is drawn above its place, off the ground.

    What is carried is not near the ground, and may be small: it is drawn in its place.
    """
    members = playback.members(group)
    kinds = playback.character_of[members]
    carried = all(playback.characters[kind].vehicle == "carried" for kind in kinds)
    return frozen(np.zeros(3)) if carried and len(members) else LIFTED


def group_radius(playback: Playback, group: int) -> float:
    """Return the radius of the largest member of a group [m]."""
    radii = playback.radius[playback.members(group)]
    return float(radii.max()) if len(radii) else 0.3
