"""Ground with heading: a long body that drives on a walkable surface, which may have levels."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from rmp3d.geometry import Bool, Float, Index, InputError, frozen
from rmp3d.geometry.curves import sampled_curves
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.reeds_shepp import reeds_shepp_paths
from rmp3d.geometry.rotations import rotation_vector, slerp, turned
from rmp3d.geometry.surface import CURB, are_steps
from rmp3d.geometry.vectors import length
from rmp3d.models import Body
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.collision.row_world import SHARE, RowCollisionWorld, capsule_body
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces.bounds import in_bounds, out_of_bounds
from rmp3d.planner.spaces.ground import REACH, GroundSpace
from rmp3d.planner.spaces.rigid_metric import RigidMetric
from rmp3d.planner.spaces.space import SPACES, Space
from rmp3d.planner.spaces.walks import SEAM, SHEET, straight_walks
from rmp3d.scenes import Scene

Curves = Literal["dubins", "reeds_shepp"]
HEADINGS = 16  # tried at a point without a heading
LINE_STEP = 2.0  # [m] between poses on a straight line
THIN = 0.5  # of the radius of the widest capsule: one that finds doors it just passes
TESTED = 4  # every so many poses of a curve are tested before all of it is proved


@SPACES.register("ground_heading")
class GroundHeadingSpace(RigidMetric):
    """Poses on the walkable surface of a vehicle that drives along its heading.

    A configuration is (7,): a point of the surface [m], and a unit quaternion about z, scalar
    first. A motion between two of them is the shortest path of Reeds and Shepp, or of Dubins for a
    vehicle that has no reverse gear, over the surface; its pieces are certified for the row of the
    body's capsules. The distance is that of the points, plus the body's reach times the angle.

    Args:
        world: What the body must not touch.
        bounds: (2, 3) corners [m]; None: the scene's.
        turn_radius: Of the tightest turn [m].
        reverses: Whether the vehicle drives backward.

    Attributes:
        ground: The surface, and the widest capsule on it: where that cannot be, the body cannot.

    Raises:
        InputError: The scene has no walkable triangle, or the turn radius is not positive.
    """

    grounded = True
    width = 7
    meter = 1.0
    dimension = 4  # three for the point of the surface, one for the heading

    def __init__(
        self,
        world: RowCollisionWorld,
        bounds: Float | None = None,
        turn_radius: float = 1.0,
        reverses: bool = True,
    ) -> None:
        if not 0.0 < turn_radius < np.inf:
            raise InputError(
                f"the space `ground_heading` needs a `turn_radius` above 0, got {turn_radius}; "
                "what moves in any direction is planned in `ground`"
            )
        bounds = world.scene.bounds if bounds is None else bounds
        origin = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        super().__init__("rigid", bounds, origin, world.reach)
        self.freedom = frozen([1.0, 1.0, 0.0, 0.0, 0.0, 1.0])
        self.world = world
        self.turn_radius, self.reverses = float(turn_radius), bool(reverses)
        self.ground = self._of_widest(1.0)
        self.surface = self.ground.surface
        self.marks: Mapping[str, Any] = MappingProxyType(
            {
                **self.ground.marks,
                "turn_radius": self.turn_radius,
                "reverses": self.reverses,
                "capsules": world.body.capsules.tolist(),
            }
        )

    @classmethod
    def of_scene(
        cls,
        scene: Scene,
        body: Body,
        bounds: Float | None,
        backend: Literal["auto", "fcl"],
        tolerance: float | None = None,
        max_step: float = CURB,
        turn_radius: float = 1.0,
        reverses: bool = True,
    ) -> "GroundHeadingSpace":
        """Return the space of a body in a scene."""
        world = RowCollisionWorld(
            scene, body, backend=backend, tolerance=tolerance, max_step=max_step
        )
        return cls(world, bounds, turn_radius, reverses)

    def _of_widest(self, share: float) -> GroundSpace:
        """Return the surface, and the widest capsule on it, with a share of its radius."""
        world = self.world
        _, radius, low, high = world.body.capsules[int(np.argmax(world.body.capsules[:, 1]))]
        thinner = (1.0 - share) * radius
        body = capsule_body(share * radius, float(low - thinner), float(high + thinner))
        own = CollisionWorld(world.scene, body, tolerance=world.tolerance, max_step=world.max_step)
        return GroundSpace(own, self.bounds, turns_anywhere=False)

    @cached_property
    def thin(self) -> GroundSpace:
        """The surface, and a capsule of half the radius of the widest; it is as tall."""
        return self._of_widest(THIN)

    @cached_property
    def round(self) -> GroundSpace:
        """The surface, and the round capsule around the whole body, which needs no heading."""
        world = self.world
        own = CollisionWorld(world.scene, world.body, max_step=world.max_step)
        return GroundSpace(own, self.bounds, turns_anywhere=False)

    @cached_property
    def largest_turn(self) -> float:
        """Turn [rad] between poses of a curve, whose chords then stay near it."""
        lever = self.turn_radius + float(np.abs(self.world.forward).max())
        return float(np.sqrt(8.0 * SHARE * self.world.tolerance / lever))

    def images(self, configurations: Float) -> Float:
        """Return points (2, M, 7): position, and the two quaternions on a sphere."""
        own = self.embedded(configurations)
        return np.stack([own, own * np.where(np.arange(7) < 3, 1.0, -1.0)])

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, 4) in [0, 1) to the surface, uniformly by area, and to headings."""
        points = self.ground.from_unit_cube(values[:, :3])
        return posed(points, 2.0 * np.pi * values[:, 3])

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 7) are within bounds and collide with nothing."""
        free = in_bounds(configurations, self.bounds)
        free[free] = self.world.is_free(configurations[free])
        return free

    def can_be_cut(self, start: Float, end: Float) -> Bool:
        """Return which pieces (M,) of motions do not lead from tread to tread."""
        return ~are_steps(start[:, :3], end[:, :3])

    def shifted(self, configurations: Float, displacement: Float) -> Float:
        """Return configurations (M, 7) moved by (M, 3) [m], and turned by (M, 6)."""
        rows = configurations.copy()
        rows[:, :3] += displacement[:, :3]
        if displacement.shape[1] == 6:
            turn = displacement[:, 3:] * [0.0, 0.0, 1.0] / self.reach
            rows[:, 3:] = _upper(turned(rows[:, 3:], turn))
        return rows

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Move configurations (M, 7) over the surface by the plan part, and turn them."""
        turn = displacement * (np.arange(displacement.shape[1]) > 2)
        rows = self.shifted(configurations, turn)
        rows[:, :3], arrived = self.ground.move(configurations[:, :3], displacement[:, :3])
        return rows, arrived

    def locked(self) -> Space:
        """Refuse: a vehicle that must not turn hardly gets anywhere.

        Raises:
            InputError: Always.
        """
        raise InputError(
            "the local planner `translation_only` is not for the space `ground_heading`, where a "
            "vehicle turns as it drives; take `reeds_shepp`, `dubins` or `linear`"
        )

    def toward(self, start: Float, end: Float) -> Float:
        """Return the displacements (M, 6) [m] of the straight motions start[i] -> end[i]."""
        turn = self.reach * rotation_vector(start[:, 3:], end[:, 3:])
        return np.hstack([end[:, :3] - start[:, :3], turn])

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the shortest curves (K, 7) between configurations that are proved free."""
        return self.curves(start, end, "reeds_shepp" if self.reverses else "dubins")

    def connects(self, start: Float, end: Float) -> Bool:
        """Return for which pairs `connect` finds a curve."""
        return np.array([curve is not None for curve in self.connect(start, end)], np.bool_)

    def curves(self, start: Float, end: Float, kind: Curves) -> list[Float | None]:
        """Return the shortest curves of a kind (K, 7) that are proved free, None for the others."""
        if len(start) == 0:
            return []
        poses = plane_poses(start), plane_poses(end)
        paths = reeds_shepp_paths if kind == "reeds_shepp" else dubins_paths
        curvature, size = paths(*poses, self.turn_radius)
        total = np.abs(size).sum(axis=2)
        best, rows = total.argmin(axis=1), np.arange(len(start))
        exists = np.isfinite(total[rows, best])
        size = np.where(exists[:, None], size[rows, best], 0.0)
        return self.driven(start, curvature[rows, best], size, end)

    def driven(
        self, start: Float, curvature: Float, size: Float, end: Float | None = None
    ) -> list[Float | None]:
        """Return the polylines (K, 7) of curves over the surface that are proved free.

        Args:
            start: (M, 7) where they begin.
            curvature: (M, P) of their pieces [1/m].
            size: (M, P) signed lengths of their pieces [m].
            end: (M, 7) where they must end, height included; None: wherever they lead.
        """
        samples, first = sampled_curves(
            plane_poses(start), curvature, size, LINE_STEP, self.largest_turn
        )
        points, good = self._on_surface(samples, first, start)
        last = first[1:] - 1
        poses = posed(points, samples[:, 2])
        poses[first[:-1]] = start
        if end is not None:
            off = np.abs(points[last] - end[:, :3])
            good &= (length(off[:, :2]) <= SEAM) & (off[:, 2] <= SHEET)
            poses[last[good]] = end[good]
        good &= self._may_be_free(poses, first)
        rows = np.flatnonzero(good)
        bent = self._bent([poses[first[row] : first[row + 1]] for row in rows.tolist()])
        found: list[Float | None] = [None] * len(start)
        for row, polyline in zip(rows.tolist(), self._proved(bent), strict=True):
            found[row] = polyline
        return found

    def place(self, point: Float, reach: float = REACH) -> Float:
        """Return the configuration (7,) above or below a point (3,) or configuration (7,).

        A point without heading is given, of sixteen headings, that of the most clearance.

        Raises:
            PlacementError: No walkable ground within ``reach`` [m], out of bounds, or in collision
                in every heading; says with what.
        """
        point = np.asarray(point, float)
        spot, face = self.surface.locate(point[None, :3], reach, reach)
        if face[0] < 0:
            raise PlacementError(
                f"not on walkable ground (none within {reach:g} m above or below)",
                "not on walkable ground",
            )
        if not in_bounds(spot, self.bounds)[0]:
            raise out_of_bounds(self.bounds, self.world.scene.bounds)
        if len(point) == 7:
            rows = posed(spot, heading_angle(point[None]))
        else:
            angle = np.linspace(0.0, 2.0 * np.pi, HEADINGS, endpoint=False)
            rows = posed(np.repeat(spot, HEADINGS, axis=0), angle)
        free = self.world.is_free(rows)
        clearance = self.world.clearance(rows, self.reach)
        best = rows[int(np.argmax(np.where(free, clearance, clearance - 2.0 * self.reach)))]
        if free.any():
            return best
        part = self.world.colliding_part(best)
        assert part is not None
        reason = part if part.startswith("inside ") else f"in collision with `{part}`"
        raise PlacementError(reason, reason, part)

    def _on_surface(self, samples: Float, first: Index, start: Float) -> tuple[Float, Bool]:
        """Walk along curves; return their points (T, 3), and which curves (M,) come to their ends.

        Args:
            samples: (T, 3) poses in plan of all curves.
            first: (M + 1,) where each curve begins in them.
            start: (M, 7) where they begin.
        """
        points = np.full((len(samples), 3), np.nan)
        points[first[:-1]] = start[:, :3]
        here, face = self.surface.locate(start[:, :3], SEAM, SEAM)
        good = face >= 0
        count = np.diff(first)
        for step in range(1, int(count.max())):
            rows = np.flatnonzero(good & (count > step))
            if len(rows) == 0:
                break
            at = first[rows] + step
            moved, face[rows], arrived = self.surface.walk(
                here[rows], face[rows], samples[at, :2] - here[rows, :2]
            )
            here[rows] = points[at] = moved
            good[rows[~arrived]] = False
        good[~np.logical_and.reduceat(np.isfinite(points).all(axis=1), first[:-1])] = False
        return points, good

    def _may_be_free(self, poses: Float, first: Index) -> Bool:
        """Return which curves (M,) touch nothing at some of their poses (T, 7)."""
        curve = np.repeat(np.arange(len(first) - 1), np.diff(first))
        row = np.arange(len(poses)) - first[curve]
        tested = np.flatnonzero((row % TESTED == TESTED // 2) & np.isfinite(poses).all(axis=1))
        free = np.ones(len(first) - 1, np.bool_)
        free[curve[tested[~self.is_free(poses[tested])]]] = False
        return free

    def _bent(self, curves: list[Float]) -> list[Float | None]:
        """Return the polylines (K, 7) that also bend where the surface does, if they stay on it."""
        if not curves:
            return []
        start = np.concatenate([points[:-1] for points in curves])
        end = np.concatenate([points[1:] for points in curves])
        walks = straight_walks(self.surface, start[:, :3], end[:, :3])
        sizes = np.diff(walks.first)
        walk = np.repeat(np.arange(len(sizes)), sizes)
        along = length((walks.points - start[walk, :3])[:, :2])
        whole = np.maximum(length((end - start)[walk, :2]), 1e-12)
        turned_to = slerp(start[walk, 3:], end[walk, 3:], np.minimum(along / whole, 1.0))
        rows = np.hstack([walks.points, turned_to])
        # Walks begin where the ones before end.
        inner = np.ones(len(rows), np.bool_)
        inner[walks.first[:-1][sizes > 0]] = False
        bent: list[Float | None] = []
        at = 0
        for points in curves:
            pieces = slice(at, at + len(points) - 1)
            own = slice(walks.first[pieces.start], walks.first[pieces.stop])
            at = pieces.stop
            polyline = np.concatenate([points[:1], rows[own][inner[own]]])
            polyline[-1] = points[-1]
            bent.append(polyline if (sizes[pieces] > 0).all() else None)
        return bent

    def _proved(self, polylines: list[Float | None]) -> list[Float | None]:
        """Return the polylines (K, 7) that are proved free, None for the others."""
        known = [points for points in polylines if points is not None]
        if not known:
            return polylines
        start = np.concatenate([points[:-1] for points in known])
        end = np.concatenate([points[1:] for points in known])
        free = in_bounds(start, self.bounds) & in_bounds(end, self.bounds)
        free[free] = self.world.motions_are_free(start[free], end[free])
        pieces = iter(np.split(free, np.cumsum([len(points) - 1 for points in known])[:-1]))
        return [
            points if points is not None and next(pieces).all() else None for points in polylines
        ]


def posed(points: Float, angle: Float) -> Float:
    """Return configurations (M, 7) of points (M, 3) and headings (M,) [rad]."""
    zero = np.zeros_like(angle)
    turn = np.stack([np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)], axis=1)
    return np.hstack([points, _upper(turn)])


def _upper(quaternion: Float) -> Float:
    """Return, of the two quaternions (M, 4) of a heading, always the same."""
    return np.where(quaternion[:, :1] < 0.0, -quaternion, quaternion)


def heading_angle(configurations: Float) -> Float:
    """Return the angles (M,) [rad] of the headings of configurations (M, 7) in plan."""
    w, x, y, z = np.moveaxis(configurations[:, 3:], 1, 0)
    angle: Float = np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    return angle


def plane_poses(configurations: Float) -> Float:
    """Return poses (M, 3) in plan: x, y, angle of the heading."""
    return np.column_stack([configurations[:, :2], heading_angle(configurations)])
