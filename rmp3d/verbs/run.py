"""Plan and simulate a scenario, and write a recording.

The exit code is 1 if there is no path, or if a member does not arrive.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.terminal.output import (
    say,
    say_cost,
    say_cost_of_reading,
    say_if_compiling,
    say_notes,
    show,
)
from rmp3d.verbs.options import add_output_options, add_scenario_options, scenario_of
from rmp3d.verbs.plan_files import use_loaded

LINES = {
    "name": "line", "passages": "passages", "forward": "forward", "backward": "backward",
    "flow": "flow [1/s]", "speed": "speed [m/s]", "density": "density [1/m^2]",
}  # fmt: skip
"""Of the figures of a measuring line, those of the summary, with their headings."""

if TYPE_CHECKING:
    from rmp3d.simulation import RunReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    add_scenario_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="file of the recording; default: NAME.rmp3d",
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="the roadmap, with the weights that the group has learned: .roadmap; of the second "
        "group, FILE with -2 before its suffix; ...",
    )
    parser.add_argument(
        "--load", type=Path, metavar="FILE", help="a roadmap that was saved, to begin with"
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run and report."""
    from rmp3d.errors import prefix_errors_with_file
    from rmp3d.geometry.printable import file_stem
    from rmp3d.scenario import Scenario
    from rmp3d.simulation import simulate
    from rmp3d.terminal.progress import progress_bar

    use_loaded(options)
    scenario = scenario_of(options)
    output = options.output or Path(f"{file_stem(scenario.name, 'scenario')}.rmp3d")
    say_if_compiling(options)
    quiet = options.quiet or options.json
    with (
        prefix_errors_with_file(options.target),
        progress_bar("plan", "nodes", quiet=quiet) as planning,
        progress_bar("run", "steps", quiet=quiet) as running,
    ):
        say_cost_of_reading(options, scenario.scene)
        whole = Scenario.of(scenario)
        say_notes(options, whole.scene.notes)
        say_cost(options, "planning", whole.scene)
        before = _state_of(output)
        try:
            report = simulate(
                whole,
                recording_path=output,
                progress=running,
                plan_progress=planning,
                save_roadmap=options.save,
            )
        except KeyboardInterrupt:
            if _state_of(output) != before:
                _say_kept(options, output)
            raise
    if options.save is not None:
        say(options, f"roadmap: {options.save}")
    if options.verbose:
        _say_events(options, output)
    show(options, report.as_dict(), text_of(report))
    if not report.complete:
        say_notes(options, too_short(report, output))
    return 0 if report.complete else 1


def _state_of(path: Path) -> tuple[int, int] | None:
    """Return what differs once a file is written anew; None: there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _say_kept(options: argparse.Namespace, recording_path: Path) -> None:
    """Say how much of a run that was stopped is in its recording."""
    from rmp3d.recording import RecordingReader

    with RecordingReader.open(recording_path) as recording:
        seconds = max(recording.frames - 1, 0) * recording.dt
    say(options, f"stopped; {recording_path} keeps the first {seconds:.1f} s")


def too_short(report: "RunReport", recording_path: Path) -> tuple[str, ...]:
    """Return which groups did not arrive because the run is shorter than their way."""
    import numpy as np

    from rmp3d.recording import RecordingReader

    notes = []
    with RecordingReader.open(recording_path) as recording:
        header, characters = recording.header, recording.load_characters()
        simulated = max(recording.frames - 1, 0) * recording.dt
    for row, group in enumerate(report.groups):
        if group.arrived in (None, group.members - group.left) or len(header.paths[row]) < 2:
            continue
        length = float(np.linalg.norm(np.diff(header.paths[row], axis=0), axis=1).sum())
        kinds = np.unique(header.character_of[header.group_of == row])
        speed = min(characters[kind].parameters.max_speed for kind in kinds)
        if length > speed * simulated:
            notes.append(
                f"group `{group.name}`: its path of {length:.0f} m takes {length / speed:.0f} s or "
                f"more at {speed:g} m/s, but the run ends after {simulated:g} s; raise "
                "`simulation.duration` (or --duration)"
            )
    return tuple(notes)


def _say_events(options: argparse.Namespace, recording_path: Path) -> None:
    from rmp3d.recording import RecordingReader

    with RecordingReader.open(recording_path) as recording:
        for event in recording.events():
            member = "" if event.member < 0 else f" member {event.member}"
            say(options, f"{event.time:8.2f} s  {event.kind}{member}  {event.text}")


def text_of(report: "RunReport") -> str:
    """Return the summary of a run as text."""
    from rmp3d.terminal.text_table import table

    header = ("group", "behavior", "members", "arrived", "last [s]", "formation error [m]", "jams")
    rows = [
        [
            group.name,
            group.behavior,
            group.members,
            group.arrived,
            group.last_arrival,
            group.formation_error_mean,
            group.jams,
        ]
        for group in report.groups
    ]
    lines = [table(rows, header)]
    if report.measure:
        rows = [[line[key] for key in LINES] for line in report.measure]
        lines.append(table(rows, tuple(LINES.values())))
    for group in report.groups:
        for change in group.formation_changes:
            lines.append(
                f"{group.name}: {change['from']} -> {change['to']} at {change['time']:.1f} s, "
                f"{change['length']:.1f} m along the path"
            )
    facts = report.as_dict()
    lines.append(
        f"{facts['seconds_simulated']:.1f} s simulated in {report.wall_seconds:.1f} s "
        f"({facts['steps_per_second']:.0f} steps/s), planned in {report.plan_seconds:.1f} s"
    )
    lines.append(f"recording: {report.recording}")
    return "\n".join(lines)
