"""Run a benchmark and print its tables; options after its name are the benchmark's own.

  rmp3d bench planner --parasol FOLDER --ompl-python VENV/bin/python
  rmp3d bench crowds --parts meetings --seeds 2
  rmp3d bench frames --members 1000
  rmp3d bench groups --seeds 3
  rmp3d bench herding --maps FOLDER --cases maps
  rmp3d bench homing --scenes traps
  rmp3d bench roadmaps
  rmp3d bench safety
  rmp3d bench search --scenes cave
  rmp3d bench steering -o steering.md
  rmp3d bench wanderers --seeds 2 --seconds 60

The benchmarks are part of the source checkout, not of an installed package.
"""

import argparse
from pathlib import Path

BENCHMARKS = (
    "crowds",
    "exports",
    "frames",
    "groups",
    "herding",
    "homing",
    "passages",
    "planner",
    "roadmaps",
    "safety",
    "search",
    "steering",
    "wanderers",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the benchmark's name and its own arguments."""
    parser.add_argument(
        "name", choices=BENCHMARKS, metavar="BENCHMARK", help="one of the names above"
    )
    parser.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        metavar="...",
        help="options of the benchmark; --help lists them",
    )


def run(options: argparse.Namespace) -> int:
    """Run it as `python -m benchmarks.NAME` would."""
    import subprocess
    import sys

    from rmp3d.geometry.errors import InputError

    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / "benchmarks" / f"{options.name}.py").is_file():
        raise InputError(
            f"{options.name}: benchmarks are in a source checkout of rmp3d only, not in the package"
        )
    command = [sys.executable, "-m", f"benchmarks.{options.name}", *options.arguments]
    return subprocess.run(command, cwd=checkout, check=False).returncode
