"""Homing: potential field alone, A* on a grid, and PRM with self-guided members, among traps.

    python -m benchmarks.homing [--seeds 10] [--members 10] [--scenes traps,parking]
                                [--duration 90] [-o benchmarks/homing.md]

All three run with the same vehicles, traffic rules and safety layer; only the guidance
differs. The potential field and the grid are references for this table, not behaviors of rmp3d.
"""

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as File
from statistics import median

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from benchmarks.campaign import publish
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupTask, Intent
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided, SelfGuidedRun
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

METHODS = {
    "potential_field_homing": "potential field alone",
    "grid_homing": "A* on a grid",
    "self_guided": "PRM, self-guided",
}
# Of the potential field: range of obstacles [m], weight of their push against the goal's pull, and
# at which height of a body the distance is taken [m].
REACH, PUSH, HEIGHT = 1.2, 0.15, 0.7
CELL = 0.5


@GROUP_BEHAVIORS.register("potential_field_homing")
@dataclass(frozen=True)
class PotentialFieldHoming(GroupBehavior):
    """Go down the potential of Khatib 1986 ("Real-time obstacle avoidance"), without a plan."""

    def begin(self, task: GroupTask) -> SelfGuidedRun:
        """Place the members."""
        return FieldRun(task, SelfGuided())


class FieldRun(SelfGuidedRun):
    """Members in a potential field."""

    def __init__(self, task: GroupTask, parameters: SelfGuided) -> None:
        super().__init__(task, parameters)
        mesh = task.space.world.scene.walking_obstacles[0]
        self._obstacles = None if mesh is None else MeshQuery(mesh)

    def step(self, flock: Flock, time: float) -> Intent:
        """Head down the gradient; in the goal region as all guided members."""
        intent = super().step(flock, time)
        goal, cruise = self._task.path.points[-1], self._task.cruise_speed
        pull = unit(goal - flock.position)
        ahead = unit(pull + self._push(flock))
        walking = self._area.taken < 0
        subgoal, velocity = intent.subgoal.copy(), intent.subgoal_velocity.copy()
        subgoal[walking] = (flock.position + 0.5 * cruise * ahead)[walking]
        velocity[walking] = (0.25 * cruise * ahead)[walking]
        remaining = np.where(walking, length(goal - flock.position), intent.remaining)
        return replace(intent, subgoal=subgoal, subgoal_velocity=velocity, remaining=remaining)

    def _push(self, flock: Flock) -> Float:
        if self._obstacles is None:
            return np.zeros_like(flock.position)
        body = flock.position + np.array([0.0, 0.0, HEIGHT])
        _, nearest, face = self._obstacles.closest_point(
            body, REACH + float(flock.bodies.radius.max())
        )
        away = body - nearest
        away[:, 2] = 0.0
        gap = np.maximum(length(away) - flock.bodies.radius, 0.02)
        size = PUSH * np.maximum(1.0 / gap - 1.0 / REACH, 0.0) / gap**2
        return np.where(face >= 0, size, 0.0)[:, None] * unit(away)

    def _bring_back(self, lost: Index, flock: Flock, time: float) -> None:
        """No member has a path to come back to."""


@GROUP_BEHAVIORS.register("grid_homing")
@dataclass(frozen=True)
class GridHoming(GroupBehavior):
    """Follow the shortest path over a grid of places that are joined by proved motions."""

    def begin(self, task: GroupTask) -> SelfGuidedRun:
        """Find the path and follow it as `self_guided` follows its own."""
        points = grid_path(task)
        path = CertifiedPath(points, np.zeros(len(points)), task.space.grounded)
        return SelfGuidedRun(replace(task, path=path), SelfGuided())


