"""Arguments of ``--set`` and ``--cost`` without sense."""

import random
from collections.abc import Callable

import tomli_w

from benchmarks.faults.samples import Sample
from benchmarks.faults.trees import VALUES

SET = Sample("--set", "scenario.toml", (("plan", "scenario.toml", "--json"),))

KEYS = [
    "seed", "name", "description", "scene", "scene.mesh", "scene.name", "scene.up", "scene.scale",
    "scene.center", "scene.position", "scene.roles", "scene.roles.floor", "scene.max_slope",
    "scene.bounds", "scene.bounds.0", "scene.bounds.0.1", "scene.ground", "scene.ground.height",
    "scene.regions", "scene.regions.west", "scene.regions.west.lower", "scene.regions.east.radius",
    "scene.embed", "groups", "groups.0", "groups.-1", "groups.99999999999999999999", "groups.x",
    "groups.0.character", "groups.1.character.0", "groups.0.members", "groups.0.start",
    "groups.0.goal", "groups.0.goal_radius", "groups.0.speed_limit", "groups.0.behavior",
    "groups.0.behavior.name", "groups.0.behavior.formation", "groups.1.behavior.points",
    "groups.1.behavior.points.0", "groups.1.behavior.points.0.0", "planner", "planner.sampler",
    "planner.sampler.name", "planner.sampler.std", "planner.local_planner", "planner.nodes",
    "planner.connected_nodes", "planner.seconds", "planner.neighbors", "planner.radius",
    "planner.forest", "planner.lazy", "planner.space", "planner.planner", "planner.roadmap",
    "planner.backend", "simulation", "simulation.dt", "simulation.duration", "simulation.linger",
    "simulation.record_forces", "changes", "changes.0", "changes.0.time", "changes.0.group",
    "changes.0.behavior", "changes.0.speed_limit", "changes.0.part", "changes.0.there",
    "scene.presence", "scene.presence.0", "scene.presence.0.times", "scene.motions",
    "scene.motions.0.keys", "scene.motions.0.recording", "planner.cost", "planner.cost.name",
    "planner.cost.wanted", "planner.against", "planner.against.0", "planner.optimize",
    "planner.optimize_work", "planner.alternatives", "groups.0.behavior.switches", "", ".",
    "..", "a.b.c", "x" * 300, ".".join("a" * 3000), "scene..mesh", "é",
    "\x1b[2J", "groups.0.0.0", "groups.0.members.x",
]  # fmt: skip


def set_argument(rng: random.Random) -> str:
    """Return a key with a value, at times without the ``=`` or with TOML that is none."""
    key = rng.choice(KEYS)
    value = rng.choice(VALUES)
    text = rng.choice(["[", "{", '"', "1_", "0x", "[" * 5000, "é", "\x1b[2J", "nan", "1979-05-27"])
    if rng.random() < 0.8 and value is not None and "None" not in repr(value):
        text = tomli_w.dumps({"x": value}).partition("=")[2].strip()
        text = text or (str(value) if not isinstance(value, dict) else "{}")
    text = text.replace("\x00", "")
    return key if rng.random() < 0.03 else f"{key}={text}"


COSTS = [
    "length", "clearance", "weighted", "time", "", ",", "length,", ",length", "length,length", "x",
    "length,clearance,time,weighted,length", "LENGTH", "length clearance", "weighted=2", "0", "-1",
    "nan", "{name='time'}", "[]", "é", "\x1b[2J", "length" * 500, ",".join(["time"] * 3000), "../x",
]  # fmt: skip


def cost_argument(rng: random.Random) -> str:
    """Return one to three names of costs, or what is none."""
    return ",".join(rng.choice(COSTS) for _ in range(rng.choice([1, 1, 2, 3])))


COST = Sample("--cost", "costs.toml", (("plan", "costs.toml", "--optimize-work", "50", "--json"),))

OPTIONS: dict[str, Callable[[random.Random], str]] = {
    SET.kind: set_argument,
    COST.kind: cost_argument,
}
"""What makes the argument of an option, by the kind of sample, which is the option's name."""
