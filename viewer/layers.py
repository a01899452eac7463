"""Which layers are drawn: one switch each, with its key and what it shows, for window and panel."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name

MAPS = ("density", "speed", "flow")


def _layer(on: bool, key: str, title: str, shows: str) -> Any:
    return field(default=on, metadata={"key": key, "title": title, "shows": shows})


class LayerRow(NamedTuple):
    """What a list of layers says of one.

    Attributes:
        name: Field of `Layers`.
        key: On the keyboard.
        title: A word or two.
        shows: One line.
    """

    name: str
    key: str
    title: str
    shows: str


@dataclass(frozen=True, kw_only=True)
class Layers:
    """Which layers are on; `layer_rows` lists them with keys and words."""

    wireframe: bool = _layer(False, "w", "wireframe", "the scene as edges")
    xray: bool = _layer(False, "x", "x-ray", "the scene see-through")
    shadows: bool = _layer(True, "d", "shadows", "shadows of the sun")
    grid: bool = _layer(False, "g", "grid", "a level grid, and the axes: x red, y green, z blue")
    regions: bool = _layer(
        True, "i", "regions", "start green, goal red, of each group or body; measuring lines yellow"
    )
    samples: bool = _layer(
        False, "e", "samples", "sampled configurations: free ones, and crosses in collision"
    )
    roadmap: bool = _layer(
        False, "r", "roadmap", "nodes by component, edges by the weight the group gives them"
    )
    path: bool = _layer(True, "p", "path", "the planned path of each group")
    room: bool = _layer(
        False, "o", "passages", "how far members can move aside from the path; red is narrow"
    )
    formations: bool = _layer(
        False, "j", "formation plan", "the path by the formation planned on it"
    )
    slots: bool = _layer(False, "l", "slots", "where each member's place in the formation is")
    subgoals: bool = _layer(False, "u", "subgoals", "what each member wants now")
    forces: bool = _layer(
        False, "a", "forces", "steering: every behavior's of the selected, the sum of others"
    )
    cones: bool = _layer(False, "v", "view cones", "what members can see, by their perception")
    trails: bool = _layer(False, "t", "trails", "where members have been in the last seconds")
    bodies: bool = _layer(False, "b", "bodies", "collision meshes and the capsules around them")
    clearance: bool = _layer(
        False,
        "c",
        "clearance",
        "the selected member's line to the nearest obstacle; a plan's path",
    )
    markers: bool = _layer(True, "m", "markers", "a ring at each member's feet, and its heading")
    roofs: bool = _layer(
        False, "y", "roofs", "what is over the members' storey, from `top`, `group` and `follow`"
    )
    density: bool = _layer(False, "D", "density", "members per square meter, on the ground")
    speed: bool = _layer(False, "V", "speed", "how fast members go, on the ground")
    flow: bool = _layer(
        False, "F", "flow", "members that pass a meter in a second, whichever way they go"
    )
    mean: bool = _layer(
        False, "T", "mean", "density, speed and flow on average over the time so far"
    )
    hidden: bool = _layer(True, "k", "behind walls", "members behind walls shine through")

    def toggled(self, name: str) -> "Layers":
        """Return the layers with one switched; of the maps on the ground, one at most is on."""
        others = [each for each in MAPS if each != name] if name in MAPS else []
        return replace(self, **dict.fromkeys(others, False), **{name: not getattr(self, name)})

    def switched(self, names: Sequence[str]) -> "Layers":
        """Return the layers with several switched.

        Raises:
            InputError: There is no such layer.
        """
        known = [each.name for each in fields(self)]
        for name in names:
            if name not in known:
                raise InputError(unknown_name("layer", name, known))
        return replace(self, **{name: not getattr(self, name) for name in set(names)})


def layer_rows() -> tuple[LayerRow, ...]:
    """Return all layers in the order of `Layers`."""
    return tuple(
        LayerRow(each.name, each.metadata["key"], each.metadata["title"], each.metadata["shows"])
        for each in fields(Layers)
    )
