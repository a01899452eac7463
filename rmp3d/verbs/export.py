"""Write a recording in another format; the suffix says which."""

import argparse
from pathlib import Path

from rmp3d.verbs.options import add_output_options, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add targets and options."""
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="a .rmp3d file")
    parser.add_argument(
        "outputs",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="out.png (contact sheet), out.csv, out.npz",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Export to each file."""
    from rmp3d.progress import progress_bar
    from rmp3d.recording import Recording
    from rmp3d.recording.playback import playback
    from viewer import EXPORTERS, export_playback

    for output in options.outputs:
        EXPORTERS[output.suffix.lower()]  # an unknown suffix is refused before any work
    with Recording.open(options.recording) as recording:
        seen = playback(recording)
    for output in options.outputs:
        label = f"export {output.suffix}"
        with progress_bar(label, "parts", quiet=options.quiet or options.json) as progress:
            export_playback(seen, output, progress)
        say(options, f"written: {output}")
    return 0
