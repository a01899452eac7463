"""Sound samples of what lies beside a scenario: kept results, files of `--with`, settings."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.faults.forks import run_forked
from benchmarks.faults.surroundings import Commands
from benchmarks.faults.without_a_verb import KEPT, REREAD, SETTINGS

OWN_CODE = "file of --with"
"""Its kind: an error in it is told in the words of Python."""

LEANS = """\
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations import FORMATIONS
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS


@STEERING_BEHAVIORS.register("hover")
@dataclass(frozen=True)
class Hover:
    time: float = 0.5

    def steering_force(self, flock, around):
        return -flock.bodies.mass[:, None] * flock.velocity / self.time


@FORMATIONS.register("stairs")
@dataclass(frozen=True)
class Stairs:
    lag: float = 1.0

    def slots(self, count, spacing):
        steps = np.arange(count) - 0.5 * (count - 1)
        return spacing * np.column_stack([self.lag * np.arange(count), steps, np.zeros(count)])
"""

HOVERS = """\
[scene]
name = "plain"

[[groups]]
members = 2
start = "plain"

[groups.behavior]
name = "steering"
behaviors = ["wander", { name = "hover", time = 2.0 }]

[simulation]
duration = 0.2
"""

WINDOW = """\
{"language": "de", "theme": "light", "recent": ["/a/b.toml", "/a/c.rmp3d", "/a/d.glb"]}
"""


KEPT_RESULT = "kept result"


def write_beside(folder: Path, kept: bool) -> None:
    """Write the files, with what is kept of a mesh if it is wanted; ``hall.glb`` is there."""
    for name, text in (("leans.py", LEANS), ("hovers.toml", HOVERS), ("window.json", WINDOW)):
        (folder / name).write_text(text, encoding="utf-8")
    if not kept:
        return
    ended = run_forked((REREAD, "hall.glb"), folder, cpu=300)
    if ended.code != 0 or len(list((folder / KEPT).iterdir())) < 3:
        raise RuntimeError(f"what is computed is not kept: {ended.stderr}")


def beside_samples(folder: Path) -> Iterator[tuple[str, str, Commands]]:
    """Yield kind, name and commands of each."""
    for path in sorted((folder / KEPT).glob("*.cache")):
        yield KEPT_RESULT, path.relative_to(folder).as_posix(), ((REREAD, "hall.glb"),)
    run = ("run", "hovers.toml", "--with", "leans.py", "-o", "out.rmp3d", "--json")
    shown = ("behaviors", "--with", "leans.py", "--json")
    yield OWN_CODE, "leans.py", (run, shown)
    yield "settings of the window", "window.json", ((SETTINGS, "window.json"),)
