"""The scenario that is edited: a table as in a file, with what the panel does to it."""

import copy
from collections.abc import Sequence
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.checked_toml import read_toml
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError
from rmp3d.scenes import builtin_scenarios
from rmp3d.viewer.panel.forms import NOTHING, fields_of

Path: TypeAlias = Sequence[str | int]
OF_GOALS = ("goal", "goal_radius", "afterwards")  # keys that a group without a goal has not
LIVE = ("behavior", "afterwards", "speed_limit")  # of a group
POINT_STEP = 3  # decimals of a point that is clicked [m]


class Draft:
    """A scenario's table.

    Attributes:
        table: As in a scenario file.
        group: Row of the group that is edited.
        regions: Of the scene, as far as they are known.
    """

    def __init__(self, table: dict[str, Any], group_form: Any) -> None:
        """Take a table, and the structure of its groups with their defaults.

        Args:
            table: As in a scenario file; it is not changed.
            group_form: As of `rmp3d.viewer.panel.session.Session.forms`, ``group``.
        """
        self.table, self._form = copy.deepcopy(table), group_form
        self._default = {field.name: field.default for field in fields_of(group_form)}
        if not self.table.get("groups"):
            self.table["groups"] = [{}]
        for row, each in enumerate(self.groups):
            each.setdefault("name", group_form.default_name(row))
            behavior = each.get("behavior", self._default["behavior"])
            each["behavior"] = dict(behavior) if isinstance(behavior, dict) else {"name": behavior}
            if self.needs_goal(row):
                each.setdefault("goal", group_form.default_goal)
        self.group = 0
        self.regions: Sequence[str] = ()
        self._put_by: dict[str, dict[str, Any]] = {}

    @property
    def groups(self) -> list[dict[str, Any]]:
        """The tables of the groups."""
        groups: list[dict[str, Any]] = self.table["groups"]
        return groups

    @property
    def chosen(self) -> dict[str, Any]:
        """The table of the group that is edited."""
        return self.groups[self.group]

    @property
    def default_character(self) -> str:
        """What members are where nothing is stated."""
        return str(self._default["character"])

    @property
    def characters(self) -> list[str]:
        """What the members of the edited group are, in turn; at least one."""
        given = self.chosen.get("character") or self.default_character
        return list(map(str, given)) if isinstance(given, list) else [str(given)]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many members each group is to have."""
        return tuple(int(each.get("members", self._default["members"])) for each in self.groups)

    @property
    def stated_heading(self) -> float | None:
        """Where members of the edited group look at the start [rad], if it is stated."""
        own, vector = self.chosen.get("heading"), self.chosen["behavior"].get("heading")
        if own is not None:
            return float(np.radians(own))
        return None if vector is None else float(np.arctan2(vector[1], vector[0]))

    def turn(self, degrees: float) -> None:
        """Let the members of the edited group look in a direction at the start [degrees]."""
        self.chosen["behavior"].pop("heading", None)
        self.chosen["heading"] = degrees

    def copy(self) -> dict[str, Any]:
        """Return the table as it is now."""
        return copy.deepcopy(self.table)

    def needs_goal(self, row: int) -> bool:
        """Return whether a group's behavior goes to a goal."""
        table = self.groups[row]["behavior"]
        name = table.get("name", "")
        if name not in GROUP_BEHAVIORS:
            return False
        try:
            behavior = choose(GROUP_BEHAVIORS, table)
        except InputError:  # of an option that is being edited
            behavior = GROUP_BEHAVIORS[name]
        return bool(getattr(behavior, "needs_goal", False))

    def get(self, path: Path, default: Any = None) -> Any:
        """Return the value of a key, or what is given if it is left out."""
        place: Any = self.table
        for key in path:
            try:
                place = place[key]
            except (KeyError, IndexError, TypeError):
                return default
        return place

    def set(self, path: Path, value: Any) -> None:
        """Set a key, making the tables that it lies in; None leaves it out."""
        place: Any = self.table
        for key in path[:-1]:
            if isinstance(place, dict) and not isinstance(place.get(key), dict | list):
                named = place.get(key)
                place[key] = {} if named is None else {"name": named}
            place = place[key]
        if value is None and isinstance(place, dict):
            place.pop(path[-1], None)
        else:
            place[path[-1]] = value
        if len(path) > 2 and path[0] == "groups" and path[2] == "behavior":
            self._follow_goal(int(path[1]))

    def _follow_goal(self, row: int) -> None:
        """Give a group the goal that its behavior needs, or take away what is only for one."""
        group = self.groups[row]
        name = str(group["name"])
        if self.needs_goal(row):
            if "goal" not in group:
                group.update(self._put_by.pop(name, {}))
            group.setdefault("goal", self._usual_goal(group.get("start")))
        else:
            taken = {key: group.pop(key) for key in OF_GOALS if key in group}
            self._put_by[name] = taken or self._put_by.get(name, {})

    def _usual_goal(self, start: Any) -> str:
        """Return the region that a group goes to where nothing is stated: one of the scene."""
        usual: str = self._form.default_goal
        others = [name for name in self.regions if name != start]
        return usual if usual in self.regions or not others else others[0]

    def named(self, key: str) -> str:
        """Return a key, such as ``groups.0.members``, with the name of the group for its number."""
        first, *rest = key.split(".", 2)
        if first != "groups" or len(rest) < 2 or int(rest[0]) >= len(self.groups):
            return key
        return f"{self.groups[int(rest[0])].get('name', rest[0])}: {rest[1]}"

    def choose_behavior(self, name: str) -> None:
        """Give the group another behavior, with its own defaults."""
        self.chosen["behavior"] = _behavior(name)
        self._follow_goal(self.group)

    def choose_scene(self, name: str) -> None:
        """Take scene, groups' places and characters of a built-in scene's own scenario."""
        own = Draft(read_toml(builtin_scenarios()[name]), self._form)
        kept = self.copy()
        self.table = own.table
        self.table["name"] = name
        for key in ("seed", "planner", "simulation"):
            if key in kept:
                self.table[key] = kept[key]
        self.group = 0

    def place(self, role: str, point: Float) -> None:
        """Put the group's start or goal to a point (3,) [m]."""
        self.chosen[role] = [float(round(x, POINT_STEP)) + 0.0 for x in np.asarray(point)]

    def add_group(self) -> None:
        """Add a group like the chosen one, and choose it."""
        names = {each["name"] for each in self.groups}
        fresh = next(name for row in count() if (name := self._form.default_name(row)) not in names)
        self.groups.append({**copy.deepcopy(self.chosen), "name": fresh})
        self.group = len(self.groups) - 1

    def remove_group(self) -> None:
        """Remove the chosen group, if it is not the only one."""
        if len(self.groups) > 1:
            del self.groups[self.group]
            self.group = min(self.group, len(self.groups) - 1)


def is_live(path: Path) -> bool:
    """Return whether a change of the key can be passed on to a run that goes on."""
    if tuple(path) == ("simulation", "duration") or tuple(path[:1]) == ("changes",):
        return True
    of_group = len(path) >= 3 and path[0] == "groups" and path[2] in LIVE
    return of_group and tuple(path[2:4]) != ("behavior", "name")


def _behavior(name: str) -> dict[str, Any]:
    """Return the shortest table of a behavior.

    What has no default is as in the first built-in scenario that has the behavior.
    """
    required = [
        field.name for field in fields_of(GROUP_BEHAVIORS[name]) if field.default is NOTHING
    ]
    if not required:
        return {"name": name}
    for path in builtin_scenarios().values():
        for group in read_toml(path).get("groups", ()):
            table = group.get("behavior")
            if isinstance(table, dict) and table.get("name") == name:
                return {"name": name, **{key: table[key] for key in required if key in table}}
    return {"name": name}
