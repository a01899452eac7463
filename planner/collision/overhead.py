"""Ground as an obstacle to walking bodies: decks over their heads, edges across their paths."""

from collections.abc import Callable

import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.overhead import cleared, overhead, probes
from rmp3d.models import Body
from rmp3d.planner.collision.backend import Backend
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.scenes.footing import Footing


class OverheadGround:
    """A walking body against the ground: the probes that the ground it stands on never touches.

    See `rmp3d.geometry.overhead` for what they are. It is part of each test of the body, and not
    counted on its own.

    Args:
        footing: Its walkable ground and step pieces count; None for a body that flies: all ground
            is an obstacle to that anyway.
        body: Walks.
        kind: Makes the backend of a probe.
        tolerance: What comes as near as this [m] counts as touching.
        offset: How far [m] in plan the body's axis is from where it stands: the ground that it
            stands on may be as much higher below it as the steepest slope rises over this.

    Attributes:
        mesh: The ground that the body could touch, or None.
        part_of: (F,) part of the scene of each face.
        around: (2, 3) box in which the body can come to that ground [m].
        probes: Of the body, one backend for each.
    """

    def __init__(
        self,
        footing: Footing | None,
        body: Body,
        kind: Callable[..., Backend],
        tolerance: float,
        offset: float = 0.0,
    ) -> None:
        self.probes: list[Backend] = []
        self.mesh: TriangleMesh | None = None
        self.part_of = np.zeros(0, np.intp)
        self.around = np.array([[np.inf] * 3, [-np.inf] * 3])
        surface = None if footing is None else footing.surface
        if footing is None or surface is None:
            return
        high = body.capsule_axis[1]
        faces = overhead(surface, offset + body.radius, high + body.radius)
        if len(faces) == 0:
            return
        self.part_of = footing.below_part[faces]
        self.mesh = ground = surface.below.select(faces)
        reach = np.array([body.radius, body.radius, high + body.radius]) + tolerance
        self.around = ground.bounds + np.stack([-reach, reach])
        for each in body.holds or (body,):  # the probes of one do not hold those of a smaller one
            over = cleared(surface) + offset * surface.slope
            for radius, bottom, top in probes(
                each.radius, *each.capsule_axis, surface.slope, over
            ).tolist():
                capsule_axis = bottom, top
                self.probes.append(kind(ground, (), capsule_axis, radius, tolerance, QueryCounts()))

    def touched(self, configurations: Float) -> Index:
        """Return the face (M,) nearer than the tolerance to a probe, -1 where there is none."""
        found = np.full(len(configurations), -1)
        near = self._near(configurations, configurations)
        for probe in self.probes:
            near = near[found[near] < 0]
            found[near] = probe.touched(configurations[near])
        return found

    def clearance(self, configurations: Float, cap: float) -> Float:
        """Return the distance (M,) [m] to the ground, negative on contact, at most ``cap``."""
        clearance = np.full(len(configurations), cap)
        for probe in self.probes:
            clearance = np.minimum(clearance, probe.clearance(configurations, cap))
        return clearance

    def sweep(self, start: Float, end: Float) -> Index:
        """Return the face (M,) that refuses a straight motion, -1 where it is proved free."""
        found = np.full(len(start), -1)
        near = self._near(start, end)
        for probe in self.probes:
            near = near[found[near] < 0]
            found[near] = probe.sweep(start[near], end[near])
        return found

    def _near(self, start: Float, end: Float) -> Index:
        """Return the motions (K,) on which the body comes into the box around the ground."""
        if not self.probes:
            return np.zeros(0, np.intp)
        apart = (np.maximum(start, end) < self.around[0]) | (
            np.minimum(start, end) > self.around[1]
        )
        return np.flatnonzero(~apart.any(axis=1))
