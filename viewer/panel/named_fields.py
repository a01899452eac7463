"""Fields that name something of the scenario: a group, a place, a goal, a steering behavior."""

import inspect
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, Literal

from rmp3d.behaviors.action.mind import Trigger
from rmp3d.behaviors.action.rules import Rule
from rmp3d.behaviors.groups import (
    Acting,
    CircleFollowing,
    ExploreAll,
    Goal,
    NarrowPassages,
    PatrolPosts,
    RoamAbout,
    WanderAbout,
)
from rmp3d.behaviors.groups.guided.leader_choice import RULES
from rmp3d.behaviors.groups.guided.leader_following import LeaderFollowing
from rmp3d.behaviors.groups.herding.behavior import Herding
from rmp3d.behaviors.groups.steered.spec import SteeringSpec
from rmp3d.behaviors.perception.sensors import Sensor
from rmp3d.behaviors.perception.stimuli import Stimulus
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.viewer.texts import named, tr

Source = Literal[
    "group", "region", "area", "post", "detected", "member", "place", "places", "goal",
    "mental variable", "steering behaviors", "formations",
]  # fmt: skip

SOURCES: Mapping[type, Mapping[str, Source]] = {
    SteeringSpec: {
        "behaviors": "steering behaviors",
        "target": "place",
        "quarry": "group",
        "threat": "group",
        "leader": "group",
        "ward": "group",
    },
    Goal: {"go_to": "places"},
    NarrowPassages: {"alternatives": "formations", "after_passages": "formations"},
    CircleFollowing: {"ward": "member", "group": "group"},
    LeaderFollowing: {"leader": "member", "group": "group"},
    Herding: {"flock": "group", "region": "region"},
    WanderAbout: {"within": "area"},
    RoamAbout: {"within": "area"},
    ExploreAll: {"within": "area"},
    PatrolPosts: {"posts": "post"},
    Sensor: {"detects": "detected"},
    Stimulus: {"place": "place"},
    Acting: {"idle": "goal"},
    Rule: {"goal": "goal"},
    Trigger: {"variable": "mental variable"},
}
# What a new item begins with, besides the defaults of its class; it does nothing yet.
NEW: Mapping[type, Mapping[str, Any]] = {
    Goal: {"behaviors": []},
    Rule: {"when": "false"},
    Trigger: {"when": "false", "add": 1.0},
}


MOST_MEMBERS = 100  # whose numbers are listed
ROLES: Mapping[str, str] = {
    "target": "subgoal",
    "target_heading": "subgoal_heading",
    "quarry": "quarry",
    "threat": "threat",
    "leader": "leader",
    "ward": "ward",
}
"""Fields of a `SteeringSpec`, and what a steering behavior needs that is about it."""


def is_relevant(kind: type, name: str, table: Mapping[str, Any]) -> bool:
    """Return whether a field is about what a table has: others are stated, or left out of a form.

    Args:
        kind: The class that the table describes.
        name: Of the field.
        table: What is filled in.
    """
    if not issubclass(kind, SteeringSpec) or name not in ROLES or table.get(name) is not None:
        return True
    listed = table.get("behaviors") or ()
    names = [str(each.get("name") if isinstance(each, Mapping) else each) for each in listed]
    chosen = [STEERING_BEHAVIORS[name] for name in names if name in STEERING_BEHAVIORS]
    return any(ROLES[name] in getattr(each, "needs", ()) for each in chosen)


def source_of(kind: type, name: str) -> Source | None:
    """Return what the field of a class names, None for other fields."""
    found = (SOURCES[base][name] for base in inspect.getmro(kind) if name in SOURCES.get(base, {}))
    return next(found, None)


def names_of(table: Mapping[str, Any], group: int, regions: list[str]) -> dict[str, list[str]]:
    """Return what there is to be named in a scenario's table, by source.

    Args:
        table: As in a scenario file.
        group: Row of the group whose fields are filled in.
        regions: Names of the scene's regions.
    """
    groups = [str(each.get("name", "")) for each in table["groups"]]
    behavior = table["groups"][group].get("behavior", {})

    members = int(table["groups"][group].get("members", 1))

    def keys(name: str) -> list[str]:
        found = behavior.get(name) if isinstance(behavior, Mapping) else None
        return list(found) if isinstance(found, Mapping) else []

    return {
        "group": groups,
        "region": regions,
        "area": ["everywhere", "goal", *regions],
        "post": ["goal", *regions],
        "detected": ["obstacle", *groups, *_stimuli(behavior)],
        "member": [*RULES, *map(str, range(min(members, MOST_MEMBERS)))],
        "place": [*regions, *groups],
        "goal": keys("goals"),
        "mental variable": keys("mental"),
    }


def _stimuli(behavior: Any) -> list[str]:
    """Return the names of the stimuli that a behavior's perception knows."""
    perception = behavior.get("perception") if isinstance(behavior, Mapping) else None
    found = perception.get("stimuli") if isinstance(perception, Mapping) else None
    return [str(each.get("name")) for each in found or () if isinstance(each, Mapping)]


def title_of(item: Any, number: int) -> str:
    """Return what an item of a list is called: its name, or what it does."""
    if not isinstance(item, Mapping):
        return named(str(item))
    if "goal" in item:
        return tr("{what} if {when}", what=item["goal"], when=item.get("when", ""))
    if "variable" in item:
        return tr("{what} when {when}", what=item["variable"], when=item.get("when", ""))
    return named(str(item.get("name", number + 1)))


def stops_of(go_to: Any) -> list[Any]:
    """Return the places of a key ``go_to`` as a list: names and points [x, y, z]."""
    if go_to is None:
        return []
    if isinstance(go_to, str) or _is_point(go_to):
        return [go_to]
    return list(go_to)


def go_to_of(stops: list[Any]) -> Any:
    """Return the shortest value of a key ``go_to`` for places; None for none."""
    return (stops[0] if len(stops) == 1 else stops) if stops else None


def _is_point(value: Any) -> bool:
    return len(value) == 3 and all(isinstance(x, int | float) for x in value)


def shortened(text: str, room: float, width: Callable[[str], float]) -> str:
    """Return a text, cut and with an ellipsis where it is wider than there is room.

    Args:
        text: One line.
        room: Width that there is [points].
        width: Returns that of a text [points].
    """
    if width(text) <= room:
        return text
    fits = bisect_right(range(1, len(text)), room, key=lambda end: width(f"{text[:end]}..."))
    return f"{text[:fits]}..."
