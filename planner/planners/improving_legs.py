"""From the legs that a planner found to better ones."""

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.choices import choose, table_of
from rmp3d.planner.optimizing.settings import Better, Improved, Optimization
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import densified, total_length, without_repeats
from rmp3d.planner.planners.planner import Leg, PlanningSession
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import RigidBodySpace, Space

if TYPE_CHECKING:
    from rmp3d.planner.costs import Cost


WEIGHT = 4.0  # of clearance that is wanted and missed, where length is made small


def improved_legs(
    session: PlanningSession,
    problem: Problem,
    legs: tuple[Leg, ...],
    optimization: Optimization,
    began: float,
    better: Better = None,
) -> tuple[tuple[Leg, ...], Improved]:
    """Return the legs with cheaper certified paths where there are, and what was done.

    Args:
        session: In which the legs were found.
        problem: The question.
        legs: With certified paths.
        optimization: What is asked.
        began: When planning began, a time of `perf_counter` [s].
        better: Called with every better path.

    Raises:
        InputError: There is no such cost, or it lacks a figure.
    """
    from rmp3d.planner.costs import COSTS  # slow to load, and few paths are optimized
    from rmp3d.planner.optimizing.improving import Improving, length_in

    clock, space = perf_counter(), session.space
    cost = cost_in(problem, optimization, session.clearance_wanted)
    rng = session.rng or np.random.default_rng([session.seed, session.legs, len(legs)])
    moving = [leg for leg in legs if len(leg.configurations) > 1]
    improving = Improving(
        space, cost, [leg.configurations for leg in moving], optimization, rng,
        length_in(space, problem.rigid is not None),
    )  # fmt: skip
    if moving:
        improving.run(began, better, session.progress)
    shorter = iter(improving.legs)
    rows = [
        leg if len(leg.configurations) < 2 else _leg(space, leg, next(shorter).vertices)
        for leg in legs
    ]
    done = Improved(
        improvements=tuple(improving.improvements),
        alternatives=improving.alternatives() if moving else (),
        stopped=improving.stopped,
        cost_name=table_of(COSTS, cost)["name"],
        unit=cost.unit,
    )
    session.spend("optimize", perf_counter() - clock)
    return tuple(rows), done


def cost_in(problem: Problem, optimization: Optimization, clearance_wanted: float) -> "Cost":
    """Return the cost that is asked for, with the figures of the body.

    Where clearance is wanted, the length is not made shorter at its expense: then `length` means
    `weighted`, with that clearance.

    Raises:
        InputError: There is no such cost, or it lacks a figure.
    """
    from rmp3d.planner.costs import COSTS
    from rmp3d.planner.costs.length import LengthCost
    from rmp3d.planner.costs.weighted import WeightedCost

    cost: Cost = choose(COSTS, optimization.cost, "`cost`")
    if isinstance(cost, LengthCost) and clearance_wanted > 0.0:
        return WeightedCost(weight=WEIGHT, wanted=clearance_wanted)
    return cost.of_body(problem.character)


def _leg(space: Space, leg: Leg, vertices: Float) -> Leg:
    """Return the leg with another certified path (K, W); the leg itself if it is the same."""
    if vertices is leg.configurations:
        return leg
    if leg.path is None:
        return Leg(vertices)
    from rmp3d.planner.roadmap.querying import LARGEST, SPACING  # slow to load

    spacing = max(SPACING * space.world.body.radius, total_length(vertices, space) / LARGEST)
    dense = without_repeats(densified(vertices, spacing, space))
    clearance = space.world.clearance(dense, CLEARANCE_CAP * space.world.body.radius)
    turned = dense[:, 3:] if space.width > 3 else None
    path = CertifiedPath(dense[:, :3], clearance, space.grounded, turned)
    whole = isinstance(space, RigidBodySpace)
    return Leg(vertices if whole else path.configurations, path)
