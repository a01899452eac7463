"""Proving a recording or a plan in one call."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, overload

from rmp3d.geometry.errors import InputError
from rmp3d.planner import PlanResult
from rmp3d.recording import RecordingReader
from rmp3d.scenario.targets import is_result

if TYPE_CHECKING:
    from rmp3d.plans.judging import PlanReport
    from rmp3d.verification import Report

Progress = Callable[[int, int], None] | None


@overload
def verify(recording: PlanResult, progress: Progress = None) -> "PlanReport": ...


@overload
def verify(
    recording: RecordingReader | str | PathLike[str], progress: Progress = None
) -> "Report": ...


def verify(
    recording: RecordingReader | PlanResult | str | PathLike[str], progress: Progress = None
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

    Returns:
        The report: ``ok``, ``findings``, clearances; of a plan: ``ok``, ``bodies``.

    Raises:
        RecordingError: There is no such recording, it is damaged, or has no frames.
        InputError: Scene or characters are gone or have changed.
    """
    if isinstance(recording, PlanResult):
        from rmp3d.plans.body_plan import WatchedPlan
        from rmp3d.plans.judging import judged

        return judged(WatchedPlan.of_result(recording), progress)
    if isinstance(recording, RecordingReader):
        from rmp3d.verification import verify as prove

        return prove(recording, progress)
    if not isinstance(recording, str | PathLike):
        raise InputError(
            f"`recording` must be a Recording, a result of `plan`, or a file, got {recording!r}"
        )
    if is_result(str(recording)):
        from rmp3d.plans.judging import judged
        from rmp3d.plans.saved import load_plan

        return judged(load_plan(Path(recording)), progress)
    from rmp3d.verification import verify as prove

    with RecordingReader.open(Path(recording)) as opened:
        return prove(opened, progress)
