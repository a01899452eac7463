"""Run a benchmark and print its tables; options after its name are the benchmark's own.

  rmp3d bench planner --parasol FOLDER --ompl-python VENV/bin/python
  rmp3d bench crowds --parts meetings --seeds 2
  rmp3d bench frames --members 1000
  rmp3d bench groups --seeds 3
  rmp3d bench herding --maps FOLDER
  rmp3d bench homing --scenes traps
  rmp3d bench motion --scenes parking,sky
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
    "mixed",
    "motion",
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
    import sys

    from rmp3d.geometry.errors import InputError

    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / "benchmarks" / f"{options.name}.py").is_file():
        raise InputError(
            f"{options.name}: benchmarks are in a source checkout of rmp3d only, not in the package"
        )
    module = f"benchmarks.{options.name}"
    return _wait([sys.executable, "-m", "rmp3d.terminal.module_run", module, *options.arguments],
                 checkout)  # fmt: skip


def _wait(command: list[str], folder: Path) -> int:
    """Return the exit code of a command; Ctrl-C ends it and its children, the second one at once.

    It is a process group of its own, so that it is told of Ctrl-C once: it may write what is done.
    """
    import subprocess

    with subprocess.Popen(command, cwd=folder, process_group=0) as child:
        try:
            return child.wait()
        except KeyboardInterrupt:
            _tell(child.pid, "SIGINT")
            child.wait()
            raise
        finally:
            if child.poll() is None:
                _tell(child.pid, "SIGKILL")


def _tell(group: int, name: str) -> None:
    """Send a signal to a process group; where there are none, the console tells all processes."""
    import os
    import signal
    from contextlib import suppress

    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(group, getattr(signal, name))
