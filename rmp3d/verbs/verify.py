"""Prove a recording again, mesh against mesh, independently of the run; or the paths of a plan.

The exit code is 0 if there are no findings, 1 if there are.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.terminal.output import show
from rmp3d.verbs.options import add_output_options, add_set_option

if TYPE_CHECKING:
    from rmp3d.plans.judging import PlanReport
    from rmp3d.verification import Report

SHOWN = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "recording",
        type=Path,
        metavar="FILE",
        help="a recording (.rmp3d), or a plan: the .json of `rmp3d plan -o`",
    )
    parser.add_argument(
        "--scenario",
        metavar="SCENARIO",
        help="the recording must be a run of this one: a built-in scenario or a file (.toml)",
    )
    add_set_option(parser)
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="processor time that judges of a plan may take [s]; default: 10",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Verify and report."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.scenario.targets import is_result

    if options.overrides and options.scenario is None:
        raise InputError("--set: changes the scenario of `--scenario SCENARIO`; give that, too")
    if is_result(str(options.recording)):
        if options.scenario is not None:
            raise InputError(f"--scenario: {options.recording} is a plan; it is for recordings")
        return _judge_plan(options)
    if options.time_limit is not None:
        raise InputError(f"--time-limit: {options.recording} is no plan (.json); it is for plans")
    from rmp3d.recording import RecordingReader
    from rmp3d.scenario import Scenario
    from rmp3d.terminal.progress import progress_bar
    from rmp3d.verification import verify

    trusted = options.scenario and Scenario.load(options.scenario, options.overrides)
    with RecordingReader.open(options.recording) as recording:
        with progress_bar("verify", "frames", quiet=options.quiet or options.json) as progress:
            report = verify(recording, progress, trusted)
    show(options, report.as_dict(), text_of(report, everything=options.verbose))
    return 0 if report.ok else 1


def _judge_plan(options: argparse.Namespace) -> int:
    """Prove the paths of a plan again, and report."""
    from rmp3d.plans.judging import LONGEST, judged
    from rmp3d.plans.saved import load_plan
    from rmp3d.terminal.progress import progress_bar

    longest = LONGEST if options.time_limit is None else options.time_limit
    plan = load_plan(options.recording)
    with progress_bar("verify", "judgements", quiet=options.quiet or options.json) as progress:
        report = judged(plan, progress, longest)
    show(options, report.as_dict(), "\n".join(plan_lines(report)))
    return 0 if report.ok else 1


def plan_lines(report: "PlanReport") -> Iterator[str]:
    """Yield what judges say of a plan, as lines of text."""
    for body in report.bodies:
        for verdict in body.verdicts:
            said = "confirms" if verdict.confirmed else f"refuses motion {verdict.refused} of"
            said = "took too long and confirms none of" if verdict.gave_up else said
            yield f"{body.name}: {verdict.judge} {said} {body.motions} motions"
        yield from (f"{body.name}: {fault}" for fault in body.faults)
    bad = sum(not body.ok for body in report.bodies)
    yield f"{bad} of {len(report.bodies)} paths are not proved" if bad else "no findings"
    if any(verdict.gave_up for body in report.bodies for verdict in body.verdicts):
        yield "`--time-limit S` gives the judges S seconds of processor time"


def text_of(report: "Report", *, everything: bool = False) -> str:
    """Return the report as text."""
    from rmp3d.terminal.text_table import table

    lines = []
    if report.findings:
        shown = report.findings if everything else report.findings[:SHOWN]
        rows = [[f.time, f.kind, f.part, f.depth, f.text] for f in shown]
        lines += [table(rows, ("time [s]", "finding", "part", "depth [m]", "")), ""]
        if len(shown) < len(report.findings):
            lines.append(f"... and {len(report.findings) - len(shown)} more (`-v` shows all)")
    left = sum(report.more.values())
    if left:
        lines.append(f"{left} further findings of the same kinds are not listed")
    verdict = "no findings" if report.ok else f"{len(report.findings) + left} findings"
    arrived = f"{report.arrived} of {report.expected} members arrived"
    lines.append(
        f"{verdict}: {report.states} states and {report.motions} motions checked, "
        + (arrived if report.expected else "no member has a goal")
    )
    lines.append(
        f"least clearance: {_meters(report.clearance_scene)} to the scene, "
        f"{_meters(report.clearance_members)} between members"
    )
    return "\n".join(lines)


def _meters(distance: float | None) -> str:
    return "-" if distance is None else f"{distance:.4f} m"
