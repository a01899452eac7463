"""Through a passage: everyone straight for the goal, everyone on its own path, or in formation.

    python -m benchmarks.passages [--members 10,20,40] [--seeds 3] [-o benchmarks/passages.md]

Every method is run twice: as it is, and with the safety constraint switched off, to see how many
would have collided. `naive homing` steers everyone along the one path
that was planned, apart from its neighbors; nobody waits for others, and there are no rules of
right of way nor against jams.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.campaign import publish
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.traffic import Traffic
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.geometry.query import MeshQuery
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate

NAIVE = "naive homing"
METHODS = {
    NAIVE: ("self_guided", ("groups.0.behavior.neighborhood=1000.0",)),
    "self_guided": ("self_guided", ()),
    "narrow_passages, line": ("narrow_passages", ("groups.0.behavior.formation=line",)),
    "narrow_passages, column": ("narrow_passages", ("groups.0.behavior.formation=column",)),
}
DURATION = 150.0


def run_one(scene: str, method: str, members: int, seed: int, safe: bool) -> dict[str, Any]:
    """Run once; return times of arrival, and how many bodies overlapped."""
    behavior, overrides = METHODS[method]
    words = [*overrides, f"simulation.duration={DURATION}"]
    scenario = load(scene, words, members=members, seed=seed, behavior=behavior)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        report = simulate(
            scenario,
            recording_path=path,
            traffic=None if method == NAIVE else Traffic,
            safety=SafetyConstraint.of if safe else None,
        )
        with RecordingReader.open(path) as recording:
            position = recording.position()
            body = recording.load_characters()[0].body
            obstacles = recording.load_scene().walking_obstacles[0]
    group = report.groups[0]
    return {
        "arrived": group.arrived,
        "all": group.last_arrival if group.arrived == members else None,
        "jams": group.jams,
        "pairs": _overlapping_pairs(position, body.radius),
        "touching": 0
        if obstacles is None
        else _touching_members(position, MeshQuery(obstacles), body.capsule_axis, body.radius),
    }


def _overlapping_pairs(position: Float, radius: float) -> int:
    """Return how many pairs of upright bodies overlap in plan in some frame."""
    pairs: set[tuple[int, int]] = set()
    for frame in position:
        pairs |= cKDTree(frame[:, :2]).query_pairs(2.0 * radius - 1e-6)
    return len(pairs)


def _touching_members(
    position: Float, obstacles: MeshQuery, capsule_axis: tuple[float, float], radius: float
) -> int:
    """Return how many members overlap the scene in some frame, of every third."""
    touching = np.zeros(position.shape[1], np.bool_)
    for frame in position[::3]:
        clearance, _ = obstacles.capsule_clearance(frame, capsule_axis, radius, 0.5)
        touching |= clearance < -1e-6
    return int(touching.sum())


def _row(scene: str, method: str, members: int, seeds: int) -> str:
    cells = [scene, method, str(members)]
    try:
        safe = [run_one(scene, method, members, seed, True) for seed in range(seeds)]
        bare = [run_one(scene, method, members, seed, False) for seed in range(seeds)]
    except Rmp3dError as error:
        return "| " + " | ".join([*cells, str(error), "", "", "", "", ""]) + " |"
    times = [row["all"] for row in safe if row["all"] is not None]
    cells += [
        f"{100 * sum(row['arrived'] for row in safe) / (members * seeds):.0f} %",
        f"{median(times):.1f}" if len(times) == seeds else f"not all in {DURATION:.0f}",
        f"{sum(row['jams'] for row in safe) / seeds:.1f}",
        f"{sum(row['pairs'] for row in safe)}, {sum(row['touching'] for row in safe)}",
        f"{sum(row['pairs'] for row in bare) / seeds:.1f}",
        f"{sum(row['touching'] for row in bare) / seeds:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    options = _options()
    lines = [
        "# Through a passage",
        "",
        f"Made by `python -m benchmarks.passages --members {options.members} --seeds "
        f"{options.seeds} --scenes {options.scenes}`; {options.seeds} seeds each.",
        "Time until all are in the goal region (median of the seeds); jams a run; overlaps with",
        "the safety constraint (pairs of members, members with the scene; sum of all seeds); and",
        "what happens without it, mean of the seeds: pairs of members that overlap at some moment,",
        "and members that overlap the scene.",
        "",
        "| scene | method | members | arrived | all there [s] | jams | overlaps with safety "
        "| pairs overlapping without safety | members in the scene without safety |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for scene in options.scenes.split(","):
        for members in map(int, options.members.split(",")):
            for method in METHODS:
                lines.append(_row(scene, method, members, options.seeds))
                sys.stderr.write(lines[-1] + "\n")
    publish(lines, options.output)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scenes", default="parking")
    parser.add_argument("--members", default="10,20,40")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
