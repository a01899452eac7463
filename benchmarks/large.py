"""What large scenes cost: processor time and memory of every command, by number of triangles.

    python -m benchmarks.large -o benchmarks/large.md
    python -m benchmarks.large --triangles 100000 --kinds glb

Each command is a process of its own. Processor seconds (of all threads) hardly depend on what else
the machine does; wall time does, so it is given beside. Memory is the largest that the process had.
Kernels are compiled before.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.large_scenes import write_scene

TRIANGLES = (100_000, 1_000_000, 2_000_000)
KINDS = ("glb", "ply", "stl", "obj")
SECONDS = 20.0  # simulated
LOAD = "import sys; from rmp3d.scenes import Scene; Scene.load(sys.argv[1])"


BEFORE = {
    "load .obj": ("0.6 s, 0.10 GiB", "10.2 s, 1.41 GiB"),
    "load .stl": ("0.9 s, 0.20 GiB", "6.1 s, 1.73 GiB"),
    "load .ply": ("0.7 s, 0.16 GiB", "3.8 s, 1.04 GiB"),
    "load .glb": ("0.7 s, 0.15 GiB", "3.1 s, 0.86 GiB"),
    "plan": ("3.7 s, 0.35 GiB", "46 s, 2.1 GiB"),
    "run 120 s": ("-", "77 s, 2.6 GiB"),
    "verify": ("-", "stopped after 10 minutes on the clock"),
    "inspect": ("1.7 s, 0.23 GiB", "15 s, 1.2 GiB"),
    "inspect with map": ("3.3 s, 0.33 GiB", "33 s, 2.4 GiB"),
    "first picture": ("3.4 s, 0.46 GiB", "39 s, 1.9 GiB"),
}
"""For 100,000 and 2,000,000 triangles, of version 0.2.0 (commit 31db29d) on the same machine."""


class Cost(NamedTuple):
    """What a process took: seconds on the clock, of processors, and GiB of memory."""

    wall: float
    processor: float
    memory: float


def cost_of(arguments: Sequence[str], environment: dict[str, str], folder: Path) -> Cost:
    """Return what a Python process took.

    Raises:
        RuntimeError: It failed.
    """
    began = time.perf_counter()
    with (folder / "output.txt").open("w+b") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env={**os.environ, **environment}, stdout=output, stderr=output, cwd=folder,
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            output.seek(0)
            raise RuntimeError(f"{' '.join(arguments)}: {output.read()[-500:].decode()}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20)


def measured(folder: Path, triangles: int, kinds: Sequence[str]) -> Iterator[tuple[str, Cost]]:
    """Yield the name and cost of each command for scenes of about as many triangles."""
    no_cache = {"RMP3D_CACHE": "off"}
    for kind in kinds:
        scenario = write_scene(folder, kind, triangles)
        cache = {"RMP3D_CACHE": str(folder / f"cache_{kind}")}
        yield f"load .{kind}", cost_of(["-c", LOAD, str(scenario)], no_cache, folder)
        cost_of(["-c", LOAD, str(scenario)], cache, folder)
        yield f"load .{kind}, kept", cost_of(["-c", LOAD, str(scenario)], cache, folder)
    name, recording = str(scenario), str(folder / "run.rmp3d")
    rmp3d = ["-m", "rmp3d"]
    for label, use in (("", no_cache), (", kept", cache)):
        yield f"plan{label}", cost_of([*rmp3d, "plan", name, "-q"], use, folder)
    run = [*rmp3d, "run", name, "-q", "-o", recording, "--duration", str(SECONDS)]
    yield f"run {SECONDS:g} s, kept", cost_of(run, cache, folder)
    yield "verify, kept", cost_of([*rmp3d, "verify", recording, "-q"], cache, folder)
    yield "inspect, kept", cost_of([*rmp3d, "inspect", name], cache, folder)
    picture = ["-o", str(folder / "map.png")]
    yield "inspect with map, kept", cost_of([*rmp3d, "inspect", name, *picture], cache, folder)
    view = ["view", recording, "--screenshot", str(folder / "view.png"), "--time", "5"]
    yield "first picture, kept", cost_of([*rmp3d, *view], cache, folder)


def page(rows: dict[int, dict[str, Cost]]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Large scenes"
    yield ""
    yield "Hilly ground with closed buildings (`benchmarks/large_scenes.py`); eight walkers."
    yield "Processor seconds and GiB of memory, with start-up and imports (1 s); on the clock in"
    yield "brackets, on two cores that others used, too."
    yield "*Kept*: with what an earlier command left in the disk cache."
    yield ""
    yield f"| command | {' | '.join(f'{count:,} triangles' for count in rows)} |"
    yield "|---|" + "---|" * len(rows)
    names = dict.fromkeys(name for costs in rows.values() for name in costs)
    for name in names:
        cells = [_cell(costs.get(name)) for costs in rows.values()]
        yield f"| {name} | {' | '.join(cells)} |"

    yield ""
    yield "Before (version 0.2.0, commit 31db29d; `inspect` did not look for storeys and rooms):"
    yield ""
    yield "| command | 100,000 triangles | 2,000,000 triangles |"
    yield "|---|---|---|"
    for name, old in BEFORE.items():
        yield f"| {name} | {' | '.join(old)} |"


def _cell(cost: Cost | None) -> str:
    if cost is None:
        return "-"
    return f"{cost.processor:.1f} s ({cost.wall:.0f} s), {cost.memory:.2f} GiB"


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--triangles", type=int, nargs="+", default=TRIANGLES)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    options = parser.parse_args()
    rows: dict[int, dict[str, Cost]] = {}
    with tempfile.TemporaryDirectory() as name:
        for _ in measured(Path(name), 20_000, options.kinds):
            pass  # compiles the kernels
        for triangles in options.triangles:
            rows[triangles] = {}
            for label, cost in measured(Path(name), triangles, options.kinds):
                rows[triangles][label] = cost
                print(f"{triangles:,}: {label}: {_cell(cost)}", file=sys.stderr, flush=True)
    text = "\n".join(page(rows)) + "\n"
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