def grid_path(task: GroupTask) -> Float:
    """Return the shortest path (K, 3) over a grid, start and goal at its ends.

    Dijkstra's algorithm finds what A* would find.
    """
    space, (lower, upper) = task.space, task.space.bounds
    axes = [np.arange(lower[axis] + 0.5 * CELL, upper[axis], CELL) for axis in range(2)]
    x, y = np.meshgrid(*axes, indexing="ij")
    flat = np.stack([x.ravel(), y.ravel(), np.full(x.size, task.path.points[0, 2])], axis=1)
    nodes, face = space.surface.locate(flat, 2.0, 2.0)  # type: ignore[attr-defined]
    good = (face >= 0) & space.is_free(nodes)
    ends = task.path.points[[0, -1]]
    row = np.arange(x.size).reshape(x.shape)
    pairs = np.concatenate([
        np.stack([row[:-1].ravel(), row[1:].ravel()], 1),
        np.stack([row[:, :-1].ravel(), row[:, 1:].ravel()], 1),
        np.stack([row[:-1, :-1].ravel(), row[1:, 1:].ravel()], 1),
        np.stack([row[:-1, 1:].ravel(), row[1:, :-1].ravel()], 1),
    ])  # fmt: skip
    for number, end in enumerate(ends):
        near = np.argsort(length(nodes - end), kind="stable")[:8]
        pairs = np.concatenate([pairs, np.stack([near, np.full(8, x.size + number)], 1)])
    nodes, good = np.concatenate([nodes, ends]), np.append(good, [True, True])
    pairs = pairs[good[pairs].all(axis=1)]
    pairs = pairs[space.connects(nodes[pairs[:, 0]], nodes[pairs[:, 1]])]
    extent = length(nodes[pairs[:, 1]] - nodes[pairs[:, 0]])
    graph = csr_matrix((extent, (pairs[:, 0], pairs[:, 1])), (len(nodes), len(nodes)))
    _, before = dijkstra(graph, directed=False, indices=x.size, return_predecessors=True)
    route = [x.size + 1]
    while route[-1] != x.size:
        route.append(int(before[route[-1]]))
    return nodes[route[::-1]]


def run_one(scene: str, method: str, members: int, seed: int, duration: float) -> dict[str, float]:
    """Run once; return the share that arrived, and when the last one did [s]."""
    with tempfile.TemporaryDirectory() as folder:
        file = File(folder) / "run.rmp3d"
        overrides = [f"simulation.duration={duration}"]
        scenario = load(scene, overrides, members=members, seed=seed, behavior=method)
        report = simulate(scenario, recording_path=file)
        with RecordingReader.open(file) as recording:
            findings = verify(recording).findings
    last = report.groups[0].last_arrival
    return {
        "arrived": report.arrived / members,
        "last": np.inf if last is None or not report.complete else last,
        # Who does not arrive is told beside; this is about contacts and limits.
        "findings": sum(finding.kind != "not_arrived" for finding in findings),
    }


def main() -> int:
    options = _options()
    publish(_report(options), options.output)
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Homing among traps"
    yield ""
    yield "Made by"
    yield f"`python -m benchmarks.homing --seeds {options.seeds} --members {options.members}"
    yield f"--scenes {options.scenes} --duration {options.duration:g}`,"
    yield f"Python {platform.python_version()}. {options.members} members, {options.seeds} seeds,"
    yield f"{options.duration:g} s at most. The same vehicles, traffic rules and safety layer move"
    yield "all of them. Last arrival: median over the seeds in which all arrive; other findings: of"
    yield "`rmp3d verify`, besides members that have not arrived."
    yield ""
    yield "| scene | method | members arrived | all arrive | last arrival [s] | other findings |"
    yield "|---|---|---|---|---|---|"
    for scene in options.scenes.split(","):
        for method, name in METHODS.items():
            rows = [
                run_one(scene, method, options.members, seed, options.duration)
                for seed in range(options.seeds)
            ]
            share = 100.0 * float(np.mean([row["arrived"] for row in rows]))
            done = [row["last"] for row in rows if np.isfinite(row["last"])]
            last = f"{median(done):.1f}" if done else "never"
            found = sum(int(row["findings"]) for row in rows)
            print(f"{scene} {name}: {share:.0f} %", file=sys.stderr)
            whole = f"{len(done)} of {len(rows)} runs"
            yield f"| {scene} | {name} | {share:.0f} % | {whole} | {last} | {found} |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--scenes", default="traps,parking")
    parser.add_argument("--duration", type=float, default=90.0)
    parser.add_argument("-o", "--output", type=File)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
