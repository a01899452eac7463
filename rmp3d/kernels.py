"""Compile the kernels before they are needed.

``python -m rmp3d.kernels FOLDER``, for a wheel: runs a few commands side by side, and lets numba
write what it compiles for them to the folder, as code for every x86-64 processor of the last ten
years (`rmp3d.geometry.kernel_files`). `setup.py` puts the folder into the wheel if
``RMP3D_KERNELS=1``.

``python -m rmp3d.kernels``, for this machine: runs what the demo runs, and numba keeps what it
compiles as always. `make` does so while it installs what developers need, on the other core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rmp3d.geometry.kernel_files import CAME_WITH, TARGET, WRITE_TO

COMMANDS = (
    (
        ("plan", "parking"),
        ("run", "parking", "-o", "walk.rmp3d"),
        ("verify", "walk.rmp3d"),
    ),
    (
        ("plan", "warehouse"),
        ("inspect", "parking"),
        ("run", "sky", "--set", "simulation.duration=3.0", "-o", "fly.rmp3d"),
        ("verify", "fly.rmp3d"),
        ("run", "crossing", "--set", "simulation.duration=3.0", "-o", "drive.rmp3d"),
        ("verify", "drive.rmp3d"),
    ),
)
"""What is compiled is what these call. Those of a row are run one after another."""


def main() -> int:
    """Compile; return 0, or 1 if a process could not."""
    parser = argparse.ArgumentParser(prog="rmp3d.kernels", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="gets a folder for this numba")
    parser.add_argument("--row", type=int, help="run these commands only, in this process")
    options = parser.parse_args()
    if options.folder is None or options.row is not None:
        return _run(COMMANDS[options.row or 0])
    folder = options.folder.resolve() / CAME_WITH.name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rmp3d-") as kept:
        variables = {**os.environ, **TARGET, WRITE_TO: str(folder), "NUMBA_CACHE_DIR": kept}
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", "rmp3d.kernels", str(folder), "--row", str(row)],
                env=variables,
            )
            for row in range(len(COMMANDS))
        ]
        failed = [process.wait() for process in processes]
    return int(any(failed))


def _run(commands: tuple[tuple[str, ...], ...]) -> int:
    """Run the commands in a folder of their own; return 1 if one of them was refused."""
    from rmp3d.cli import main as run_command_line
    from rmp3d.terminal.parser import BAD_INPUT

    begun = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="rmp3d-") as folder:
        os.chdir(folder)
        try:
            codes = [run_command_line([*words, "--quiet"]) for words in commands]
        finally:
            os.chdir(begun)
    return int(BAD_INPUT in codes)


if __name__ == "__main__":
    sys.exit(main())
