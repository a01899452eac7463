"""Compile the kernels before they are needed.

``python -m rmp3d.kernels FOLDER``, for a wheel: runs a few commands side by side, and lets numba
write what it compiles for them to the folder, as code for every x86-64 processor of the last ten
years (`rmp3d.geometry.kernel_files`). `setup.py` puts the folder into the wheel.

``python -m rmp3d.kernels``, for this machine: runs what the demo runs, and numba keeps what it
compiles as always. `make test` does so while it installs what developers need, on the other core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rmp3d.geometry.kernel_files import CAME_WITH, TARGET, WRITE_TO
from rmp3d.geometry.whole_file import write_whole

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
    (("plan", "window.cfg"),),
)
"""What is compiled is what these call. Those of a row are run one after another."""
PROBLEM = """[problem]
robot = board.obj
world = wall.obj
start.x = -3.0
start.y = 0.0
start.z = 0.0
start.theta = 0.0
start.axis.x = 1.0
start.axis.y = 0.0
start.axis.z = 0.0
goal.x = 3.0
goal.y = 0.0
goal.z = 0.0
goal.theta = 1.5
goal.axis.x = 1.0
goal.axis.y = 0.0
goal.axis.z = 0.0
volume.min.x = -5.0
volume.min.y = -5.0
volume.min.z = -5.0
volume.max.x = 5.0
volume.max.y = 5.0
volume.max.z = 5.0
"""
"""`window.cfg`: a board turns to pass a window."""


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
        write_problem(Path(folder))
        try:
            codes = [run_command_line([*words, "--quiet"]) for words in commands]
        finally:
            os.chdir(begun)
    return int(BAD_INPUT in codes)


def write_problem(folder: Path) -> None:
    """Write `PROBLEM` and its meshes."""
    import trimesh

    def beam(y: float, z: float, width: float, height: float) -> trimesh.Trimesh:
        box = trimesh.creation.box((0.2, width, height))
        return box.apply_translation((0.0, y, z))

    beams = [beam(0, 3, 10, 4), beam(0, -3, 10, 4), beam(3, 0, 4, 2), beam(-3, 0, 4, 2)]
    trimesh.util.concatenate(beams).export(folder / "wall.obj")
    trimesh.creation.box((0.2, 2.4, 1.4)).export(folder / "board.obj")
    write_whole(folder / "window.cfg", PROBLEM)


if __name__ == "__main__":
    sys.exit(main())
