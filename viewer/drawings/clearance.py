"""The layer `clearance`: from the selected member to the nearest obstacle; of a plan, all along."""

from typing import Any

import fcl
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import Character
from rmp3d.models.capsule_places import placed_capsules
from rmp3d.planner.problems.measures import mesh_model
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.drawings.obstacle_queries import ObstacleQueries
from rmp3d.viewer.palette import NARROW, SELECTED, WIDE
from rmp3d.viewer.playback.bounds import group_radius
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.shapes import lines

ALONG = 17  # points of the axis that are asked
FAR = 1e6  # [m]
WIDE_RADII = 2.0  # of the body: a path is blue where there is so much clearance


class Nearest:
    """Measures from members to what they must not touch; queries are made when they are needed.

    A member that is carried is measured from its mesh, as it is planned; others from the capsules
    that hold them.
    """

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._queries = ObstacleQueries(playback.scene)
        self._models: dict[int, Any] = {}

    def to(self, member: int, pose: Pose) -> tuple[float, Float, Float] | None:
        """Return the clearance [m] and both ends (3,) [m] of the shortest line; None: no obstacle.

        Args:
            member: Its row.
            pose: Where members are.
        """
        kind = self._playback.characters[self._playback.character_of[member]]
        position = pose.position[member]
        if kind.vehicle == "carried":
            return self._from_mesh(kind, position, pose.orientation_wxyz[member])
        query = self._queries.of(kind)
        if query is None:
            return None
        turn = pose.orientation_wxyz[member]
        own = placed_capsules([kind.body], np.zeros(1, np.intp), position[None], turn[None])
        found = [
            _from_capsule(query, place, tuple(axis), radius)
            for place, axis, radius in zip(
                own.position, own.axis.tolist(), own.radius.tolist(), strict=True
            )
        ]
        return min(found, key=lambda each: each[0])

    def _from_mesh(
        self, kind: Character, position: Float, quaternion_wxyz: Float
    ) -> tuple[float, Float, Float] | None:
        """Return the same, measured from the collision mesh by python-fcl; 0 in collision."""
        obstacles = self._playback.scene.flying_obstacles[0]
        if obstacles is None:
            return None
        world, body = (self._model(mesh) for mesh in (obstacles, kind.body.mesh))
        turn = fcl.Transform(matrix_from_quaternion(quaternion_wxyz), position)
        found = fcl.DistanceResult()
        clearance = fcl.distance(
            fcl.CollisionObject(body, turn),
            fcl.CollisionObject(world),
            fcl.DistanceRequest(enable_nearest_points=True),
            found,
        )
        if clearance <= 0.0:
            return 0.0, position, position
        start, end = (np.array(point) for point in found.nearest_points)
        return float(clearance), start, end

    def _model(self, mesh: TriangleMesh) -> Any:
        if id(mesh) not in self._models:
            self._models[id(mesh)] = mesh_model(mesh)
        return self._models[id(mesh)]


def _from_capsule(
    query: MeshQuery, position: Float, axis: tuple[float, float], radius: float
) -> tuple[float, Float, Float]:
    """Return the clearance of an upright capsule and the ends of the line; see `Nearest.to`."""
    heights = np.linspace(axis[0], axis[1], ALONG)
    points = position + np.column_stack([np.zeros((ALONG, 2)), heights])
    gap, place, _ = query.closest_point(points, FAR)
    end = place[int(np.argmin(gap))]
    start = position + np.array([0.0, 0.0, np.clip(end[2] - position[2], *axis)])
    reach = max(float(np.linalg.norm(end - start)), 1e-9)
    clearance, _ = query.capsule_clearance(position[None], axis, radius, FAR)
    return float(clearance[0]), start + radius / reach * (end - start), end


@DRAWINGS.register("clearance")
class ClearanceDrawing(Drawing):
    """A line from the selected member, and how long it is; a plan's path by its clearance."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._nearest = Nearest(playback)
        self._along: Drawn | None = None

    def draw(self, seen: Seen) -> Drawn:
        """Return both at a moment; the line is not there while nobody is selected."""
        if self._along is None:
            self._along = Drawn.together(
                [_along_path(self.playback, row) for row in range(len(self.playback.details))]
            )
        if seen.selected < 0 or not seen.pose.there[seen.selected]:
            return self._along
        found = self._nearest.to(seen.selected, seen.pose)
        if found is None:
            return self._along
        clearance, start, end = found
        line = lines.segments(start[None], end[None], SELECTED, 3.0, (1.0, 1.0))
        label = Label(length_text(clearance), (start + end) / 2, SELECTED)
        return Drawn.together([self._along, Drawn(lines=line, labels=(label,))])


def length_text(meters: float) -> str:
    """Return a length [m] in words; of one below 10 cm two digits that count."""
    return f"{meters:.2f} m" if abs(meters) >= 0.1 or meters == 0.0 else f"{meters:.2g} m"


def _along_path(playback: Playback, group: int) -> Drawn:
    """Return a planned body's path, red near obstacles, else blue, and its least clearance."""
    measured = playback.details[group].measured
    if measured is None:
        return Drawn()
    path = measured()
    share = np.clip(path.clearance / (WIDE_RADII * group_radius(playback, group)), 0.0, 1.0)
    colors = NARROW + share[:, None] * (WIDE - NARROW)
    rows = lines.polyline(path.position, colors[:-1], 6.0, 0.9)
    least = int(np.argmin(path.clearance))
    text = f"least {length_text(float(path.clearance[least]))}"
    return Drawn(lines=rows, labels=(Label(text, path.position[least], NARROW),))
