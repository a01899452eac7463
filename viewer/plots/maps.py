"""Maps of scene, roadmap and path by Matplotlib: pictures that need no OpenGL."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.scenes import Region, Scene
from rmp3d.viewer.palette import GOAL, START, group_color
from rmp3d.viewer.plots.bands import Plan, draw_room
from rmp3d.viewer.plots.raster import draw_from_above
from rmp3d.viewer.plots.writing import write_figure
from rmp3d.viewer.rendering.sun import SUN_DIRECTION

INCHES = 11.0  # of the picture's longer side
REJECTED = "#a01830"
UPRIGHT = 0.05
"""Upward part of the normal below which a face is an upright wall."""
OBSTACLE_DARKNESS = 0.2
HEIGHT_DARKNESS = 0.45
MOST_POLYGONS = 100_000
"""From here on, faces are drawn as one picture."""
NODE_LIMIT = 4000  # more nodes than this are drawn as smaller dots


def save_map(
    path: Path,
    scene: Scene,
    *,
    nodes: Float | None = None,
    edges: Index | None = None,
    component: Index | None = None,
    rejected: Float | None = None,
    paths: Sequence[Float] = (),
    names: Sequence[str] = (),
    start: Float | None = None,
    goal: Float | None = None,
    regions: bool = True,
    reached: Sequence[Float] = (),
    mark: tuple[Sequence[float], str] | None = None,
    bands: Sequence[Plan] = (),
    title: str = "",
    dpi: int = 130,
) -> None:
    """Write a map, seen straight from above, +x to the right and +y up.

    Args:
        path: Where to; the suffix says the format (``.png``, ``.svg``, ``.pdf``).
        scene: Its parts are drawn in their colors, the higher over the lower, obstacles darker
            and upright walls as lines.
        nodes: (V, 3) [m] nodes of a roadmap.
        edges: (E, 2) rows of ``nodes``.
        component: (V,) component of each node; gives nodes and edges their colors.
        rejected: (R, 3) [m] samples in collision.
        paths: Polylines (K, 3) [m], one per group; their ``names`` are for a legend.
        names: Empty: there is no legend.
        start: (3,) [m] marked green.
        goal: (3,) [m] marked red.
        regions: Whether to outline and name the scene's regions.
        reached: Places (K, 3) [m] reached from the start, and from the goal.
        mark: A place (3,) [m], and words that are written there.
        bands: Arrays of formation plans: the free width along a path, in their colors.
        title: Written above.
        dpi: Pixels per inch.

    Raises:
        InputError: The format is not known or the file cannot be written.
        ValueError: An array has another shape.
    """
    figure, axes = _figure(scene, title)
    draw_scene(axes, scene)
    draw_reached(axes, reached)
    if rejected is not None and len(rejected):
        points = _points("rejected", rejected)
        axes.plot(points[:, 0], points[:, 1], "x", ms=3.5, color=REJECTED, alpha=0.8, zorder=3)
    if nodes is not None and len(nodes):
        _draw_roadmap(axes, _points("nodes", nodes), edges, component)
    if regions:
        _draw_regions(axes, scene)
    for plan in bands:
        draw_room(axes, plan)
    _draw_paths(axes, paths, names)
    _draw_ends(axes, start, goal)
    draw_mark(axes, mark)
    write_figure(figure, path, dpi, "map")


def _figure(scene: Scene, title: str) -> tuple[Any, Any]:
    """Return a figure as wide to high as the scene is, and its axes in meters."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    low, high = _extent(scene)
    size = np.maximum(high - low, 1e-3)
    inches = np.maximum(INCHES * size / size.max(), 3.0) + 0.9
    figure = Figure(figsize=(float(inches[0]), float(inches[1])), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", title=title)
    axes.set(xlabel="x [m]", ylabel="y [m]")
    axes.set_axisbelow(True)
    return figure, axes


def _extent(scene: Scene) -> tuple[Float, Float]:
    boxes = np.array([part.mesh.bounds[:, :2] for part in scene.parts] + [scene.bounds[:, :2]])
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    rim = 0.02 * float(np.max(high - low))
    return low - rim, high + rim


def draw_scene(axes: Any, scene: Scene) -> None:
    """Draw faces that are not upright, lowest first, shaded by the sun; upright ones as lines.

    Obstacles are darker than the ground, and where no roles are stated, higher faces than lower
    ones, so that walls are seen in a mesh of one color too.
    """
    from matplotlib.collections import LineCollection, PolyCollection

    triangles = np.concatenate([part.mesh.triangles for part in scene.parts])
    colors = np.concatenate([part.colors for part in scene.parts])
    normals = np.concatenate([part.mesh.normals for part in scene.parts])
    darkness = np.concatenate(_darkness(scene))
    seen = np.abs(normals[:, 2]) > 1e-3
    facing = np.where(normals[:, 2:] < 0.0, -normals, normals) @ SUN_DIRECTION
    shade = (0.62 + 0.38 * np.clip(facing / SUN_DIRECTION[2], 0.0, 1.0)) * (1.0 - darkness)
    pale = 0.25 * (1.0 - darkness)[:, None] + 0.75 * colors * shade[:, None]  # lines stand out
    is_decor = np.concatenate(
        [np.full(len(part.mesh.faces), part.role == "decor") for part in scene.parts]
    )
    upright = triangles[(np.abs(normals[:, 2]) < UPRIGHT) & ~is_decor, :, :2]
    lines = _longest_sides(upright)
    if len(triangles) > MOST_POLYGONS:
        draw_from_above(axes, triangles[seen], pale[seen], lines, *_extent(scene))
        return
    order = np.flatnonzero(seen)[np.argsort(triangles[seen, :, 2].max(axis=1), kind="stable")]
    faces = PolyCollection(
        list(triangles[order][:, :, :2]),
        facecolors=pale[order],
        edgecolors=pale[order],
        linewidths=0.2,
    )
    axes.add_collection(faces, autolim=False)
    walls = LineCollection(list(lines), colors="0.2", linewidths=0.6, zorder=2)
    axes.add_collection(walls, autolim=False)


def _darkness(scene: Scene) -> list[Float]:
    """Return by how much (F,), 0 to 1, the faces of each part are drawn darker."""
    if scene.roles_stated:
        share = {"ground": 0.0, "decor": 0.0, "obstacle": OBSTACLE_DARKNESS}
        return [np.full(len(part.mesh.faces), share[part.role]) for part in scene.parts]
    heights = [part.mesh.triangles[:, :, 2].max(axis=1) for part in scene.parts]
    looks_up = np.concatenate([part.mesh.normals[:, 2] > 0.0 for part in scene.parts])
    tops = np.concatenate(heights)[looks_up]
    low, high = (tops.min(), tops.max()) if len(tops) else (0.0, 0.0)
    return [
        HEIGHT_DARKNESS * np.clip((height - low) / max(high - low, 1e-9), 0.0, 1.0)
        for height in heights
    ]


def _longest_sides(triangles: Float) -> Float:
    """Return the longest side (F, 2, 2) of each flat triangle (F, 3, 2)."""
    sides = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2)  # (F, 3, 2, 2)
    longest = np.linalg.norm(sides[:, :, 1] - sides[:, :, 0], axis=2).argmax(axis=1)
    return sides[np.arange(len(sides)), longest]


