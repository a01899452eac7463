"""Proving a recording or a plan in one call."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, overload

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import check_callbacks
from rmp3d.geometry.short_repr import in_short
from rmp3d.planner import PlanResult
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.scenario.targets import is_result

if TYPE_CHECKING:
    from rmp3d.plans.judging import PlanReport
    from rmp3d.verification import Report

Progress = Callable[[int, int], None] | None


@overload
def verify(
    recording: PlanResult, progress: Progress = None, *, time_limit: float | None = None
) -> "PlanReport": ...


@overload
def verify(
    recording: RecordingReader | str | PathLike[str],
    progress: Progress = None,
    scenario: Scenario | str | PathLike[str] | None = None,
    time_limit: float | None = None,
) -> "Report": ...


def verify(
    recording: RecordingReader | PlanResult | str | PathLike[str],
    progress: Progress = None,
    scenario: Scenario | str | PathLike[str] | None = None,
    time_limit: float | None = None,
) -> "Report | PlanReport":
    """Prove a recording free of collisions: every frame and motion, mesh against mesh.

    Of a plan, every motion of its paths is proved again, by judges that share no code with the
    planner's kernels.

    >>> verify("a.rmp3d").ok  # doctest: +SKIP
    True

    Args:
        recording: A `Recording`, or the path of a file; or what `plan` returned, or the path of a
            file of ``rmp3d plan -o FILE.json``.
        progress: Called with frames done and frames in all; of a plan, with judgements.
        scenario: What the recording should be a run of: a `Scenario`, the name of a built-in one,
            or a file. Each key in which the recording's is another is a finding ``scenario``.
        time_limit: Processor time [s] that the judges of a plan may take, by default 10; those that
            are not done by then give up, and confirm nothing.

    Returns:
        The report: ``ok``, ``findings``, clearances; of a plan: ``ok``, ``bodies``.

    Raises:
        RecordingError: There is no such recording, it is damaged, or has no frames.
        InputError: Scene or characters are gone or have changed; a plan is given with a
            ``scenario``.
    """
    if not isinstance(recording, RecordingReader | PlanResult | str | PathLike):
        raise InputError(
            "`recording` must be a Recording, a result of `plan`, or a file, got "
            f"{in_short(recording)}"
        )
    check_callbacks(progress=progress)
    trusted = Scenario.load(Path(scenario)) if isinstance(scenario, str | PathLike) else scenario
    if not isinstance(trusted, Scenario | None):
        raise InputError(
            f"`scenario` must be a Scenario, a name or a file, got {in_short(scenario)}"
        )
    if not isinstance(recording, RecordingReader) and (
        isinstance(recording, PlanResult) or is_result(str(recording))
    ):
        if trusted is not None:
            raise InputError("`scenario`: is for recordings, but a plan is given")
        return _judged(recording, progress, time_limit)
    if time_limit is not None:
        raise InputError("`time_limit`: is for plans, but a recording is given")
    from rmp3d.verification import verify as prove

    if isinstance(recording, RecordingReader):
        return prove(recording, progress, trusted)
    with RecordingReader.open(Path(recording)) as opened:
        return prove(opened, progress, trusted)


def _judged(
    plan: PlanResult | str | PathLike[str], progress: Progress, time_limit: float | None
) -> "PlanReport":
    from rmp3d.plans.body_plan import WatchedPlan
    from rmp3d.plans.judging import LONGEST, judged
    from rmp3d.plans.saved import load_plan

    if isinstance(plan, PlanResult):
        watched = WatchedPlan.of_result(plan)
    else:
        watched = load_plan(Path(plan))
    return judged(watched, progress, LONGEST if time_limit is None else time_limit)
