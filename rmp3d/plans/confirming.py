"""A second judge for a new plan: interval arithmetic, where bodies turn among triangles."""

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.work_limit import OutOfTimeError, work_limit
from rmp3d.planner import PlanResult
from rmp3d.planner.collision.rigid_world import RigidCollisionWorld
from rmp3d.planner.planners.verdict import INTERVALS, Verdict

LONGEST = 2.0
"""Processor time [s] that the second judge may take; it gives up then, and confirms nothing."""


def judged_twice(result: PlanResult) -> PlanResult:
    """Return a result with the verdict of the second judge, where there is one.

    python-fcl has confirmed every path before, as a part of planning. The second judge comes
    after the answer, so that no path is found later because of it; ``seconds["judge"]`` says how
    long it took.
    """
    space = result.problem.space if result.solved and len(result.verdicts) == 1 else None
    if space is None or not isinstance(space.world, RigidCollisionWorld):
        return result
    began = perf_counter()
    paths = [*result.ways, *(each.configurations for each in result.improved.tradeoffs)]
    verdict = _verdict(space.world, paths)
    seconds = {**result.seconds, "judge": perf_counter() - began}
    return replace(result, verdicts=(*result.verdicts, verdict), seconds=seconds)


def refused_by_intervals(world: RigidCollisionWorld, path: Float) -> int | None:
    """Return the first motion of a path (K, 7) that interval arithmetic refuses, or None.

    Raises:
        OutOfTimeError: A `work_limit` is used up.
    """
    from rmp3d.verification.interval_judge import IntervalJudge  # slow to load

    row = IntervalJudge(world.problem.robot, world.surroundings).first_refused(path)
    return None if row < 0 else row


def confirmation_facts(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """Return who confirms a path, who refuses which motion, and who gave up, for JSON."""
    rows = list(verdicts)
    facts: dict[str, Any] = {"confirmed_by": [each.judge for each in rows if each.confirmed]}
    if refused := {each.judge: each.refused for each in rows if each.refused is not None}:
        facts["refused"] = refused
    if gave_up := [each.judge for each in rows if each.gave_up]:
        facts["gave_up"] = gave_up
    return facts


def confirmation_text(facts: dict[str, Any]) -> str:
    """Return the same in words."""
    said = f"confirmed by {' and '.join(facts['confirmed_by'])}"
    for judge, motion in facts.get("refused", {}).items():
        said += f"; {judge} refuses motion {motion}, please report this problem"
    for judge in facts.get("gave_up", []):
        said += f"; {judge} took too long and was left out"
    return said


def _verdict(world: RigidCollisionWorld, paths: Iterable[Float]) -> Verdict:
    try:
        with work_limit(LONGEST):
            refused = [refused_by_intervals(world, path) for path in paths]
    except OutOfTimeError:
        return Verdict(INTERVALS, gave_up=True)
    return Verdict(INTERVALS, next((row for row in refused if row is not None), None))
