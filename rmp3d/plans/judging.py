"""Proving a plan again, by judges that share no code with the planner's kernels."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.work_limit import OutOfTimeError, work_limit
from rmp3d.planner.collision.rigid_world import RigidCollisionWorld
from rmp3d.planner.planners.verdict import FCL, INTERVALS, Verdict
from rmp3d.planner.problems.measures import least_clearance, path_length
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.plans.body_plan import BodyPlan, WatchedPlan
from rmp3d.plans.confirming import refused_by_intervals
from rmp3d.scenes import Region

LONGEST = 10.0
"""Processor time [s] that all judgements of a plan may take, if nobody says another."""
SAME = 1e-6
"""Lengths and clearances may differ by this share, because of rounding."""
NEAR = 1e-6
"""Of start and goal, as a share of the body's size: what rounding in a file may change."""


@dataclass(frozen=True)
class JudgedPlan:
    """The plan of one body, proved again.

    Attributes:
        name: Of the body.
        motions: How many its path has.
        verdicts: Of each judge; none if there is no path.
        faults: What else is wrong: no path, other ends than asked for, out of bounds, another
            length or less clearance than the plan says.
    """

    name: str
    motions: int
    verdicts: tuple[Verdict, ...]
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there is a path as it was asked for, and every judge confirms it."""
        return not self.faults and all(verdict.confirmed for verdict in self.verdicts)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "name": self.name,
            "ok": self.ok,
            "motions": self.motions,
            "confirmed_by": [each.judge for each in self.verdicts if each.confirmed],
            "refused": {v.judge: v.refused for v in self.verdicts if v.refused is not None},
            "gave_up": [each.judge for each in self.verdicts if each.gave_up],
            "faults": list(self.faults),
        }


@dataclass(frozen=True)
class PlanReport:
    """What came out of proving a plan again.

    Attributes:
        bodies: One for each body.
    """

    bodies: tuple[JudgedPlan, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return all(body.ok for body in self.bodies)

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"ok": self.ok, "bodies": [body.as_dict() for body in self.bodies]}


def judged(
    plan: WatchedPlan,
    progress: Callable[[int, int], None] | None = None,
    longest: float = LONGEST,
) -> PlanReport:
    """Prove the paths of a plan again.

    Python-fcl judges every path, also those of other classes, and those that are best in other
    costs. A second judge, interval arithmetic, judges those of rigid
    bodies; upright capsules are left to python-fcl alone.

    Args:
        plan: With a body and path each.
        progress: Called with judgements done and in all.
        longest: Processor time [s] that it may take. Judges that are not done by then give up,
            and confirm nothing.

    Raises:
        InputError: The plan has no body to prove, or ``longest`` is no time.
    """
    if not 0.0 < longest < np.inf:
        raise InputError(f"the time limit must be a positive number of seconds, got {longest}")
    with work_limit(longest):
        return _judged(plan, progress)


def _judged(plan: WatchedPlan, progress: Callable[[int, int], None] | None) -> PlanReport:
    if not plan.bodies:
        raise InputError(f"{plan.title}: there is no group with a goal, so no path to prove")
    every = [each for body in plan.bodies for each in (body, *_tradeoffs(body))]
    asked = [(body, list(_judges(body))) for body in every]
    todo, done, bodies = sum(len(judges) for _, judges in asked), 0, []
    for body, judges in asked:
        verdicts = []
        for name, judge in judges:
            verdicts.append(_verdict(name, judge))
            done += 1
            if progress is not None:
                progress(done, todo)
        faults = tuple(_faults(body))
        motions = max(0, len(body.configurations) - 1)
        bodies.append(JudgedPlan(body.name, motions, tuple(verdicts), faults))
    return PlanReport(tuple(bodies))


def _verdict(name: str, judge: Callable[[], int | None]) -> Verdict:
    try:
        return Verdict(name, judge())
    except OutOfTimeError:
        return Verdict(name, gave_up=True)


def _tradeoffs(body: BodyPlan) -> Iterator[BodyPlan]:
    """Yield the paths of a plan that are best in other costs, each as a plan of its own."""
    stated = body.facts.get("tradeoffs") or []
    for row, path in enumerate(body.tradeoffs):
        length = stated[row]["length"] if row < len(stated) else None
        name, facts = f"{body.name}, trade-off {row + 1}", {"length": length}
        yield replace(body, name=name, configurations=path, facts=facts, tradeoffs=())


def _judges(body: BodyPlan) -> Iterator[tuple[str, Callable[[], int | None]]]:
    """Yield the judges of a body's path: each returns the first motion that it refuses."""
    if not body.solved:
        return
    yield FCL, lambda: body.refused
    world = body.space.world
    if isinstance(world, RigidCollisionWorld):
        yield INTERVALS, partial(refused_by_intervals, world, body.configurations)


def _faults(body: BodyPlan) -> Iterator[str]:
    """Yield what is wrong beside contacts."""
    if not body.solved:
        yield f"there is no path: {body.reason}" if body.reason else "there is no path"
        return
    path, problem = body.configurations, body.problem
    for name, place, there in (("start", problem.start, path[0]), ("goal", problem.goal, path[-1])):
        if _is_elsewhere(body, place, there):
            yield f"the path's {name} {np.round(there[:3], 3).tolist()} is not the one asked for"
    outside = np.flatnonzero(~_within(body))
    if len(outside):
        row = int(outside[0])
        yield f"configuration {row} {np.round(path[row, :3], 3).tolist()} is out of bounds"
    try:
        yield from _false_claims(body)
    except OutOfTimeError:
        yield "its clearance was not measured again, as that takes too long"


def _false_claims(body: BodyPlan) -> Iterator[str]:
    """Yield what the plan says of its path that is not so."""
    said, rigid = body.facts.get("length"), body.problem.rigid
    assert body.path is not None
    if said is not None:
        length = body.path.length if rigid is None else path_length(rigid, body.configurations)
        if not abs(said - length) <= SAME * max(1.0, length):
            yield f"the path's length is {length:.6g}, the plan says {said:.6g}"
    said = body.facts.get("clearance_min")
    if said is not None:
        least = (
            float(body.path.clearance.min())
            if rigid is None
            else least_clearance(rigid, body.configurations)
        )
        if least is not None and not said <= least + SAME * max(1.0, least):
            yield f"the path's least clearance is {least:.6g}, the plan says {said:.6g}"


def _within(body: BodyPlan) -> Bool:
    """Return which configurations (K,) of a path keep the bounds."""
    world = body.space.world
    if isinstance(world, RigidCollisionWorld):
        return world.problem.are_within(body.configurations)
    return in_bounds(body.configurations, body.space.bounds)


def _is_elsewhere(body: BodyPlan, place: Region | Float, there: Float) -> bool:
    """Whether a configuration (W,) is not at a place that was asked for."""
    if isinstance(place, Region):
        return not place.contains(there[None, :3])[0]
    size = max(1.0, float(np.abs(body.space.world.body.mesh.vertices).max()))
    axes = 2 if body.space.grounded else 3
    apart = np.abs(there[:axes] - np.asarray(place)[:axes]).max()
    if len(place) == len(there) == 7:
        turned = 1.0 - abs(float(there[3:] @ place[3:]))
        apart = max(apart, size * np.sqrt(max(0.0, turned)))
    return bool(apart > NEAR * size)
