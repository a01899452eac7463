"""Who passes which kind of moving part: every behavior that goes somewhere, before each kind.

    python -m benchmarks.parts [--only crowd,acting] [--parts lift,door] [--seeds 1] [-o FILE]

Two rooms with one opening between them, and a part in it: a door, a gate that turns, a drawbridge,
a lift to the other room, a cart before the opening, and parts that appear or go. Six people (or two
motorbikes) go from one room to the other. Every run that ends is verified.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.scenes import KeyFrame, MotionDescription, PresenceDescription
from rmp3d.scenes.build.shapes import box

LONG, WIDE, WALL = 16.0, 8.0, 8.0
OPENING = 2.0
DURATION = 100.0
UP = (0.0, 0.0, 3.0)


def main() -> int:
    options = _options()
    rows = {
        (name, part): [_run(name, part, seed) for seed in range(options.seeds)]
        for part in options.parts or KINDS
        for name in options.only or BEHAVIORS
    }
    publish(_report(rows), options.output)
    return 0


def _rooms(extra: Mapping[str, Any], high: float = 0.0) -> dict[str, Any]:
    """Return two rooms with an opening, the second one so high [m], and other parts."""
    low, top = WIDE / 2 - OPENING / 2, WIDE / 2 + OPENING / 2
    parts = {"west floor": box((0, 0, -0.5), (WALL, WIDE, 0))}
    if high:
        parts["east floor"] = box((WALL + 2, 0, high - 0.3), (LONG + 2, WIDE, high))
    else:
        parts["west floor"] = box((0, 0, -0.5), (LONG, WIDE, 0))
        parts["south wall"] = box((WALL - 0.1, 0, 0), (WALL + 0.1, low, 2.8))
        parts["north wall"] = box((WALL - 0.1, top, 0), (WALL + 0.1, WIDE, 2.8))
    return parts | dict(extra)


def _scene(
    parts: Mapping[str, Any],
    motions: Sequence[MotionDescription] = (),
    presence: Sequence[PresenceDescription] = (),
    ground: Sequence[str] = (),
    high: float = 0.0,
) -> rp.Scene:
    roles = dict.fromkeys(
        ["west floor", *ground, *[p for p in parts if p == "east floor"]], "ground"
    )
    shift = 2.0 if high else 0.0
    scene = rp.Scene.from_mesh(
        dict(parts),
        name="rooms",
        roles=roles,
        bounds=((0, 0, -1), (LONG + shift, WIDE, 3.5 + high)),
        regions={
            "west": rp.Box((0.7, 1, -0.1), (5, WIDE - 1, 2)),
            "east": rp.Box(
                (LONG - 5 + shift, 1, high - 0.1), (LONG - 0.7 + shift, WIDE - 1, high + 2)
            ),
        },
    )
    return scene.with_motions(list(motions), presence=list(presence))


def _door() -> rp.Scene:
    leaf = box((WALL - 0.25, 3.0, 0.02), (WALL - 0.15, 5.0, 2.2))
    away = (0.0, 2.1, 0.0)
    keys = [KeyFrame(0), KeyFrame(5), KeyFrame(6, away), KeyFrame(14, away), KeyFrame(15)]
    return _scene(_rooms({"door": leaf}), [MotionDescription("door", keys, "cycle")])


def _gate() -> rp.Scene:
    leaf = box((WALL - 0.05, 3.05, 0.02), (WALL + 0.05, 4.95, 1.4))
    turned = (0.0, 0.0, 88.0)
    keys = [
        KeyFrame(0), KeyFrame(5), KeyFrame(7, rotation=turned),
        KeyFrame(16, rotation=turned), KeyFrame(18),
    ]  # fmt: skip
    motion = MotionDescription("gate", keys, "cycle", hinge=(WALL, 3.0, 0.0))
    return _scene(_rooms({"gate": leaf}), [motion])


def _drawbridge() -> rp.Scene:
    parts = {
        "west floor": box((0, 0, -0.5), (WALL - 1, WIDE, 0)),
        "east floor": box((WALL + 1, 0, -0.5), (LONG, WIDE, 0)),
        "bridge": box((WALL - 1, 2.5, -0.2), (WALL + 1, 5.5, 0)),
    }
    up = (0.0, 70.0, 0.0)
    keys = [
        KeyFrame(0, rotation=up), KeyFrame(6, rotation=up), KeyFrame(9), KeyFrame(20),
        KeyFrame(23, rotation=up),
    ]  # fmt: skip
    motion = MotionDescription("bridge", keys, "cycle", hinge=(WALL + 1, 4.0, -0.2))
    return _scene(parts, [motion], ground=["bridge"])


def _lift() -> rp.Scene:
    lift = box((WALL, 3, -0.2), (WALL + 2, 5, 0))
    keys = [KeyFrame(0), KeyFrame(8), KeyFrame(10, UP), KeyFrame(18, UP), KeyFrame(20)]
    motion = MotionDescription("lift", keys, "cycle", carries=True)
    return _scene(_rooms({"lift": lift}, 3.0), [motion], ground=["lift"], high=3.0)


def _cart() -> rp.Scene:
    cart = box((WALL - 1.6, 0.3, 0.1), (WALL - 0.6, 1.5, 1.4))
    way = (0.0, WIDE - 1.8, 0.0)
    keys = [KeyFrame(0), KeyFrame(4), KeyFrame(10, way), KeyFrame(14, way)]
    return _scene(_rooms({"cart": cart}), [MotionDescription("cart", keys, "back_and_forth")])


def _barrier(name: str, presence: PresenceDescription) -> rp.Scene:
    """Return the rooms with a part in the opening; another opening leads round."""
    parts = _rooms({name: box((WALL - 0.05, 3.0, 0.02), (WALL + 0.05, 5.0, 2.2))})
    parts["north wall"] = box((WALL - 0.1, 5.0, 0), (WALL + 0.1, WIDE - 1.4, 2.8))
    return _scene(parts, presence=[presence])


def _closes() -> rp.Scene:
    return _barrier("barrier", PresenceDescription("barrier", [3.0], there=False))


def _opens() -> rp.Scene:
    leaf = box((WALL - 0.05, 3.0, 0.02), (WALL + 0.05, 5.0, 2.2))
    return _scene(_rooms({"shutter": leaf}), presence=[PresenceDescription("shutter", [10.0])])


def _laid() -> rp.Scene:
    parts = {
        "west floor": box((0, 0, -0.5), (WALL - 1, WIDE, 0)),
        "east floor": box((WALL + 1, 0, -0.5), (LONG, WIDE, 0)),
        "bridge": box((WALL - 1, 2.5, -0.2), (WALL + 1, 5.5, 0)),
    }
    presence = [PresenceDescription("bridge", [8.0], there=False)]
    return _scene(parts, presence=presence, ground=["bridge"])


KINDS: dict[str, Callable[[], rp.Scene]] = {
    "door": _door, "gate": _gate, "drawbridge": _drawbridge, "lift": _lift, "cart": _cart,
    "barrier appears": _closes, "shutter goes": _opens, "bridge is laid": _laid,
}  # fmt: skip

GO = {"name": "acting", "idle": "go", "goals": {"go": {"go_to": "east"}}}
BEHAVIORS: dict[str, dict[str, Any]] = {
    "self_guided": {"behavior": "self_guided"},
    "leader_following": {"behavior": "leader_following"},
    "narrow_passages": {"behavior": "narrow_passages"},
    "circle_following": {"behavior": "circle_following"},
    "goal_search": {"behavior": "goal_search"},
    "crowd": {"behavior": {"name": "crowd", "trips": [{"goal": "east"}]}, "goal": None},
    "acting": {"behavior": GO, "goal": None},
    "motorbikes": {"behavior": "self_guided", "character": "motorbike", "members": 2},
}


def _run(name: str, part: str, seed: int) -> str:
    """Return how many arrive, when the last does, and what `verify` finds, in words."""
    given = {"members": 6, "start": "west", "goal": "east", **BEHAVIORS[name]}
    members = given["members"]
    if given["goal"] is None:
        del given["goal"]
    try:
        scenario = rp.Scenario(
            KINDS[part](), rp.Group(name="people", **given), seed=seed, nodes=100,
            duration=DURATION, linger=0.0,
        )  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.rmp3d"
            rp.run(scenario, to=file)
            with rp.Recording.open(file) as recording:
                inside = _inside(recording, scenario)
                found = rp.verify(recording)
    except Rmp3dError as error:
        print(name, part, error, file=sys.stderr)
        return "refused"
    wrong = f", **{len(found.findings)} found**" if found.findings else ""
    print(name, part, inside, wrong, file=sys.stderr)
    return (
        f"{inside[0]}/{members}" + (f" {inside[1]:.0f} s" if inside[0] == members else "") + wrong
    )


def _inside(recording: rp.Recording, scenario: rp.Scenario) -> tuple[int, float]:
    """Return how many have been in the goal, and when the last came there [s]."""
    goal = scenario.scene.regions["east"]
    place = recording.position()
    there = goal.contains(place.reshape(-1, 3)).reshape(place.shape[:2])
    came = there.any(axis=0)
    first = there.argmax(axis=0)[came]
    dt = scenario.table.simulation.dt
    return int(came.sum()), float(first.max(initial=0)) * dt


def _report(rows: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[str]:
    names = list(dict.fromkeys(name for name, _ in rows))
    parts = list(dict.fromkeys(part for _, part in rows))
    yield "# Who passes which part"
    yield ""
    yield (
        "`python -m benchmarks.parts`. Six people (two motorbikes) go through the only opening, or "
        f"up by a lift, in at most {DURATION:g} s: how many come to the goal, and when the last "
        "one does. Every run was verified."
    )
    yield ""
    yield "| | " + " | ".join(parts) + " |"
    yield "|---|" + "---|" * len(parts)
    for name in names:
        yield f"| `{name}` | " + " | ".join("; ".join(rows[name, part]) for part in parts) + " |"


def _options() -> argparse.Namespace:
    def several(text: str) -> list[str]:
        return [each.strip() for each in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=several, help="behaviors")
    parser.add_argument("--parts", type=several, help="kinds of part")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
