"""Write a page about a recording or a plan: charts, tables, findings; one file, nothing else.

Of a recording: the map with trails, formations over time, the free width along the path and what
of it was in use, clearances, arrivals, spread and speed, whatever the behavior measured, and how
smoothly members move; with --json the last as `figures`, by group.

Of a problem file (.env, .cfg) or a scenario, which are planned first, or a result of `rmp3d plan`
(.json): the path, proved again, with its clearance, views of the body on it, and the roadmap.
"""

import argparse
from pathlib import Path
from typing import Any

from rmp3d.terminal.output import say, show
from rmp3d.verbs.options import add_output_options, add_set_option
from rmp3d.verbs.planned import (
    add_plan_options,
    is_plan,
    is_scenario,
    plan_of_target,
    refuse_plan_options,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a recording (.rmp3d), a problem file, a scenario, or a result of planning (.json)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the page; default: TARGET-report.html"
    )
    parser.add_argument(
        "--no-verify",
        action="store_true",
        help="of a recording: leave the verification out, which is faster",
    )
    parser.add_argument(
        "--language", default="", metavar="CODE", help="en or es; default: as chosen in the panel"
    )
    add_plan_options(parser)
    add_set_option(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.viewer.settings import read_settings
    from rmp3d.viewer.texts import speak

    speak(options.language or read_settings().language)
    planned = is_plan(options.target) or is_scenario(options.target)
    output = options.output or Path(f"{Path(options.target).with_suffix('')}-report.html")
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{output}: a report is a page; name it .html")
    code, found = _of_plan(options, output) if planned else _of_recording(options, output)
    say(options, f"written: {output} ({output.stat().st_size / 1e6:.1f} MB)")
    if options.json:
        kind = "plan" if planned else "recording"
        show(options, {kind: options.target, "report": str(output), **found}, "")
    return code


def _of_plan(options: argparse.Namespace, output: Path) -> tuple[int, dict[str, Any]]:
    """Write the page of a plan; return 1 if there is no path, or if it is not free."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.reporting.plan_page import write_plan_report

    if options.no_verify:
        raise InputError("--no-verify is for recordings; the page of a plan always proves its path")
    plan = plan_of_target(options)
    write_plan_report(plan, output)
    return (0 if plan.free else 1), {}


def _of_recording(options: argparse.Namespace, output: Path) -> tuple[int, dict[str, Any]]:
    """Write the page of a recording; return 0 and its figures."""
    from rmp3d.recording import RecordingReader
    from rmp3d.reporting import write_report
    from rmp3d.terminal.progress import progress_bar

    refuse_plan_options(options, "a recording")
    with (
        RecordingReader.open(options.target) as recording,
        progress_bar("verify", "frames", quiet=options.quiet or options.json) as progress,
    ):
        figures = write_report(recording, output, check=not options.no_verify, progress=progress)
    return 0, {"figures": figures}