def _draw_roadmap(axes: Any, nodes: Float, edges: Index | None, component: Index | None) -> None:
    from matplotlib.collections import LineCollection

    colors = np.tile([0.13, 0.13, 0.16], (len(nodes), 1))
    if component is not None:
        colors = _component_colors(np.asarray(component))
    if edges is not None and len(edges):
        edges = np.asarray(edges, np.intp)
        lines = LineCollection(
            list(nodes[edges][:, :, :2]),
            colors=colors[edges[:, 0]],
            linewidths=0.5,
            alpha=0.45,
            zorder=4,
        )
        axes.add_collection(lines, autolim=False)
    size = 6.0 if len(nodes) <= NODE_LIMIT else 1.5
    axes.scatter(nodes[:, 0], nodes[:, 1], s=size, c=colors, linewidths=0, zorder=5)


def _component_colors(component: Index) -> Float:
    """Return colors (V, 3): the largest component dark, the others by the palette."""
    labels, row, count = np.unique(component, return_inverse=True, return_counts=True)
    rank = np.empty(len(labels), np.intp)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(labels))
    rank = rank[row.reshape(-1)]
    is_largest: Bool = rank == 0
    return np.where(is_largest[:, None], [0.13, 0.13, 0.16], group_color(rank))


def draw_region(axes: Any, region: Region, **style: Any) -> None:
    """Draw the dashed outline of a region, seen from above, in a Matplotlib style."""
    from matplotlib.patches import Circle, Rectangle

    low, high = region.bounds[:, :2]
    style |= {"fill": False, "linestyle": "--"}
    if region.kind == "sphere":
        axes.add_patch(Circle(tuple(region.center[:2]), region.radius, **style))
    else:
        axes.add_patch(Rectangle(tuple(low), *(high - low), **style))


