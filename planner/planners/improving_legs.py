"""From the legs that a planner found to better ones."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.geometry.choices import choose, table_of
from rmp3d.planner.optimizing.settings import Better, Improved, Optimization, TradeOff
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import densified, joined, total_length, without_repeats
from rmp3d.planner.planners.planner import Leg, PlanningSession
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import RigidBodySpace, Space

if TYPE_CHECKING:
    from rmp3d.planner.costs import Cost
    from rmp3d.planner.optimizing.improving import Improving


WEIGHT = 4.0  # of clearance that is wanted and missed, where length is made small


def improved_legs(
    session: PlanningSession,
    problem: Problem,
    legs: tuple[Leg, ...],
    optimization: Optimization,
    costs: Sequence["Cost"],
    began: float,
    better: Better = None,
) -> tuple[tuple[Leg, ...], Improved]:
    """Return the legs with cheaper certified paths where there are, and what was done.

    Who stops it keeps the legs as they are then.

    Args:
        session: In which the legs were found.
        problem: The question.
        legs: With certified paths; none if there is no path.
        optimization: What is asked.
        costs: Those of `costs_in`.
        began: When planning began, a time of `perf_counter` [s].
        better: Called with every better path.
    """
    if not (legs and costs):
        return legs, Improved()
    clock = perf_counter()
    try:
        return _improved(session, problem, legs, optimization, costs, began, better)
    except KeyboardInterrupt:  # between two improvements
        return legs, Improved(stopped=True)
    finally:
        session.spend("optimize", perf_counter() - clock)


def _improved(
    session: PlanningSession,
    problem: Problem,
    legs: tuple[Leg, ...],
    optimization: Optimization,
    costs: Sequence["Cost"],
    began: float,
    better: Better,
) -> tuple[tuple[Leg, ...], Improved]:
    """Return better legs, and what was done; see `improved_legs`."""
    from rmp3d.planner.optimizing.improving import Improving, length_in
    from rmp3d.planner.optimizing.tradeoffs import blends

    space = session.space
    rng = session.rng or np.random.default_rng([session.seed, session.legs, len(legs)])
    moving = [leg for leg in legs if len(leg.configurations) > 1]
    paths = [(leg.configurations, leg.grown) for leg in moving]
    wanted = blends(costs, costs_of(costs, space, [path for path, _ in paths]))
    part, length = optimization.part(len(wanted)), length_in(space, problem.rigid is not None)
    improving = Improving(space, costs[0], paths, part, rng, length)
    if moving:
        improving.run(began, better, session.progress)
    found = [improving]
    for each in wanted[1:] if moving else ():
        if found[-1].stopped:
            break
        found.append(Improving(space, each, paths, part, rng, length))
        found[-1].run(began, None, session.progress)
    shorter = iter(improving.legs)
    rows = [
        leg if len(leg.configurations) < 2 else _leg(space, leg, next(shorter).vertices)
        for leg in legs
    ]
    done = Improved(
        improvements=tuple(improving.improvements),
        alternatives=improving.alternatives() if moving else (),
        tradeoffs=_tradeoffs(space, costs, found, length) if len(costs) > 1 and moving else (),
        stopped=any(each.stopped for each in found),
        cost_name=_name(costs[0]),
        unit=costs[0].unit,
    )
    return tuple(rows), done


def costs_in(problem: Problem, optimization: Optimization, clearance_wanted: float) -> list["Cost"]:
    """Return the cost that is asked for, and those that it is weighed against; none if none is.

    Raises:
        InputError: There is no such cost, it lacks a figure, or it is asked for twice.
    """
    if not optimization.is_asked:
        return []
    from rmp3d.planner.costs import COSTS  # slow to load, and few paths are optimized

    costs = [cost_in(problem, optimization, clearance_wanted)]
    for choice in optimization.against:
        cost: Cost = choose(COSTS, choice, "`against`").of_body(problem.character)
        if any(_name(cost) == _name(other) for other in costs):
            raise InputError(f"the cost `{_name(cost)}` is asked for twice")
        costs.append(cost)
    return costs


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


def costs_of(costs: Sequence["Cost"], space: Space, paths: Sequence[Float]) -> list[float]:
    """Return each cost of the legs' paths (K, W) together."""
    from rmp3d.planner.costs.cost import cost_of

    return [sum(cost_of(cost, space, path) for path in paths) for cost in costs]


def _name(cost: "Cost") -> str:
    from rmp3d.planner.costs import COSTS

    return str(table_of(COSTS, cost)["name"])


def _tradeoffs(
    space: Space,
    costs: Sequence["Cost"],
    found: Sequence["Improving"],
    length: Callable[[Float], float],
) -> tuple[TradeOff, ...]:
    """Return the paths that were found of which none is better than another in every cost."""
    from rmp3d.planner.optimizing.tradeoffs import not_dominated

    values = np.array([costs_of(costs, space, each.paths) for each in found])
    names = [_name(cost) for cost in costs]
    kept = np.flatnonzero(not_dominated(values))
    rows = []
    for row in kept[np.argsort(values[kept, 0], kind="stable")].tolist():
        whole = joined(found[row].paths)
        own = dict(zip(names, values[row].tolist(), strict=True))
        rows.append(TradeOff(whole, length(whole), own))
    return tuple(rows)


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
