"""The settings of a roadmap: how it is built, and when to stop."""

from dataclasses import dataclass, field, fields, replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeVar

import msgspec

from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError

if TYPE_CHECKING:
    from rmp3d.planner.spaces import Space

Settings = TypeVar("Settings", bound="RoadmapSettings")
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
NotNegative = Annotated[float, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class RoadmapSettings:
    """How a roadmap is built.

    Of the rules that stop it, those that are set count, and the first reached stops.

    Attributes:
        sampler: How nodes are drawn: the name of a sampler, with its options.
        local_planner: How two nodes are joined: the name of a local planner, with its options.
        nodes: Stop at this many nodes; 0: not a stop rule.
        connected_nodes: Stop when one component has this many nodes; 0: not a stop rule.
        seconds: Stop after this time [s]; 0: not a stop rule. Such a run is not repeatable.
        until_solved: Stop as soon as start and goal are joined; another rule must be set, too.
        neighbors: With how many of the nearest nodes the planner tries to join each new node; 0: no
            limit; ``star``: as many as PRM* needs.
        radius: Only nodes this near to each other are joined [m]; 0: no limit.
        forest: Whether only nodes that are not connected yet are joined, so that there are no
            cycles.
        lazy: Whether an edge is proved to be free only when the search for a path uses it.

    Raises:
        InputError: A value is negative, no rule is set, or two options exclude each other.
    """

    sampler: Choice = field(default_factory=lambda: {"name": "uniform"})
    local_planner: Choice = field(default_factory=lambda: {"name": "linear"})
    nodes: Count = 400
    connected_nodes: Count = 0
    seconds: NotNegative = 0.0
    until_solved: bool = False
    neighbors: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | Literal["star"] = 10
    radius: NotNegative = 0.0
    forest: bool = False
    lazy: bool = False

    def __post_init__(self) -> None:
        for name in ("nodes", "connected_nodes", "seconds", "radius"):
            value = getattr(self, name)
            if not 0 <= value < inf:
                raise InputError(f"`{name}` must not be negative, got {value}")
        if not (self.nodes or self.connected_nodes or self.seconds):
            raise InputError(
                "needs a stop rule above 0: one of `nodes`, `connected_nodes` and `seconds`"
            )
        if self.neighbors != "star" and self.neighbors < 0:
            raise InputError(f"`neighbors` must not be negative, got {self.neighbors}")
        if self.neighbors == 0 and self.radius == 0.0:
            raise InputError("`neighbors` = 0 (no limit) needs a `radius`")
        if self.lazy and (self.forest or self.connected_nodes):
            raise InputError(
                "`lazy` leaves open what is connected, which `forest` and `connected_nodes` ask"
            )

    def as_kind(self, kind: type[Settings]) -> Settings:
        """Return a planner (or other class of settings) with these settings of the roadmap."""
        return kind(**{each.name: getattr(self, each.name) for each in fields(RoadmapSettings)})

    def in_space(self, space: "Space", time_limit: float | None) -> Self:
        """Return the settings with lengths in the unit of a space, and a time limit if given."""
        seconds = self.seconds or time_limit or 0.0
        return replace(self, seconds=seconds, radius=self.radius * space.meter)
