"""What a group is given to do: its members, where they start, and where they go."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np

from rmp3d.behaviors.groups.goal_area.places import NOBODY, Standing
from rmp3d.behaviors.groups.goal_area.stalls import Stalls
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.models import Character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.scenes import Region

T = TypeVar("T", bound="Task")


class Journey(NamedTuple):
    """The path of a group to its goal; others, such as shepherds, may lead it there."""

    path: CertifiedPath
    roadmap: Roadmap
    goal: Region
    members: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """What a group is and where it starts.

    Attributes:
        space: Where one member can be; proves motions free.
        start: Region that the members start in.
        count: Number of members n.
        character: What is planned for: that of all members, or the `models.envelope` of theirs.
        dt: Time step [s].
        rng: Source of randomness of the group's preparation.
        groups: Names of all groups of the scenario.
        own: Row of this group in them.
        counts: Members of each group.
        journeys: Of the groups that have a goal, by name.
        others: Members of the groups that have begun already, where they start.
        characters: (n,) what each member is; empty if all are ``character``.
        driving: Returns where vehicles longer than wide drive, with their headings; None for all
            others.
    """

    space: Space
    start: Region
    count: int
    character: Character
    dt: float
    rng: np.random.Generator
    groups: tuple[str, ...] = ()
    own: int = 0
    counts: tuple[int, ...] = ()
    journeys: Mapping[str, Journey] = field(default_factory=dict)
    others: Standing = NOBODY
    characters: tuple[Character, ...] = ()
    driving: Callable[[], GroundHeadingSpace] | None = None

    def stalls(self, toward: Float) -> Stalls | None:
        """Return stalls of vehicles that come, or leave, in a direction (3,); None for others."""
        return None if self.driving is None else Stalls(self.driving(), toward)

    @property
    def half_width(self) -> float:
        """Half of the width of the widest member, heading along the path [m]."""
        return self.radius if self.driving is None else self.driving().world.body.half_width

    @property
    def core(self) -> float:
        """Length of the axis of a member that is longer than wide, else zero [m]."""
        if self.driving is None:
            return 0.0
        return float(np.ptp(self.driving().world.body.capsules[:, 0]))

    @property
    def headed(self) -> Space:
        """Where members are that head along a path: for vehicles the space of their headings."""
        return self.space if self.driving is None else self.driving()

    def with_count(self: T, count: int) -> T:
        """Return the task for so many members, each as all are planned for."""
        return replace(self, count=count, characters=())

    @property
    def radius(self) -> float:
        """Of the widest member's body [m]."""
        return self.space.world.body.radius

    @property
    def cruise_speed(self) -> float:
        """Of the member with the least [m/s]."""
        return self.character.parameters.cruise_speed

    @property
    def max_speed(self) -> float:
        """Of the member with the least [m/s]."""
        return self.character.parameters.max_speed

    @property
    def everyone(self) -> tuple[Character, ...]:
        """(n,) what each member is."""
        return self.characters or (self.character,) * self.count

    @property
    def like_first(self) -> Bool:
        """(n,) which members have the character of the first one."""
        if not self.characters:
            return np.ones(self.count, np.bool_)
        return np.array([each is self.characters[0] for each in self.characters])


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupTask(Task):
    """The task of a group that goes somewhere.

    Attributes:
        path: From the start to the goal, for one body.
        roadmap: The path was found on.
        goal: Region that the members must be in at the end.
    """

    path: CertifiedPath
    roadmap: Roadmap
    goal: Region

    @property
    def goal_stalls(self) -> Stalls | None:
        """Stalls of vehicles in the goal, along the end of the path; None for others."""
        end = np.array([self.path.length])
        return None if self.driving is None else self.stalls(self.path.frames(end)[0, :, 0])

    @property
    def expected(self) -> int:
        """Members of this group and of all others that go to the same region."""
        own = self.groups[self.own] if self.groups else ""
        others = [each for name, each in self.journeys.items() if name != own]
        return self.count + sum(each.members for each in others if each.goal is self.goal)


def default_spacing(character: Character) -> float:
    """Return a distance [m] at which members can follow one another at cruise speed."""
    parameters = character.parameters
    braking = 0.8 * min(parameters.max_force, parameters.max_braking) / parameters.mass
    stopping = parameters.cruise_speed**2 / (2.0 * braking)
    return 2.0 * character.body.radius + max(2.2 * character.body.radius, 1.5 * stopping)
