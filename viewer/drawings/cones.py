"""The layer `cones`: what members can see, by their perception."""

from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import rotate
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.drawings.obstacle_queries import ObstacleQueries
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import LIFTED, feet
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.lines import polyline
from rmp3d.viewer.shapes.patches import NO_PATCHES, sheet

MOST = 24  # members shown when none is selected: more would cover the ground
CORNERS = 65
STRIDE, MOST_RINGS = 0.75, 10  # [m] between places where the ground is looked for; of these
CLIMB, STEP = 1.0, 0.3  # the ground is followed up and down by this slope and this much [m] more
FULL = 2.0 * np.pi - 1e-6  # [rad]
OPACITY = 0.2
DOWN = frozen([0.0, 0.0, -1.0])


@DRAWINGS.register("cones")
class ConesDrawing(Drawing):
    """A sector about the heading as far as the walls; of the selected, or of all in a small crowd.

    It lies on the ground for walkers, and in the plane of the body for others. A member that
    sees all around has an outline without a fill.
    """

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._queries = ObstacleQueries(playback.scene)

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group perceives, or that one of many is to be chosen."""
        if not any(details.sight for details in playback.details):
            return "no group perceives others"
        return ""

    def draw(self, seen: Seen) -> Drawn:
        """Return the sectors at a moment."""
        playback = self.playback
        if not playback.details:
            return Drawn()
        sights = [playback.details[group].sight for group in playback.group_of]
        rows = [
            row for row, sight in enumerate(sights) if sight is not None and seen.pose.there[row]
        ]
        if seen.selected >= 0:
            rows = [row for row in rows if row == seen.selected]
        drawn = []
        for row in rows[:MOST]:
            sight = sights[row]
            assert sight is not None
            places = self._places(seen, row, sight.reach, min(sight.angle, 2.0 * np.pi))
            color = group_color(playback.group_of[row])
            round_about = sight.angle >= FULL
            sides = [places[-1]] if round_about else [places[:, 0], places[-1], places[::-1, -1]]
            edge = polyline(np.concatenate(sides), color, 2.0, 0.8)
            fade = OPACITY * np.linspace(1.0, 0.25, len(places))
            fill = NO_PATCHES if round_about else sheet(places, color, fade)
            drawn.append(Drawn(patches=fill, lines=edge))
        return Drawn.together(drawn)

    def _places(self, seen: Seen, row: int, reach: float, angle: float) -> Float:
        """Return points (R, K, 3) [m] of a sector, from its corner to its rim."""
        playback, position = self.playback, seen.pose.position[row]
        kind = playback.characters[playback.character_of[row]]
        walks = kind.grounded
        turn = np.linspace(-angle / 2.0, angle / 2.0, CORNERS)
        ahead = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
        directions = rotate(seen.pose.orientation_wxyz[row][None], ahead)
        eye = position.copy()
        eye[2] += playback.capsule_axis[row].mean()
        walls = self._queries.of(kind)
        free = np.full(CORNERS, reach)
        if walls is not None:
            free, _ = walls.cast_ray(eye, directions, reach)
        rings = int(np.clip(np.ceil(reach / STRIDE), 1, MOST_RINGS)) if walks else 1
        share = np.linspace(0.0, 1.0, rings + 1)[:, None, None]
        if not walks:
            return eye + share * free[:, None] * directions
        places = feet(playback, seen.pose)[row] + share * free[:, None] * directions
        return self._on_ground(places) + LIFTED

    def _on_ground(self, places: Float) -> Float:
        """Return points (R, K, 3) put on the ground, followed outwards from the first ones."""
        ground = self._ground
        if ground is None:
            return places
        found = places.copy()
        for ring in range(1, len(places)):
            before = found[ring - 1]
            found[ring, :, 2] = before[:, 2]
            span = np.linalg.norm(places[ring, :, :2] - places[ring - 1, :, :2], axis=1)
            rise = CLIMB * span + STEP
            above = found[ring] + rise[:, None] * -DOWN
            drop, face = ground.cast_ray(above, DOWN, 2.0 * float(rise.max()))
            on = (face >= 0) & (drop <= 2.0 * rise)
            found[ring, on, 2] = above[on, 2] - drop[on]
        return found

    @cached_property
    def _ground(self) -> MeshQuery | None:
        mesh = self.playback.scene.walkable
        return None if mesh is None else MeshQuery(mesh)
