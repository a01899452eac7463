"""Running a study in one call."""

from collections.abc import Callable, Mapping, Sequence, Set
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import check_callbacks, path_given
from rmp3d.scenario import Scenario
from rmp3d.studies import Design, Study, design_of, read_study, run_study


def study(
    of: Scenario | str | PathLike[str] | Sequence[str],
    axes: Mapping[str, Any] | None = None,
    *,
    to: str | PathLike[str],
    seeds: int | Sequence[int] | None = None,
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    samples: Mapping[str, Any] | None = None,
    verify: bool = True,
    keep: Literal["all", "failures", "none"] = "all",
    figures: Sequence[str] = (),
    processes: int = 0,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Run a scenario with some of its keys varied; return the table of figures.

    >>> found = study("parking", {"groups.0.members": [5, 9]}, seeds=3, to="p.study")
    ... # doctest: +SKIP
    >>> found.column("last_arrival")  # doctest: +SKIP

    A study that was stopped goes on where it was; one that was changed runs only what is new.

    Args:
        of: A `Scenario`, the name or file of one, several names; or a study file, which has the
            axes itself.
        axes: By the key of the scenario, such as ``groups.0.members`` or ``planner.nodes``: a list
            of values, ``{"from": 1, "to": 9, "step": 2}``, ``{"from": 0.1, "to": 10, "count": 5}``,
            or ``{"min": 0.5, "max": 2}``, which is drawn.
        to: The folder of tables, report and recordings.
        seeds: The first so many, or a list.
        cases: By name, keys of the scenario with their values: an axis that changes several keys.
        samples: How axes with ``min`` and ``max`` are drawn: ``count``, ``method`` (``sobol`` or
            ``random``), ``seed``.
        verify: Whether each run is verified.
        keep: Which recordings are kept.
        figures: Names of figures of your own, see `rmp3d.studies.FIGURES`, that are measured, too.
        processes: Runs at a time; 0: one for each core.
        scheduler: Address of a Dask scheduler, whose workers do the runs instead.
        progress: Called with runs done and runs in all.

    Returns:
        ``rows``, ``failures``, ``column(name)``, ``to_frame()``, ``report()``.

    Raises:
        InputError: An axis or a value is refused, before the first run.
    """
    given = {
        "axes": {key: _listed(values) for key, values in (axes or {}).items()},
        "seeds": _listed(seeds),
        "cases": {name: dict(case) for name, case in (cases or {}).items()},
        "samples": dict(samples or {}), "verify": verify, "keep": keep,
        "figures": list(figures),
    }  # fmt: skip
    design = _design(of, {key: value for key, value in given.items() if value is not None})
    check_callbacks(progress=progress)
    folder = path_given(to, "to")
    return run_study(design, folder, processes=processes, scheduler=scheduler, progress=progress)


def _listed(values: Any) -> Any:
    """Return a range, a tuple or a set as a list, and anything else as it is."""
    is_listed = isinstance(values, Sequence | Set) and not isinstance(values, str)
    return list(values) if is_listed else values


def _design(of: Any, given: dict[str, Any]) -> Design:
    if isinstance(of, Scenario):
        table = {"name": of.name, "scenario": of.name, **given}
        return design_of(table, "study", of)
    if isinstance(of, PathLike):
        of = str(Path(of))
    if isinstance(of, str) and of.endswith(".toml") and _is_study(Path(of)):
        if given["axes"] or given["cases"] or "seeds" in given:
            raise InputError(f"{of}: is a study file; it has its axes itself, so leave them out")
        return read_study(Path(of))
    named = [of] if isinstance(of, str) else list(of)
    name = Path(named[0]).stem if named else "study"
    scenario = of if isinstance(of, str) else named
    return design_of({"name": name, "scenario": scenario, **given}, "study")


def _is_study(path: Path) -> bool:
    from rmp3d.geometry.checked_toml import read_toml

    return "scenario" in read_toml(path)
