"""What is drawn beside scene and characters, and the lines of each layer at a moment."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from geometry.arrays import Float, frozen
from geometry.rotations import rotate
from viewer import lines
from viewer.palette import AXES, GOAL, SELECTED, START, group_color
from viewer.playback import Playback, Pose

LIFT = 0.04  # [m] lines on the ground are drawn this far above it
LIFTED = frozen([0.0, 0.0, LIFT])
TRAIL_SECONDS = 6.0
TRAIL_SEGMENTS = 20_000  # in all; long trails of large crowds get coarser


@dataclass(frozen=True, kw_only=True)
class Layers:
    """Which layers are on.

    Attributes:
        path: The planned path of each group.
        trails: Where members have been in the last seconds.
        subgoals: What each member wants now, joined to it by a thin line.
        regions: Start and goal of each group.
        markers: A ring of its group's color at each member's feet.
        hidden: Members behind walls shine through.
        shadows: Shadows of the sun.
        grid: A level grid and the axes.
        wireframe: The scene as edges.
    """

    path: bool = True
    trails: bool = False
    subgoals: bool = False
    regions: bool = True
    markers: bool = True
    hidden: bool = True
    shadows: bool = True
    grid: bool = False
    wireframe: bool = False

    def toggled(self, name: str) -> "Layers":
        """Return the layers with one switched."""
        return replace(self, **{name: not getattr(self, name)})


def scene_bounds(playback: Playback) -> Float:
    """Return the corners (2, 3) [m] of all that is seen: parts, members, paths."""
    boxes = [part.mesh.bounds for part in playback.scene.parts]
    points = [playback.position.reshape(-1, 3), *playback.paths]
    boxes += [np.array([each.min(axis=0), each.max(axis=0)]) for each in points if len(each)]
    return frozen([np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)])


def member_bounds(playback: Playback, pose: Pose) -> Float:
    """Return the corners (2, 3) [m] of the members' bounding capsules; the scene's if none."""
    if playback.member_count == 0:
        return scene_bounds(playback)
    low, high = pose.position.copy(), pose.position.copy()
    low[:, 2] += playback.spine[:, 0]
    high[:, 2] += playback.spine[:, 1]
    reach = playback.radius[:, None]
    return np.array([(low - reach).min(axis=0), (high + reach).max(axis=0)])


def static_lines(playback: Playback, layers: Layers) -> NDArray[np.float32]:
    """Return the line rows that do not change with time: path, regions, grid."""
    rows = [lines.NO_LINES]
    if layers.grid:
        bounds = scene_bounds(playback)
        size = 0.12 * float(np.max(bounds[1] - bounds[0]))
        rows += [lines.grid(bounds, LIFT), lines.axes(np.array([0, 0, LIFT]), size, AXES)]
    if layers.regions:
        for region, color in start_and_goal(playback):
            rows.append(lines.region_outline(region, color))
    if layers.path:
        for group, path in enumerate(playback.paths):
            if len(path) < 2:
                continue
            lifted = path + LIFTED
            color = group_color(group)
            size = 0.6 * float(_group_radius(playback, group))
            rows.append(lines.polyline(lifted, color, 3.0, 0.85))
            rows.append(lines.arrow_heads(lifted, color, 8.0 * size, size))
    return np.concatenate(rows)


def moving_lines(
    playback: Playback, time: float, pose: Pose, layers: Layers, selected: int = -1
) -> NDArray[np.float32]:
    """Return the line rows of one moment: trails, subgoals, rings at members' feet."""
    rows = [lines.NO_LINES]
    colors = group_color(playback.group_of)
    if layers.trails:
        rows.append(lines.trails(_recent(playback, time, pose), colors))
    if layers.subgoals and playback.subgoal is not None:
        subgoal = playback.subgoal[playback.frame_at(time)[0]] + LIFTED
        rows.append(lines.crosses(subgoal, colors, 0.35))
        rows.append(lines.segments(pose.position, subgoal, colors, 1.2, (0.55, 0.55)))
    if layers.markers and playback.member_count:
        rows.append(_markers(playback, pose, colors))
    if selected >= 0:
        at = _feet(playback, pose)[selected : selected + 1]
        radius = 1.35 * playback.radius[selected : selected + 1]
        rows.append(lines.rings(at, radius, SELECTED[None], width=4.0))
    return np.concatenate(rows)


def start_and_goal(playback: Playback) -> list[tuple]:
    """Return (region, color) of the regions where groups' paths start and end.

    Recordings do not name them; a region is a group's start if the group's path begins in it,
    its goal if the path ends in it. A group without a path gives its members' first places.
    """
    found = {}
    for group in range(len(playback.group_names)):
        path = playback.paths[group] if playback.paths else np.empty((0, 3))
        if len(path) == 0:
            path = playback.position[0, playback.members(group)].mean(axis=0, keepdims=True)
        ends = [(path[0], START)] + ([(path[-1], GOAL)] if len(path) > 1 else [])
        for point, color in ends:
            inside = [r for r in playback.scene.regions.values() if r.contains(point[None])[0]]
            if inside:
                smallest = min(inside, key=lambda region: float(np.prod(np.ptp(region.bounds, 0))))
                found[smallest.name] = (smallest, color)
    return list(found.values())


def _feet(playback: Playback, pose: Pose) -> Float:
    """Return the lowest points (N, 3) of members' capsules, a little above the ground."""
    low = playback.spine[:, 0] - playback.radius
    return pose.position + np.column_stack([np.zeros((len(low), 2)), low + LIFT])


def _markers(playback: Playback, pose: Pose, colors: Float) -> NDArray[np.float32]:
    """Return a ring and a short stroke towards the heading for each walking member."""
    walks = np.array([character.vehicle == "hugging" for character in playback.characters])
    rows = np.flatnonzero(walks[playback.character_of])
    feet, radius = _feet(playback, pose)[rows], playback.radius[rows]
    heading = rotate(pose.orientation_wxyz[rows], np.array([[1.0, 0.0, 0.0]]))
    rim = feet + radius[:, None] * heading
    tip = feet + 1.5 * radius[:, None] * heading
    return np.concatenate(
        [
            lines.rings(feet, radius, colors[rows]),
            lines.segments(rim, tip, colors[rows], 2.5, (0.9, 0.9)),
        ]
    )


def _recent(playback: Playback, time: float, pose: Pose) -> Float:
    """Return positions (S, N, 3) of the last seconds, oldest first, the present one last."""
    frame, _ = playback.frame_at(time)
    count = int(TRAIL_SECONDS / playback.dt)
    room = max(TRAIL_SEGMENTS // max(playback.member_count, 1), 2)
    stride = max(1, count // min(room, 90))
    past = playback.position[frame % stride : frame + 1 : stride]  # keeps its corners in place
    recent = np.concatenate([past[-(count // stride) :], pose.position[None]])
    return recent + LIFTED


def _group_radius(playback: Playback, group: int) -> float:
    radii = playback.radius[playback.members(group)]
    return float(radii.max()) if len(radii) else 0.3
