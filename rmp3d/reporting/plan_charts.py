"""The charts of a page about a plan: map, views from the sides, clearance, components."""

import base64
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rmp3d.geometry.rotations import rotate
from rmp3d.plans.body_plan import BodyPlan, WatchedPlan
from rmp3d.plans.motion import BodyTrack, motion_along
from rmp3d.viewer.plots import charts
from rmp3d.viewer.plots.maps import save_map
from rmp3d.viewer.plots.side_views import side_views
from rmp3d.viewer.shapes.edges import sharp_edges
from rmp3d.viewer.texts import tr

POSES = 14
"""Of the body in the views from the sides."""
LARGEST_SCENE = 200_000
"""Triangles; of a larger scene there are no views in lines."""


def plan_charts(plan: WatchedPlan, unit: str) -> Iterator[tuple[str, str, str]]:
    """Yield title, SVG or HTML, and what good looks like, of each chart."""
    for body in plan.bodies:
        yield (
            f"Map from above with roadmap and path: {body.name}",
            _map(plan, body),
            "The path is short for what is in its way; start and goal are in one component.",
        )
        motion = motion_along(body) if body.solved else None
        if body.space.width == 7 and _is_small(plan):
            title = f"The body on its path, from above, the front and the side: {body.name}"
            good = "The body, shown at several moments, never cuts an edge of the scene."
            yield title, _views(plan, body, motion), good
        if motion is not None:
            yield _clearance(body, motion, unit)


def _is_small(plan: WatchedPlan) -> bool:
    return sum(len(part.mesh.faces) for part in plan.scene.parts) <= LARGEST_SCENE


def _map(plan: WatchedPlan, body: BodyPlan) -> str:
    start, goal = (end.configuration[:3] for end in body.ends)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        save_map(
            path, plan.scene, nodes=body.nodes, edges=body.edges, component=body.component,
            paths=[body.configurations[:, :3]] if body.solved else [], start=start, goal=goal,
        )  # fmt: skip
        data = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{tr("map with roadmap and path")}" src="data:image/png;base64,{data}">'


def _views(plan: WatchedPlan, body: BodyPlan, motion: BodyTrack | None) -> str:
    """Return the body in lines, at its waypoints or evenly on a long path, else at both ends."""
    if motion is None:
        rows = np.stack([end.configuration for end in body.ends])
    else:
        frames = np.unique(np.linspace(0, len(motion.position) - 1, POSES).astype(np.intp))
        rows = np.hstack([motion.position, motion.quaternion_wxyz])[frames]
    edges = sharp_edges(body.character.body.mesh)
    poses = [
        rotate(row[None, 3:], edges.reshape(-1, 3)).reshape(-1, 2, 3) + row[:3] for row in rows
    ]
    walls = [sharp_edges(part.mesh) for part in plan.scene.parts]
    path = body.configurations[:, :3]
    return side_views(np.concatenate([np.zeros((0, 2, 3)), *walls]), poses, path)


def _clearance(body: BodyPlan, motion: BodyTrack, unit: str) -> tuple[str, str, str]:
    place = motion.position
    rows = np.hstack([place, motion.quaternion_wxyz]) if body.space.width == 7 else place
    clearance = body.clearance(rows)
    # The body's speed is even.
    share = np.linspace(0.0, 100.0, len(place))
    chart = charts.line_chart(
        share, {tr("clearance"): clearance}, xlabel="of the path, turns included [%]",
        ylabel=f"clearance {unit}".strip(),
    )  # fmt: skip
    return f"Clearance along the path: {body.name}", chart, "It stays above zero."
