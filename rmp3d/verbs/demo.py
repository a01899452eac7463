"""Plan, run and verify a built-in scenario, then show it: in a window or in pictures.

Without a screen, or with --pictures, the demo writes pictures of the moments before, in and after
the narrow passage, a contact sheet, and a page that replays the run in any browser.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.terminal.output import say, say_if_compiling, show
from rmp3d.verbs.options import add_output_options, add_scenario_options, scenario_of

if TYPE_CHECKING:
    from rmp3d.viewer import Playback

SETTLING = 1.0
"""No picture is taken within this time [s] after a change of formation or before the next one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    add_scenario_options(parser, target="parking")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("out/demo"),
        metavar="FOLDER",
        help="folder for the recording and the pictures; default: out/demo",
    )
    parser.add_argument(
        "--pictures", action="store_true", help="open no window, even with a screen"
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Plan, run, verify and show."""
    from rmp3d.errors import prefix_errors_with_file
    from rmp3d.geometry.errors import InputError
    from rmp3d.geometry.printable import file_stem
    from rmp3d.playback.from_recording import playback
    from rmp3d.recording import RecordingReader
    from rmp3d.simulation import simulate
    from rmp3d.terminal.progress import progress_bar
    from rmp3d.verbs import run as run_verb
    from rmp3d.verbs import verify as verify_verb
    from rmp3d.verification import verify

    scenario = scenario_of(options)
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{options.output}: cannot be made ({error.strerror})") from None
    path = options.output / f"{file_stem(scenario.name, 'scenario')}.rmp3d"
    quiet = options.quiet or options.json
    say_if_compiling(options)
    say(options, f"1/3 plan and run `{scenario.name}` ...")
    with (
        prefix_errors_with_file(options.target),
        progress_bar("run", "steps", quiet=quiet) as progress,
    ):
        report = simulate(scenario, recording_path=path, progress=progress)
    say(options, "2/3 verify, mesh against mesh ...")
    with RecordingReader.open(path) as recording:
        with progress_bar("verify", "frames", quiet=quiet) as progress:
            proof = verify(recording, progress)
        seen = playback(recording)
    facts = {"run": report.as_dict(), "verify": proof.as_dict()}
    text = f"\n{run_verb.text_of(report)}\n\nverified: {verify_verb.text_of(proof)}\n"
    show(options, facts, text)
    say(options, "3/3 show ...")
    _show(options, seen)
    return 0 if proof.ok and report.complete else 1


def _show(options: argparse.Namespace, seen: "Playback") -> None:
    """Open a window if there is a screen; else write pictures and say where."""
    from rmp3d.viewer import ViewerError, screen_problem, show

    problem = screen_problem()
    if not (problem or options.pictures or options.json):
        try:
            say(options, "the window is open; `h` shows its keys, `q` closes it")
            show(seen)
        except ViewerError as error:
            problem = str(error)
        else:
            return
    if problem:
        say(options, f"no window: {problem}")
    for path in pictures(seen, options.output):
        say(options, f"picture: {path}")
    say(options, f"replay:  {replay_page(seen, options.output)}")


def pictures(seen: "Playback", folder: Path) -> list[Path]:
    """Write pictures of the key moments and a contact sheet; return their files.

    Without OpenGL, a map with the path is drawn instead.

    Raises:
        InputError: A file cannot be written.
    """
    from rmp3d.viewer import ViewerError, export_playback, save_map, save_picture

    written = []
    try:
        for name, time in moments(seen):
            written.append(folder / f"{name}.png")
            save_picture(seen, written[-1], time, "group")
        written.append(folder / "contact-sheet.png")
        export_playback(seen, written[-1])
    except ViewerError:
        written = [folder / "map.png"]
        save_map(written[0], seen.scene, paths=seen.paths, title=seen.title)
    return written


def replay_page(seen: "Playback", folder: Path) -> Path:
    """Write a page that replays the run in a browser; return its file.

    Raises:
        InputError: The file cannot be written.
    """
    from rmp3d.viewer import export_playback

    path = folder / "replay.html"
    export_playback(seen, path)
    return path


def moments(seen: "Playback") -> list[tuple[str, float]]:
    """Return the times [s] at which the first group is best formed before, in and after.

    Before, in and after the passage are before the first change of formation, between it and the
    last, and after the last; in each the moment is taken at which the members are nearest to the
    places that they want. Without changes: start, middle and end.
    """
    import numpy as np

    changes = [e.time for e in seen.events if e.kind == "formation" and 0 < e.time < seen.duration]
    if not changes or seen.subgoal is None:
        return [("start", 0.0), ("middle", seen.duration / 2), ("end", seen.duration)]
    rows = seen.members(0)
    error = np.linalg.norm(seen.position[:, rows] - seen.subgoal[:, rows], axis=2).mean(axis=1)
    spans = [("1-before", SETTLING, changes[0])]
    if len(changes) > 1:
        spans.append(("2-in", changes[0] + SETTLING, changes[-1]))
    spans.append(("3-after", changes[-1] + SETTLING, seen.duration))
    chosen = []
    for name, start, end in spans:
        first = min(int(start / seen.dt), seen.frame_count - 1)
        last = max(int(end / seen.dt), first + 1)
        chosen.append((name, float(first + np.argmin(error[first:last])) * seen.dt))
    return chosen
