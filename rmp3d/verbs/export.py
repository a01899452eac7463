"""Write a recording or a plan in other formats; the suffix of each file says which.

  .glb      animated glTF: scene, members, paths; for Blender, engines, web viewers
  .usdz     the same as USD in one package, with skeletons and textures
  .usdc     the same as a USD layer, binary
  .usda     the same as text
  .html     a page that replays the run in a browser, offline, with a timeline
  .mp4      a video (H.264)
  .gif      an animation that repeats, for short pieces
  .png      a contact sheet: an overview and the key moments
  .csv      a line per frame and member
  .parquet  the same with types, units and events, for data frames
  .npz      the arrays, for NumPy

The target is a recording (.rmp3d), a problem file (.env, .cfg) or a scenario, which is planned
first, or a result of `rmp3d plan` (.json). Of a plan, each body goes along its certified path.

A format of your own comes with `--with FILE.py`; `--with FILE.py --help` shows its options.

Several files are written one after the other; each appears when it is complete. An option that
none of the files' formats has is refused.
"""

import argparse
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import say, show
from rmp3d.verbs.options import add_output_options, add_set_option, picture_size
from rmp3d.verbs.planned import (
    add_plan_options,
    is_plan,
    is_scenario,
    plan_of_target,
    refuse_plan_options,
)

if TYPE_CHECKING:
    from rmp3d.viewer import Playback


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add targets and options; those of formats have the names of the exporters' fields."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a recording (.rmp3d), a problem file, a scenario, or a result of planning (.json)",
    )
    parser.add_argument("outputs", type=Path, nargs="+", metavar="FILE", help="such as out.glb")
    film = parser.add_argument_group("options of .mp4 and .gif")
    film.add_argument(
        "--camera", metavar="NAME", help="iso (default), top, group, follow:ROW, first:ROW"
    )
    film.add_argument("--fps", type=float, metavar="N", help="pictures per second; 30, .gif 12.5")
    film.add_argument("--size", metavar="WxH", help="pixels; 1280x720, .gif 640x360")
    film.add_argument("--speed", type=float, metavar="X", help="2 is twice as fast as the run")
    film.add_argument("--start", type=float, metavar="S", help="of the run [s]; 0")
    film.add_argument("--end", type=float, metavar="S", help="of the run [s]; its end")
    film.add_argument("--clock", action="store_true", default=None, help="write the time")
    keys = parser.add_argument_group("options of .glb, .html, .usda, .usdc and .usdz")
    keys.add_argument("--tolerance", type=float, metavar="M", help="between keys [m]; 0.01")
    keys.add_argument("--angle-tolerance", type=_radians, metavar="DEG", help="[degrees]; 1")
    bones = parser.add_argument_group("options of .glb, .usda, .usdc and .usdz")
    bones.add_argument("--bones", type=int, metavar="N", help="members with bones at most; 64")
    usd = parser.add_argument_group("options of .usda, .usdc and .usdz")
    usd.add_argument(
        "--instanced",
        action="store_true",
        default=None,
        help="members with bones are instances: less memory, but Blender shows them in one pose",
    )
    sheet = parser.add_argument_group("options of .png")
    sheet.add_argument("--panel-width", type=int, metavar="N", help="of a moment [pixels]; 640")
    table = parser.add_argument_group("options of .csv")
    table.add_argument("--digits", type=int, metavar="N", help="after the point; 6")
    _add_own_formats(parser)
    add_plan_options(parser)
    add_set_option(parser)
    add_output_options(parser)


def _add_own_formats(parser: argparse.ArgumentParser) -> None:
    """Add a group for each format that a file of the user's own has registered."""
    if "rmp3d.viewer.export" not in sys.modules:  # which is slow to import: no such file is loaded
        return
    from rmp3d.viewer.export import EXPORTERS, option_names
    from rmp3d.viewer.panel.forms import attribute_helps
    from rmp3d.viewer.panel.values import value_of

    for suffix, kind in EXPORTERS.items():
        if kind.__module__.startswith("rmp3d."):
            continue
        group = parser.add_argument_group(f"options of {suffix}", EXPORTERS.summary(suffix))
        helps = attribute_helps(kind)
        for name in option_names(suffix):
            flag = f"--{name.replace('_', '-')}"
            if flag not in parser._option_string_actions:  # else it is the option of that name
                said = helps.get(name, "").replace("%", "%%")
                group.add_argument(flag, type=value_of, metavar="VALUE", help=said)


def run(options: argparse.Namespace) -> int:
    """Export to each file."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.geometry.input_files import shown_path
    from rmp3d.scenario.targets import is_recording
    from rmp3d.terminal.progress import progress_bar
    from rmp3d.viewer.export import export_playback, make_exporter

    wanted = _options_of(options)
    for output in options.outputs:  # what can be refused is, before any work
        make_exporter(output, wanted[output])
        if not output.parent.is_dir():
            raise InputError(f"{output}: cannot be written (there is no folder {output.parent})")
    seen, code = _seen(options)
    quiet = options.quiet or options.json
    for output in options.outputs:
        with progress_bar(f"export {output.suffix}", "parts", quiet=quiet) as progress:
            try:
                export_playback(seen, output, progress, options=wanted[output])
            except InputError as error:
                if str(output) in str(error):
                    raise
                raise InputError(f"{shown_path(options.target)}: {error}") from error
        say(options, f"written: {output} ({_size(output)})")
    written = [{"file": str(path), "bytes": path.stat().st_size} for path in options.outputs]
    if options.json:
        kind = "recording" if is_recording(options.target) else "plan"
        show(options, {kind: options.target, "written": written}, "")
    return code


def _seen(options: argparse.Namespace) -> "tuple[Playback, int]":
    """Return the playback of the target, and the exit code: 1 for a plan without a path."""
    from rmp3d.playback.from_plan import playback_of_plan
    from rmp3d.playback.from_recording import playback
    from rmp3d.recording import RecordingReader

    if is_plan(options.target) or is_scenario(options.target):
        plan = plan_of_target(options)
        return playback_of_plan(plan), 0 if plan.solved else 1
    refuse_plan_options(options, "a recording")
    with RecordingReader.open(options.target) as recording:
        return playback(recording), 0


def _options_of(options: argparse.Namespace) -> dict[Path, Mapping[str, Any]]:
    """Return the given options of each file's format.

    Raises:
        InputError: No such format, or an option that none of the formats has.
    """
    from rmp3d.geometry.errors import InputError
    from rmp3d.viewer.export import EXPORTERS, format_of, option_names

    every = {name for suffix in EXPORTERS for name in option_names(suffix)}
    given = {name: value for name in every if (value := getattr(options, name, None)) is not None}
    if "size" in given:
        given["size"] = picture_size(given["size"])
    known = {path: option_names(format_of(path)) for path in options.outputs}
    for name in sorted(given):
        if not any(name in names for names in known.values()):
            having = [suffix for suffix in EXPORTERS if name in option_names(suffix)]
            raise InputError(
                f"--{name.replace('_', '-')} means nothing to "
                f"{', '.join(sorted({path.suffix for path in known}))}; "
                f"it is an option of {', '.join(having)}"
            )
    return {
        path: {name: value for name, value in given.items() if name in names}
        for path, names in known.items()
    }


def _radians(degrees: str) -> float:
    return math.radians(float(degrees))


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"
