"""Speed against density: people who walk round and round in a ring corridor, as a table.

    python -m benchmarks.ring [--only file,wide] [--seeds 1] [-o FILE]

In single file the corridor is 0.8 m wide and 26 m long, as in the experiment of Seyfried et al.
(2005, J. Stat. Mech. P10002): there the distance from person to person was 0.36 m + 1.06 s v. The
wide corridor is 2.5 m wide; there Weidmann's diagram (1993) holds,
v = 1.34 m/s (1 - exp(-1.913 (1 / density - 1 / 5.4))).
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import trimesh

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.geometry.arrays import Float

POSTS = 8  # regions along the ring that members go through
HIGH = 2.2  # [m] of the walls
PEOPLE = 1.06  # [s] headway of people
BODY = 0.58  # [m] from middle to middle of people who all but touch
WARM, LASTS = 20.0, 60.0  # [s] before speeds count, and of a run


@dataclass(frozen=True)
class Ring:
    """A ring corridor.

    Attributes:
        radius: Of its middle [m].
        width: [m].
        members: Of each run.
    """

    radius: float
    width: float
    members: tuple[int, ...]

    def scene(self) -> rp.Scene:
        """Return the floor, two walls and the posts."""
        inner, outer = self.radius - 0.5 * self.width, self.radius + 0.5 * self.width
        up = trimesh.transformations.translation_matrix((0.0, 0.0, 0.5 * HIGH))
        walls = [
            trimesh.creation.cylinder(inner, HIGH, sections=96, transform=up),
            trimesh.creation.annulus(outer, outer + 0.3, HIGH, sections=96, transform=up),
        ]
        middle = np.array([np.cos(self.angles), np.sin(self.angles), np.zeros(POSTS)]).T
        reach = np.array([0.5 * self.width + 0.5, 0.5 * self.width + 0.5, 1.0])
        regions = {
            f"post {k}": rp.Box(*(own + side * reach for side in (-1.0, 1.0)))
            for k, own in enumerate(self.radius * middle)
        }
        meshes = {"inside": walls[0], "outside": walls[1]}
        return rp.Scene.from_mesh(meshes, name="ring", regions=regions, ground=0.0)

    @property
    def angles(self) -> Float:
        """(P,) of the posts [rad]."""
        return 2.0 * np.pi / POSTS * np.arange(POSTS)

    def starts(self, count: int, rng: np.random.Generator) -> Float:
        """Return where members begin (count, 3) [m]: files along the ring."""
        room = self.width - BODY
        files = 1 + int(room / BODY)
        far = self.radius + room * (np.arange(files) / max(1, files - 1) - 0.5) * (files > 1)
        share = np.cumsum(np.append(0.0, far)) / far.sum()
        edges = np.round(count * share).astype(int)
        places = []
        for radius, own in zip(far, np.diff(edges), strict=True):
            angle = 2.0 * np.pi * (np.arange(own) + rng.random()) / own
            around = radius * np.array([np.cos(angle), np.sin(angle), 0.0 * angle])
            places.append(around.T)
        return np.concatenate(places)

    def crowd(self, start: Float, headway: float) -> rp.Crowd:
        """Return members that walk round for longer than the run lasts."""
        laps = 2 + int(1.5 * LASTS / (2.0 * np.pi * self.radius))
        trips = []
        for place in start.tolist():
            turn = np.arctan2(place[1], place[0]) / (2.0 * np.pi) % 1.0
            first = int(turn * POSTS) + 2
            via = [f"post {(first + k) % POSTS}" for k in range(laps * POSTS)]
            trips.append(
                rp.Trip(start=tuple(place), via=via[:-1], goal=via[-1], count=1, at_goal="leave")
            )
        return rp.Crowd(trips, headway=headway)


RINGS = {
    "file": Ring(4.14, 0.8, (8, 20, 26, 32, 38)),
    "wide": Ring(5.0, 2.5, (40, 80, 120, 160)),
}


def people_in_file(density: float) -> float:
    """Return the speed [m/s] of people at so many in a meter, at most that of one alone."""
    return min(1.24, (1.0 / density - 0.36) / 1.06)


def people_abreast(density: float) -> float:
    """Return the speed [m/s] of people at so many in a square meter."""
    return float(1.34 * (1.0 - np.exp(-1.913 * (1.0 / density - 1.0 / 5.4))))


def measured(name: str, ring: Ring, count: int, headway: float, seed: int) -> str:
    """Return the line of one run."""
    start = ring.starts(count, np.random.default_rng(seed))
    group = rp.Group("pedestrian", len(start), behavior=ring.crowd(start, headway))
    run = rp.run(ring.scene(), [group], seed=seed, duration=LASTS)
    position, time = run.position(), run.time
    angle = np.unwrap(np.arctan2(position[:, :, 1], position[:, :, 0]), axis=0)
    late = time >= WARM
    turned = (angle[late][-1] - angle[late][0]) / (time[late][-1] - time[late][0])
    far = np.hypot(position[late][..., 0], position[late][..., 1]).mean(axis=0)
    speed = float((turned * far).mean())
    if name == "file":
        density = count / (2.0 * np.pi * ring.radius)
        people = people_in_file(density)
    else:
        density = count / (2.0 * np.pi * ring.radius * ring.width)
        people = people_abreast(density)
    report = run.verify()
    found = [finding for finding in report.findings if finding.kind != "not_arrived"]
    return (
        f"| {name} | {count} | {density:.2f} | {headway:g} | {seed} | {speed:.2f} | {people:.2f} "
        f"| {speed / people:.2f} | {float((turned * far).min()):.2f} | {len(found)} |"
    )


def report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Speed against density in a ring"
    yield ""
    yield f"Made by `python -m benchmarks.ring --seeds {options.seeds}`, {platform.machine()},"
    yield f"Python {platform.python_version()}. Speeds are means over members from {WARM:g} to"
    yield f"{LASTS:g} s. People: in file Seyfried et al. (2005), abreast Weidmann (1993)."
    yield ""
    yield (
        "| corridor | members | density [1/m, 1/m²] | headway [s] | seed | speed [m/s] "
        "| people [m/s] | ratio | slowest [m/s] | findings |"
    )
    yield "|---" * 10 + "|"
    for name in options.only.split(","):
        for count, headway in product(RINGS[name].members, (0.0, PEOPLE)):
            run = partial(measured, name, RINGS[name], count, headway)
            yield from map(run, range(options.seeds))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="file,wide")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    publish(report(options), options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