def _draw_regions(axes: Any, scene: Scene) -> None:
    for name, region in sorted(scene.regions.items()):
        low, high = region.bounds[:, :2]
        draw_region(axes, region, edgecolor="0.1", linewidth=1.0, zorder=6)
        place = ((low[0] + high[0]) / 2.0, high[1])
        axes.annotate(
            name, place, xytext=(0, 3), textcoords="offset points", ha="center", **_halo()
        )


def _draw_paths(axes: Any, paths: Sequence[Float], names: Sequence[str]) -> None:
    """Draw polylines (K, 3) [m] in the colors of groups, with a legend if they have names."""
    for group, line in enumerate(paths):
        name = names[group] if group < len(names) else ""
        _draw_path(axes, _points("paths", line), group, name)
    if any(names):
        axes.legend(loc="best")


def _draw_path(axes: Any, points: Float, group: int, name: str) -> None:
    axes.plot(points[:, 0], points[:, 1], color="white", lw=4.5, alpha=0.8, zorder=7)
    color = group_color(group)
    axes.plot(points[:, 0], points[:, 1], color=color, lw=2.5, zorder=8, label=name or None)


def _draw_ends(axes: Any, start: Float | None, goal: Float | None) -> None:
    for given, color, word in ((start, START, "start"), (goal, GOAL, "goal")):
        if given is not None:
            point = np.asarray(given, float)
            axes.plot(*point[:2], "o", ms=9, color=color, mec="white", mew=1.5, zorder=9)
            axes.annotate(word, point[:2], xytext=(7, 7), textcoords="offset points", **_halo())


def draw_reached(axes: Any, reached: Sequence[Float]) -> None:
    """Tint what is reached from the start, (K, 3) [m], and from the goal; name both below."""
    for places, color, word in zip(reached, (START, GOAL), ("start", "goal"), strict=False):
        size = np.clip(225.0 / max(len(places), 1) ** 0.5, 0.5, 8.0)
        axes.plot(
            places[:, 0], places[:, 1], "s", ms=size, color=color, alpha=0.35, mew=0, zorder=3,
            label=f"reached from the {word}", rasterized=True,
        )  # fmt: skip
    if reached:
        axes.legend(loc="upper left", bbox_to_anchor=(0.0, -0.06), ncols=2, frameon=False)


def draw_mark(axes: Any, mark: tuple[Sequence[float], str] | None) -> None:
    """Draw a cross in a circle at a place, with words beside it."""
    if mark is None:
        return
    place, words = mark
    axes.plot(*place[:2], "o", ms=17, mfc="none", mec="white", mew=5, zorder=11)
    axes.plot(*place[:2], "o", ms=17, mfc="none", mec="black", mew=2, zorder=12)
    axes.plot(*place[:2], "x", ms=8, color="black", mew=2, zorder=12)
    low, high = axes.get_xlim()
    right = place[0] > 0.5 * (low + high)
    axes.annotate(
        textwrap.fill(words, 44), place[:2], xytext=(-14 if right else 14, 16),
        textcoords="offset points", ha="right" if right else "left", va="bottom", fontsize=11,
        bbox={"boxstyle": "round", "fc": "white", "ec": "black"}, zorder=13,
    )  # fmt: skip


def _halo() -> dict[str, Any]:
    from matplotlib.patheffects import withStroke

    return {"zorder": 10, "path_effects": [withStroke(linewidth=3, foreground="white")]}


def _points(name: str, points: Float) -> Float:
    points = np.asarray(points, float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"`{name}` must have shape (M, 3), got {points.shape}")
    return points
