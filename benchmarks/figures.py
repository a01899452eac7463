"""Runs the scenario of every figure of the thesis as long as it says, and verifies it.

python -m benchmarks.figures -o benchmarks/figures.md
"""

import argparse
import platform
import tempfile
import time
from pathlib import Path

from rmp3d.documentation.pictures import FIGURES
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

HEADER = ("scenario", "members", "arrived", "simulated [s]", "processor [s]", "findings")


def row(name: str) -> tuple[str, ...]:
    """Run one scenario; return its row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.rmp3d"
        begin = time.process_time()
        simulate(load(name), recording_path=path)
        seconds = time.process_time() - begin
        with RecordingReader.open(path) as recording:
            report = verify(recording)
            simulated = recording.frames * recording.dt
    kinds = sorted({finding.kind for finding in report.findings})
    arrived = f"{report.arrived} of {report.expected}" if report.expected else "no goal"
    return (
        name, str(report.members), arrived, f"{simulated:.0f}", f"{seconds:.0f}",
        ", ".join(kinds) or "none",
    )  # fmt: skip


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the page, or print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path)
    output = parser.parse_args().output
    rows = [row(name) for name in sorted({shot.scenario for shot in FIGURES})]
    text = (
        "# The thesis' figures: whole runs\n\n"
        f"Made by `python -m benchmarks.figures`; Python {platform.python_version()}, the seed of\n"
        "each scenario.\n\n" + "\n".join(map(_line, [HEADER, ("---",) * len(HEADER), *rows])) + "\n"
    )
    if output is None:
        print(text)
    else:
        output.write_text(text)


if __name__ == "__main__":
    main()
