"""Searches the axes' values that make a figure smallest, with Optuna's sampler."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.studies.axes import DrawnAxis, ListedAxis
from rmp3d.studies.design import SEED, Design, Point, check_figure
from rmp3d.studies.figures import COMPLETE
from rmp3d.studies.study import Study, run_study

TOGETHER = 4
"""Trials between two looks at what came of them: a fixed number, so that the trials do not depend
on how many processes there are."""
MAX_TRIALS = 10_000


@dataclass(frozen=True, eq=False)
class Best:
    """What a search found.

    Attributes:
        study: All its runs.
        point: The best values by axis, without the seed; None if no trial ended well.
        value: The figure there, the mean over the seeds.
        trials: How many points were tried.
        failed: How many of them had a run that did not end well.
    """

    study: Study
    point: Point | None
    value: float | None
    trials: int
    failed: int


def minimize(
    design: Design,
    folder: Path,
    figure: str,
    *,
    trials: int = 40,
    maximize: bool = False,
    processes: int = 0,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Best:
    """Try values of the axes, those near good ones more often; return the best.

    A trial is a run for each seed, and its value the mean of the figure. A trial with a run that
    did not end well is no candidate. The same study gives the same trials; those that the folder
    has are not run again.

    Args:
        design: Its axes are searched: drawn ones between their bounds, others among their values.
        folder: See `run_study`.
        figure: A column of the table.
        trials: How many.
        maximize: Whether the figure is to be large.
        processes: See `run_study`.
        scheduler: See `run_study`.
        progress: Called with trials done and trials in all.

    Raises:
        InputError: Optuna is not installed, there is nothing to search, or there is no such figure;
            and see `run_study`.
    """
    if not 1 <= trials <= MAX_TRIALS:
        raise InputError(f"--trials {trials}: expected 1 to {MAX_TRIALS:,}")
    axes: list[ListedAxis | DrawnAxis] = [
        *(axis for axis in design.listed if axis.key != SEED),
        *design.drawn,
    ]
    if not axes:
        raise InputError(f"{design.where}: has no axis but the seed; there is nothing to search")
    search = _sampler(design.table.samples.seed, maximize)
    searched = _BestTrial(search, figure, maximize, next(iter(_seeds(design)), (None,)))

    def done(points: list[Point]) -> Study:
        runs = [each for point in points for each in searched.runs_of(point)]
        return run_study(design, folder, processes=processes, scheduler=scheduler, points=runs)

    tried: list[Point] = []
    new = 0
    while len(tried) < trials:
        asked = [search.ask() for _ in range(min(TOGETHER, trials - len(tried)))]
        points = [{axis.key: _suggested(trial, axis) for axis in axes} for trial in asked]
        study = done(points)
        new += study.new
        for row, (trial, point) in enumerate(zip(asked, points, strict=True)):
            searched.tell(trial, point, study, row)
        tried += points
        if progress is not None:
            progress(len(tried), trials)
    study = replace(done(tried), new=new)
    return Best(study, searched.point, searched.value, len(tried), searched.failed)


class _BestTrial:
    """The best trial so far."""

    def __init__(self, search: Any, figure: str, maximize: bool, seeds: tuple[Any, ...]) -> None:
        self.point: Point | None = None
        self.value: float | None = None
        self.failed = 0
        self._search, self._figure, self._maximize, self._seeds = search, figure, maximize, seeds

    def runs_of(self, point: Point) -> list[Point]:
        """Return the runs of a trial, one for each seed."""
        return [point if seed is None else {**point, SEED: seed} for seed in self._seeds]

    def tell(self, trial: Any, point: Point, study: Study, row: int) -> None:
        """Note what came of a trial, a row of some that were run together."""
        rows = study.rows[row * len(self._seeds) : (row + 1) * len(self._seeds)]
        complete = all(each["outcome"] == COMPLETE for each in rows)
        if complete:
            check_figure(self._figure, list(study.figures))
        values = [each.get(self._figure) for each in rows]
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        if not complete or len(numbers) < len(values):
            self.failed += 1
            self._search.tell(trial, state=_failed())
            return
        value = sum(numbers) / len(numbers)
        self._search.tell(trial, value)
        better = self.value is None or (
            value > self.value if self._maximize else value < self.value
        )
        if better:
            self.point, self.value = point, value


def _sampler(seed: int, maximize: bool) -> Any:
    try:
        import optuna
    except ImportError:
        raise InputError("--minimize needs Optuna: pip install 'rmp3d[optimize]'") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna.create_study(
        direction="maximize" if maximize else "minimize",
        sampler=optuna.samplers.TPESampler(seed=seed),
    )


def _failed() -> Any:
    from optuna.trial import TrialState

    return TrialState.FAIL


def _seeds(design: Design) -> list[tuple[Any, ...]]:
    return [axis.values for axis in design.listed if axis.key == SEED]


def _suggested(trial: Any, axis: ListedAxis | DrawnAxis) -> Any:
    if isinstance(axis, DrawnAxis):
        log = axis.scale == "log"
        if axis.integer:
            return trial.suggest_int(axis.key, int(axis.low), int(axis.high), log=log)
        return trial.suggest_float(axis.key, axis.low, axis.high, log=log)
    row = trial.suggest_categorical(axis.key, list(range(len(axis.values))))
    return axis.values[row]
