"""A query: from start and goal to a short, certified path over a roadmap."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.paths.center import centered
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import densified, total_length, without_repeats
from rmp3d.planner.paths.shortening import shortened
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import Ends, join_ends, route_over, settled
from rmp3d.planner.spaces import GroundHeadingSpace, GroundSpace, Space
from rmp3d.planner.spaces.endpoints import Place, endpoint

SPACING = 1.0 / 3.0  # between points of a path, times the body's radius
LARGEST = 5000  # points of a path, roughly; a longer path has wider spacing


def query(
    roadmap: Roadmap,
    start: Place,
    goal: Place,
    rng: np.random.Generator,
    *,
    clearance_wanted: float = 0.0,
) -> CertifiedPath:
    """Find a path over a roadmap: search, shorten, keep to the middle, cut bends, confirm.

    The path over a roadmap of nothing but corners is not shortened: it turns at corners only.
    Any number of queries can be made; the roadmap does not change. What a query proves of a lazy
    roadmap is lost with it; `settled` keeps that.

    Args:
        roadmap: Of the space that the path is to be in.
        start: A point (3,) [m], or a region of the scene.
        goal: The same.
        rng: For the short cuts tried; the same state gives the same path.
        clearance_wanted: Clearance [m] that the path keeps where there is room for it; where
            there is less it goes through the middle. 0: the shortest path, however close.

    Returns:
        The path; every piece is proved free, and confirmed by python-fcl.

    Raises:
        StartError: The start is out of bounds, in collision, or not on walkable ground.
        GoalError: The same of the goal.
        NoPathError: Start and goal are in different components of the roadmap.
        ConfirmationError: python-fcl does not agree with the kernels about a piece.
    """
    space = roadmap.space
    a, b = endpoint(space, start, "start"), endpoint(space, goal, "goal")
    ends = join_ends(roadmap, a, b, clearance_wanted)
    return path_over(settled(roadmap, ends, clearance_wanted), ends, rng, clearance_wanted)


def path_over(
    roadmap: Roadmap, ends: Ends, rng: np.random.Generator, clearance_wanted: float
) -> CertifiedPath:
    """Return the path of a query whose ends are joined to a settled roadmap; see `query`.

    Raises:
        NoPathError: Start and goal are in different components of the roadmap.
        ConfirmationError: python-fcl does not agree with the kernels about a piece.
    """
    space = roadmap.space
    points = route_over(roadmap, ends, clearance_wanted)
    if roadmap.is_of_corners and clearance_wanted == 0.0:
        space.world.confirm(points)  # points close together are on the same straight motions
        points = without_repeats(densified(points, _spacing(space, points, 1.0), space))
    else:
        points = polished(space, points, rng, clearance_wanted)
        space.world.confirm(points)
    world, cap = space.world, CLEARANCE_CAP * space.world.body.radius
    if isinstance(world, CollisionWorld):
        clearance = world.clearance(points, cap, on_proved_path=True)
    else:
        clearance = world.clearance(points, cap)
    turned = points[:, 3:] if space.width > 3 else None
    return CertifiedPath(points[:, :3], clearance, space.grounded, turned)


def polished(
    space: Space, points: Float, rng: np.random.Generator, clearance_wanted: float
) -> Float:
    """Return a certified polyline shortened, centered if wanted, with points close together.

    The band that keeps to the middle bends to every recess. For walkers bends are cut again, by
    short cuts that keep the clearance wanted to both sides, or as much as the band has there.
    """
    if total_length(points, space) == 0.0:
        return points[:1]
    spacing = _spacing(space, points, SPACING)
    drives = isinstance(space, GroundHeadingSpace)
    # A vehicle cannot be moved aside afterwards: its curves lead from pose to pose.
    points = shortened(space, points, rng, spacing, clearance_wanted if drives else 0.0)
    if clearance_wanted > 0.0 and not drives:
        points = centered(space, points, clearance_wanted)
        if isinstance(space, GroundSpace) and space.turns_anywhere:
            points = shortened(space, points, rng, spacing, clearance_wanted, beside=True)
    return without_repeats(densified(points, spacing, space))


def _spacing(space: Space, points: Float, share: float) -> float:
    """Return the distance [m] of points of a path, ``share`` times the radius if it is short."""
    return max(share * space.world.body.radius, total_length(points, space) / LARGEST)
