"""Hide: get out of sight of the threat, behind meshes and spheres."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.evade import Evade
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level, where_known
from rmp3d.behaviors.terrain.ahead import Spheres, sphere_array
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length, unit

# So many agents look for a place at a time, for the sake of memory.
AT_ONCE = 256
# A place is looked for again after this time [s], or when it is no longer out of sight.
LOOK_AGAIN = 1.0
RINGS = (0.03, 0.06, 0.1, 0.16, 0.25, 0.4, 0.65, 1.0)
DIRECTIONS = 16
PITCHES_DEG = (-40.0, 0.0, 40.0)
# Cover to spare on all sides [m], and how much farther [m] one goes for a place that has it.
SPARE, SPARE_WORTH = 0.3, 2.0


@STEERING_BEHAVIORS.register("hide")
@dataclass(frozen=True)
class Hide:
    """Arrive at the nearest place that the threat cannot see; evade while there is none.

    Places are tried on rings around the agent, up to ``reach`` away (for walkers in plan, on the
    ground; for flyers also up and down). One is good if the body fits there, with a margin, and
    if the lines from the threat's eye to the top, bottom and both sides of the body all meet an
    obstacle: a triangle of the scene or a sphere. Of the good ones, the one with the least sum
    of the distance there and the gap to an obstacle is taken, preferably with some cover to spare:
    near an obstacle the agent keeps up with a threat that goes round it. The place is kept while it
    is good.
    The threat's eye is as high over its reference point as the own.

    Reynolds 1999, "Steering behaviors for autonomous characters", hides at a point behind the
    bounding sphere of an obstacle; lines of sight do for any shape.

    Attributes:
        reach: How far a place may be [m].
        margin: Clearance of the body at the place [m].
        spheres: [x, y, z, radius] of obstacles that are not in the scene [m].
    """

    reach: float = 12.0
    margin: float = 0.1
    spheres: Spheres = ()
    needs: ClassVar[tuple[str, ...]] = ("threat",)

    def __post_init__(self) -> None:
        if not 0.0 < self.reach < np.inf:
            raise InputError(f"`reach` must be positive, got {self.reach}")
        if not 0.0 <= self.margin < np.inf:
            raise InputError(f"`margin` must be 0 or more, got {self.margin}")
        sphere_array(self.spheres)

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return for each agent (N, 5): its place [m], since when [s], and 1 if it is hidden."""
        threat = around.other("threat")
        if around.memory is None:
            kept = np.hstack([flock.position, np.full((len(flock), 1), -np.inf)])
            kept = np.column_stack([kept, np.zeros(len(flock))])
        else:
            kept = np.array(around.memory)
        known = np.flatnonzero(threat.known)
        eye = threat.expected + flock.bodies.capsule_axis[:, 1:] * [0.0, 0.0, 1.0]
        rows = known
        hidden = self._hidden(flock, around.obstacles, rows, kept[rows, :3], eye[rows])
        kept[rows, 4] = hidden & (kept[rows, 4] > 0.0)
        again = (kept[rows, 4] == 0.0) & (around.time - kept[rows, 3] >= 0.25)
        again |= around.time - kept[rows, 3] >= LOOK_AGAIN
        looking = rows[again]
        for first in range(0, len(looking), AT_ONCE):
            rows = looking[first : first + AT_ONCE]
            place, found = self._search(flock, around, rows, eye[rows])
            place = np.where(found[:, None], place, kept[rows, :3])
            kept[rows] = np.column_stack([place, np.full(len(rows), around.time), found])
        return kept

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        kept = self.remembered(flock, around) if around.memory is None else around.memory
        threat = around.other("threat")
        away = Evade().steering_force(flock, around)
        still = np.zeros_like(flock.position)
        go = Arrive().force_to(flock, kept[:, :3], still, flock.bodies.max_speed)
        return where_known(threat.known, np.where(kept[:, 4:] > 0.0, go, away))

    def _search(
        self, flock: Flock, around: Surroundings, rows: Index, eye: Float
    ) -> tuple[Float, Bool]:
        """Return the nearest hidden places (M, 3), and whether there is one (M,)."""
        offsets = self._offsets(flock, rows, eye)  # (M, K, 3), near ones first
        count = offsets.shape[1]
        place = (flock.position[rows, None] + offsets).reshape(-1, 3)
        agent = np.repeat(rows, count)
        good = np.ones(len(place), np.bool_)
        if around.surface is not None:
            ground, face = around.surface.locate(place, 1.5, 1.5)
            walking = flock.bodies.grounded[agent]
            place = np.where(walking[:, None], ground, place)
            good &= ~walking | (face >= 0)
        gap = self._gap(flock, around.obstacles, agent, place)
        good &= gap >= self.margin
        there = np.flatnonzero(good)
        body = agent[there], place[there], np.repeat(eye, count, axis=0)[there]
        good[there] = self._hidden(flock, around.obstacles, *body)
        spare = np.zeros_like(good)
        spare[there] = good[there] & self._hidden(flock, around.obstacles, *body, SPARE)
        cost = length(place - flock.position[agent]) + gap - SPARE_WORTH * spare
        best = np.argmin(np.where(good, cost, np.inf).reshape(-1, count), axis=1)
        best += count * np.arange(len(rows))
        return place[best], good[best]

    def _offsets(self, flock: Flock, rows: Index, eye: Float) -> Float:
        """Return the offsets (M, K, 3) [m] tried, turned so that the first lead off the threat."""
        angle = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        angle = angle[np.argsort(np.abs(np.sin(0.5 * angle)), kind="stable")]
        pitches = np.radians((0.0,) if flock.bodies.grounded[rows].all() else PITCHES_DEG)
        shape = np.array([
            [ring * np.cos(p) * np.cos(a), ring * np.cos(p) * np.sin(a), ring * np.sin(p)]
            for ring in RINGS for a in angle for p in pitches
        ])  # fmt: skip
        shape = np.concatenate([np.zeros((1, 3)), self.reach * shape])
        away = (flock.position[rows] - eye) * [1.0, 1.0, 0.0]
        away = np.where(length(away)[:, None] > 1e-9, unit(away), [1.0, 0.0, 0.0])
        left = np.cross([0.0, 0.0, 1.0], away)
        up = np.broadcast_to([0.0, 0.0, 1.0], away.shape)
        return np.einsum("mij,kj->mki", np.stack([away, left, up], axis=2), shape)

    def _gap(self, flock: Flock, obstacles: MeshQuery | None, rows: Index, place: Float) -> Float:
        """Return the clearance (M,) [m] of balls around bodies at places (M, 3), up to `reach`."""
        low, high = flock.bodies.capsule_axis[rows].T
        middle = place + 0.5 * (low + high)[:, None] * [0.0, 0.0, 1.0]
        gap = np.full(len(rows), self.reach)
        if obstacles is not None and len(rows):
            gap, _, _ = obstacles.closest_point(middle, self.reach)
        for x, y, z, radius in sphere_array(self.spheres):
            gap = np.minimum(gap, length(middle - np.array([x, y, z])) - radius)
        return gap - flock.bodies.radius[rows] - 0.5 * (high - low)

    def _hidden(
        self,
        flock: Flock,
        obstacles: MeshQuery | None,
        rows: Index,
        place: Float,
        eye: Float,
        spare: float = 0.0,
    ) -> Bool:
        """Return whether bodies at places (M, 3), made larger by ``spare``, are out of sight (M,).

        They are looked at from eyes (M, 3); from above, they are not made larger for walkers.
        """
        low, high = flock.bodies.capsule_axis[rows].T
        up = np.array([0.0, 0.0, 1.0])
        radius = flock.bodies.radius[rows, None]
        wide = radius + spare
        tall = np.where(flock.bodies.grounded[rows, None], radius, wide)
        middle = place + 0.5 * (low + high)[:, None] * up
        aside = unit(np.cross(up, level(flock.select(rows), middle - eye)))
        hidden = np.ones(len(rows), np.bool_)
        for part in (
            place + (high[:, None] + tall) * up,
            place + (low[:, None] - 0.9 * tall) * up,
            middle + wide * aside,
            middle - wide * aside,
        ):
            hidden &= self._blocked(obstacles, eye, part)
        return hidden

    def _blocked(self, obstacles: MeshQuery | None, eye: Float, point: Float) -> Bool:
        line = point - eye
        far = length(line)
        blocked = np.zeros(len(eye), np.bool_)
        if obstacles is not None and len(eye):
            distance, _ = obstacles.cast_ray(eye, unit(line))
            blocked |= distance < far
        for x, y, z, radius in sphere_array(self.spheres):
            along = np.einsum("ij,ij->i", np.array([x, y, z]) - eye, unit(line))
            nearest = eye + np.clip(along, 0.0, far)[:, None] * unit(line)
            blocked |= length(nearest - np.array([x, y, z])) < radius
        return blocked
