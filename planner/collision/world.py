"""The collision world: one upright body against one scene."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from rmp3d.geometry import Bool, Float, Index, InputError, TriangleMesh
from rmp3d.geometry.surface import CURB
from rmp3d.models import Body
from rmp3d.planner.collision.backend import Backend, NoObstacles
from rmp3d.planner.collision.beside import RoomBeside
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.fcl_backend import FclBackend
from rmp3d.planner.collision.kernels import KernelBackend
from rmp3d.planner.collision.overhead import OverheadGround
from rmp3d.planner.collision.solids import solid_parts
from rmp3d.planner.collision.straight_runs import bends
from rmp3d.planner.collision.sweeping import SweptBody
from rmp3d.planner.errors import ConfirmationError
from rmp3d.scenes import Scene
from rmp3d.scenes.footing import Footing
from rmp3d.scenes.presence import there_at_start

BACKENDS: dict[str, Callable[..., Backend]] = {"auto": KernelBackend, "fcl": FclBackend}
TOLERANCE = 1e-3  # times the body's radius
# The kernels prove a clearance of half the tolerance; the judge proves 1.5 times its own.
JUDGE_TOLERANCE = 0.25
STRAIGHT = 0.01  # by which points may be off a line that is judged as one, times that


class CollisionWorld:
    """Where a body may be, and which straight motions are proved free.

    The body is the upright bounding capsule of a character. It only translates, so the same
    shape that is planned for is kept safe when the motion is executed. A configuration is the
    body's reference point (3,) [m].

    Args:
        scene: Its obstacles are avoided, and the inside of its closed parts; by those who walk
            also the ground that is over other ground (see `rmp3d.geometry.overhead`).
        body: Its ``radius`` and ``capsule_axis`` make the capsule.
        backend: "auto", the compiled kernels; or "fcl", python-fcl alone.
        tolerance: What comes as near as this [m] counts as in collision; None: a thousandth of
            the radius.
        flying: Whether walkable ground is an obstacle too.
        max_step: Highest step [m] that the body goes up and down, if it walks.
        offset: See `OverheadGround`.
        counts: Where to count queries; by default in new counts.

    Attributes:
        counts: The work done so far (the judge's not included).
        shown: Which parts of the scene are there among those that appear and go; see `show`.

    Raises:
        InputError: No backend has that name.
    """

    def __init__(
        self,
        scene: Scene,
        body: Body,
        *,
        backend: Literal["auto", "fcl"] = "auto",
        tolerance: float | None = None,
        flying: bool = False,
        max_step: float = CURB,
        offset: float = 0.0,
        counts: QueryCounts | None = None,
    ) -> None:
        if backend not in BACKENDS:
            raise InputError(
                f"no collision backend named `{backend}` (there is {', '.join(BACKENDS)})"
            )
        self.scene = scene
        self.body = body
        self.tolerance = TOLERANCE * body.radius if tolerance is None else tolerance
        if not self.tolerance > 0.0:
            raise ValueError(f"`tolerance` must be positive, got {self.tolerance} m")
        self.flying = flying
        self._middle = np.array([0.0, 0.0, 0.5 * sum(body.capsule_axis)])
        self.counts = QueryCounts() if counts is None else counts
        self.max_step, self._offset = max_step, offset
        self._mesh, self._part_of = scene.flying_obstacles if flying else self.footing.met
        solids = solid_parts(scene, flying)
        self._solids = tuple(mesh for _, mesh in solids)
        self._solid_names = tuple(name for name, _ in solids)
        kind = BACKENDS[backend]
        self._backend = self._make(kind, self._mesh, self.tolerance, self.counts)
        beside = None if self._mesh is None or flying else _not_undersides(scene, self.footing)
        self._sides = self._backend
        if beside is not None:
            self._sides = self._make(kind, beside, self.tolerance, self.counts)
        self._overhead = self._ground_overhead(kind, self.tolerance)
        self._beside: RoomBeside | None = None
        surface = None if flying else self.footing.surface
        if surface is not None and self._mesh is not None:
            self._beside = RoomBeside(self._mesh if beside is None else beside, surface, body)
        self._shown_world: CollisionWorld | None = None
        self.shown: tuple[str, ...] = ()
        self.show(there_at_start(scene.parts))

    def show(self, names: Sequence[str]) -> None:
        """Let these parts, of those that appear and go, be there from now on, and no others."""
        self._shown_world, self.shown = self.of_parts(names), tuple(names)

    def of_parts(self, names: Sequence[str]) -> "CollisionWorld | None":
        """Return the world of nothing but parts that appear and go, there; None without any."""
        if not names:
            return None
        parts = [
            replace(part, role="obstacle", motion=None)
            for part in self.scene.parts
            if part.name in names
        ]
        scene = Scene(self.scene.name, tuple(parts), {}, self.scene.bounds)
        return CollisionWorld(
            scene, self.body, tolerance=self.tolerance, flying=True, counts=self.counts
        )

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 3) keep more than the tolerance from everything."""
        configurations = _rows(configurations)
        free: Bool = self._backend.touched(configurations) < 0
        free[free] = self._overhead.touched(configurations[free]) < 0
        free[free] = self._inside(configurations[free]) < 0
        if self._shown_world is not None:
            free[free] = self._shown_world.is_free(configurations[free])
        return free

    def clearance(
        self,
        configurations: Float,
        cap: float = np.inf,
        on_proved_path: bool = False,
        feet: Float | None = None,
    ) -> Float:
        """Return the clearance (M,) [m]: negative in collision, at most ``cap``.

        For a body that walks, the ground and its undersides count only on contact: what it stands
        on is near, and no obstacle. What is below its feet or above its head, as far as it walks,
        does not count (see `rmp3d.planner.collision.beside`). Wholly inside a solid the clearance
        is minus (distance of the capsule's segment to the surface + radius): how far the body must
        go, at least, to be out.

        Args:
            configurations: (M, 3).
            cap: [m].
            on_proved_path: Whether they are on motions proved free, which lead into no solid: then
                nobody looks whether they are in one.
            feet: (M, 3) where a body that walks stands, if not at the configurations [m].
        """
        configurations = _rows(configurations)
        clearance = self._sides.clearance(configurations, cap)
        if self._sides is not self._backend:
            touched = np.flatnonzero(self._backend.touched(configurations) >= 0)
            clearance[touched] = self._backend.clearance(configurations[touched], cap)
        touched = np.flatnonzero(self._overhead.touched(configurations) >= 0)
        if len(touched):
            lower = self._overhead.clearance(configurations[touched], cap)
            clearance[touched] = np.minimum(clearance[touched], lower)
        if not on_proved_path:
            outside = clearance > 0.0
            inside = np.flatnonzero(outside)[self._inside(configurations[outside]) >= 0]
            clearance[inside] = -(clearance[inside] + 2.0 * self.body.radius)
        if self._beside is not None:
            near = np.flatnonzero((clearance > self.tolerance) & (clearance < cap))
            stands = (configurations if feet is None else feet)[near]
            room = self._beside.room(configurations[near], stands, cap)
            clearance[near] = np.minimum(np.maximum(clearance[near], room), cap)
        if self._shown_world is not None:
            clearance = np.minimum(clearance, self._shown_world.clearance(configurations, cap))
        return clearance

    def colliding_part(self, configuration: Float) -> str | None:
        """Return the part that a configuration (3,) collides with, or None.

        "inside NAME" where the body is within a closed part and touches nothing.
        """
        row = _rows(configuration)
        face = int(self._backend.touched(row)[0])
        if face >= 0:
            return self.scene.parts[self._part_of[face]].name
        face = int(self._overhead.touched(row)[0])
        if face >= 0:
            return self.scene.parts[self._overhead.part_of[face]].name
        solid = int(self._inside(row)[0])
        if solid < 0 and self._shown_world is not None:
            return self._shown_world.colliding_part(configuration)
        return f"inside {self._solid_names[solid]}" if solid >= 0 else None

    def surfaces_of(self, part: str, over: float) -> list[TriangleMesh]:
        """Return what of a part the body must not touch: all of it, and what is above its feet.

        Args:
            part: Its name.
            over: Height [m] that ground must come over, to be more than what is stood on.
        """
        found = []
        row = self.scene.part_names.index(part)
        if self._mesh is not None and (self._part_of == row).any():
            found.append(self._mesh.select(self._part_of == row))
        ground = self._overhead.mesh
        if ground is not None:
            high = ground.triangles[:, :, 2].max(axis=1) > over
            mine = high & (self._overhead.part_of == row)
            if mine.any():
                found.append(ground.select(mine))
        return found

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which straight motions start[i] -> end[i], (M, 3) each, are proved free.

        The proof is continuous: no resolution of steps. Motions that graze closer than the
        tolerance are refused.
        """
        start, end = np.broadcast_arrays(_rows(start), _rows(end))
        start, end = np.ascontiguousarray(start), np.ascontiguousarray(end)
        free: Bool = self._backend.sweep(start, end) < 0
        free[free] = self._overhead.sweep(start[free], end[free]) < 0
        free[free] = self._inside(start[free]) < 0
        if self._shown_world is not None:
            free[free] = self._shown_world.motions_are_free(start[free], end[free])
        return free

    def polylines_are_free(self, polylines: Sequence[Float]) -> Bool:
        """Return which polylines, (K, 3) points each with K >= 2, are proved free."""
        if not polylines:
            return np.zeros(0, dtype=np.bool_)
        start = np.concatenate([points[:-1] for points in polylines])
        end = np.concatenate([points[1:] for points in polylines])
        first = np.cumsum([0] + [len(points) - 1 for points in polylines[:-1]])
        return np.logical_and.reduceat(self.motions_are_free(start, end), first)

    def confirm(self, points: Float) -> None:
        """Let python-fcl judge every configuration and motion of an answer, points (K, 3).

        Raises:
            ConfirmationError: It finds a contact; the kernels and it disagree.
        """
        points = _rows(points)
        if self._shown_world is not None:
            self._shown_world.confirm(points)
        rows = bends(points, STRAIGHT * JUDGE_TOLERANCE * self.tolerance)
        refused = self._refused_by_judge(points[rows])
        if refused.any():
            refused = self._refused_by_judge(points)
        if refused.any():
            index = int(np.flatnonzero(refused)[0])
            start, end = points[index], points[min(index + 1, len(points) - 1)]
            raise ConfirmationError(
                f"python-fcl does not confirm the motion from {np.round(start, 4).tolist()}"
                f" to {np.round(end, 4).tolist()}; please report this scene",
                index,
            )

    def _refused_by_judge(self, points: Float) -> Bool:
        """Return which motions from each of the points (K, 3) to the next are not confirmed."""
        start, end = (points[:-1], points[1:]) if len(points) > 1 else (points, points)
        refused: Bool = self._judge.sweep(start, end) >= 0
        refused |= self._overhead_judge.sweep(start, end) >= 0
        # A motion that touches no surface stays where it began: inside a solid, or outside of all.
        refused[0] |= self._judge.inside(start[:1] + self._middle)[0] >= 0
        return refused

    @cached_property
    def footing(self) -> Footing:
        """The ground and the obstacles of walkers like the body."""
        return self.scene.footing(self.max_step)

    @cached_property
    def _judge(self) -> Backend:
        tolerance = JUDGE_TOLERANCE * self.tolerance
        return self._make(FclBackend, self._mesh, tolerance, QueryCounts())

    @cached_property
    def _overhead_judge(self) -> OverheadGround:
        tolerance = JUDGE_TOLERANCE * self.tolerance
        return self._ground_overhead(FclBackend, tolerance)

    def _ground_overhead(self, kind: Callable[..., Backend], tolerance: float) -> OverheadGround:
        footing = None if self.flying else self.footing
        return OverheadGround(footing, self.body, kind, tolerance, self._offset)

    def in_solid(self, points: Float) -> Bool:
        """Return which points (M, 3) are inside a closed part."""
        return self._backend.inside(np.ascontiguousarray(points, dtype=np.float64)) >= 0

    @property
    def swept(self) -> SweptBody | None:
        """What a compiled loop needs to prove motions free; None where it cannot."""
        return self._swept if self._shown_world is None else None

    @cached_property
    def _swept(self) -> SweptBody | None:
        own, (low, high) = self._backend, self.body.capsule_axis
        probes = [probe for probe in self._overhead.probes if isinstance(probe, KernelBackend)]
        if not isinstance(own, KernelBackend) or len(probes) < len(self._overhead.probes):
            return None
        parts = [(*probe.capsule_axis, probe.radius) for probe in probes]
        return SweptBody(
            mesh=own.query.arrays,
            shape=(float(low), float(high), float(self.body.radius)),
            tolerance=float(self.tolerance),
            overhead=(probes[0] if probes else own).query.arrays,
            around=np.array(self._overhead.around),
            probes=np.array(parts, float).reshape(-1, 3),
            middle=float(self._middle[2]),
            boxes=own.solids.arrays[0],
            grid=own.solids.arrays[1],
            cells=own.solids.arrays[2],
        )

    def is_in_solid(self, configurations: Float) -> Bool:
        """Return whether the middle of the body (M,) is in a closed solid."""
        return self._inside(configurations) >= 0

    def _inside(self, configurations: Float) -> Index:
        """Return the solid (M,) around the middle of each capsule, -1 for none."""
        return self._backend.inside(configurations + self._middle)

    def _make(
        self,
        kind: Callable[..., Backend],
        mesh: TriangleMesh | None,
        tolerance: float,
        counts: QueryCounts,
    ) -> Backend:
        if mesh is None:
            return NoObstacles()
        return kind(mesh, self._solids, self.body.capsule_axis, self.body.radius, tolerance, counts)


def _rows(configurations: Float) -> Float:
    rows = np.ascontiguousarray(configurations, dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(rows).all():
        bad = rows[~np.isfinite(rows).all(axis=1)][0]
        raise ValueError(f"`configurations` must be finite, got {bad.tolist()}")
    return rows


def _not_undersides(scene: Scene, footing: Footing) -> TriangleMesh | None:
    """Return the walkers' obstacles less the ground's undersides; None if there are none."""
    mesh, part_of = footing.met
    assert mesh is not None
    is_ground = np.array([part.role == "ground" or not scene.roles_stated for part in scene.parts])
    under = is_ground[part_of] & (mesh.normals[:, 2] < -np.cos(scene.max_slope))
    if not under.any() or under.all():
        return None
    return mesh.select(~under)
