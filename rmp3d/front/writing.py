"""Writing what `show` shows: exports in other formats, and pages."""

from os import PathLike
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import path_given
from rmp3d.geometry.registry import unknown_name


def export(target: Any, *paths: str | PathLike[str], **options: Any) -> tuple[Path, ...]:
    """Write what `show` shows in other formats, which the suffixes say (``rmp3d export --help``).

    >>> export(plan("window.env"), "a.glb", "a.mp4", fps=25)  # doctest: +SKIP

    Args:
        target: What `show` takes. A `Scenario` is planned, and each group's body goes along its
            path; so does the body of a `PlanResult`.
        paths: Such as ``a.glb``, ``a.html``, ``a.mp4``, ``a.png``, ``a.csv``.
        options: Of the formats, such as ``fps``; each goes to the formats that have it.

    Returns:
        The paths.

    Raises:
        InputError: No such target, format or option, or a file cannot be written.
        ViewerError: A format needs pictures, and there is no OpenGL 3.3 here.
    """
    from rmp3d.front.playbacks import playback_of
    from rmp3d.viewer.export import export_playback, format_of, make_exporter, option_names

    targets = tuple(path_given(path) for path in paths)
    if not targets:
        raise InputError("`export`: give at least one file, such as `a.glb`")
    known = {each: option_names(format_of(each)) for each in targets}
    every = sorted({name for names in known.values() for name in names})
    for name in options:
        if name not in every:
            raise InputError(unknown_name("option of these formats", name, every))
    own = {
        each: {name: value for name, value in options.items() if name in names}
        for each, names in known.items()
    }
    for each in targets:  # what can be refused is, before any work
        make_exporter(each, own[each])
    seen = playback_of(_planned(target))
    for each in targets:
        export_playback(seen, each, options=own[each])
    return targets


def report(target: Any, path: str | PathLike[str], *, check: bool = True) -> Path:
    """Write a page about a recording or a plan, and return its path.

    >>> report(plan("window.env"), "page.html")  # doctest: +SKIP

    Args:
        target: A `Recording`, `PlanResult`, `Problem` or `Scenario`, or the file or name of one;
            a problem and a scenario are planned.
        path: Ends in ``.html``.
        check: Whether to verify a recording for the page; the path of a plan is always proved.

    Raises:
        InputError: It is something else, or the file cannot be written.
        RecordingError: The recording is damaged, or has no frames.
    """
    from rmp3d.planner import PlanResult
    from rmp3d.plans.body_plan import WatchedPlan
    from rmp3d.recording import RecordingReader
    from rmp3d.reporting import write_plan_report, write_report

    page = path_given(path)
    about = _planned(target)
    if isinstance(about, PlanResult):
        about = WatchedPlan.of_result(about)
    if isinstance(about, WatchedPlan):
        write_plan_report(about, page)
    elif isinstance(about, RecordingReader):
        write_report(about, page, check=check)
    else:
        raise InputError(
            "`report` takes a Recording, PlanResult, Problem or Scenario, or the file or name of "
            f"one, got {type(target).__name__}"
        )
    return page


def _planned(target: Any) -> Any:
    """Return what a target names; problems and scenarios are planned."""
    from rmp3d.front.showing import loaded
    from rmp3d.planner import Problem, plan
    from rmp3d.plans.asking import plan_scenario
    from rmp3d.scenario import Scenario

    if isinstance(target, str | Path):
        target = loaded(Path(target))
    if isinstance(target, Scenario):
        return plan_scenario(target)
    return plan(target) if isinstance(target, Problem) else target
