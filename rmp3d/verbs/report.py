"""Write a page about a recording: charts, tables, findings; one HTML file that needs nothing else.

The map with trails, formations over time, the free width along the path and what of it was in use,
clearances, arrivals, spread and speed, and whatever the behavior measured.
"""

import argparse
from pathlib import Path

from rmp3d.terminal.output import say, show
from rmp3d.verbs.options import add_output_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="a .rmp3d file")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the page; default: RECORDING.html"
    )
    parser.add_argument(
        "--no-verify", action="store_true", help="leave the verification out, which is faster"
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.recording import RecordingReader
    from rmp3d.reporting import write_report
    from rmp3d.terminal.progress import progress_bar

    output = options.output or options.recording.with_suffix(".html")
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{output}: a report is a page; name it .html")
    with (
        RecordingReader.open(options.recording) as recording,
        progress_bar("verify", "frames", quiet=options.quiet or options.json) as progress,
    ):
        write_report(recording, output, check=not options.no_verify, progress=progress)
    say(options, f"written: {output} ({output.stat().st_size / 1e6:.1f} MB)")
    if options.json:
        show(options, {"recording": str(options.recording), "report": str(output)}, "")
    return 0
