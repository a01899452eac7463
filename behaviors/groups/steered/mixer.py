"""A combination of steering behaviors at work for a group, with what it remembers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.combining import SteeringRequest
from rmp3d.behaviors.combining.combining import nothing
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.steered.spec import ALL, OWN, SteeringSpec, Vector, WeightedBehavior
from rmp3d.behaviors.perception import Known
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    KnownAgent,
    SteeringOutput,
    force_towards,
    remember,
    shares_memory,
    where_known,
)
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import clip_length
from rmp3d.scenes import Region

ROLES = ("quarry", "threat", "leader", "ward")
# The one that a member is after is kept until another is nearer by this factor.
FAVOR = 0.8


class SteeringMixer:
    """A combination of steering behaviors at work for one group, with what they remember.

    Args:
        spec: What it is made of.
        groups: Names of all groups.
        own: Row of the group in them.
        regions: Of the scene, by name.
        count: Members n.

    Attributes:
        aim: (n, 3) point [m] that each member's steering is about, NaN for none.
        points: (n, 3) targets [m] of single members instead of the stated one, NaN for none.
        motion: (n, 3) velocities of these points [m/s].
        led: (n, 3) waypoints [m] of members that a roadmap leads to whom their roles are about, and
            who take the waypoint for that one meanwhile; NaN for none.

    Raises:
        InputError: A name that is no group or region, or a behavior that lacks what it needs.
    """

    def __init__(
        self,
        spec: SteeringSpec,
        groups: Sequence[str],
        own: int,
        regions: Mapping[str, Region],
        count: int,
    ) -> None:
        self._parts = spec.parts()
        self._scheme = spec.scheme()
        self._own = own
        self._memory: list[NDArray[Any] | None] = [None] * len(self._parts)
        self._fresh = np.zeros(count, np.bool_)
        self._among = [_group_row(part.among, groups, own) for part in self._parts]
        self._point, self._target = _place(spec, groups, regions)
        heading = spec.target_heading
        self._heading = None if heading is None else np.tile(_unit(heading), (count, 1))
        self._roles: dict[str, int] = {}
        needs = {need for part in self._parts for need in part.needs}
        for role in ROLES:
            name = getattr(spec, role)
            if name is not None:
                self._roles[role] = _known_group(name, groups, role)
            elif role in needs:
                if self._target is None:
                    raise InputError(
                        f"`{role}`: {_who(self._parts, role)} needs the name of a group"
                    )
                self._roles[role] = self._target
        if "subgoal" in needs and self._point is None and self._target is None:
            raise InputError(
                f"`target`: {_who(self._parts, 'subgoal')} needs a point, a region or a group"
            )
        if "subgoal_heading" in needs and heading is None:
            raise InputError(
                f"`target_heading`: {_who(self._parts, 'subgoal_heading')} needs a direction"
            )
        self._chosen_before = {role: np.full(count, -1, np.intp) for role in (*ROLES, "target")}
        self.aim: Float = np.full((count, 3), np.nan)
        self.points: Float = np.full((count, 3), np.nan)
        self.motion: Float = np.zeros((count, 3))
        self.led: Float = np.full((count, 3), np.nan)

    def forget(self) -> None:
        """Forget what the behaviors remember, as when they are taken up anew."""
        self._memory = [None] * len(self._parts)

    def aim_at(self, point: Float | None) -> None:
        """Let a point (3,) [m] be the target of all members, or (None) the stated one again.

        Raises:
            InputError: None of the behaviors is about a target.
        """
        if not any("subgoal" in part.needs for part in self._parts):
            raise InputError("none of its steering behaviors has a target; add `seek` or `arrive`")
        self.points = np.full_like(self.points, np.nan if point is None else point)
        self.motion = np.zeros_like(self.motion)

    def turn_over(self, own: Turnover, everyone: Turnover) -> None:
        """Go on with the members that are there now; newcomers begin as the others began."""
        self._memory = [
            kept if kept is None or shares_memory(part.behavior) else own.of(kept, 0)
            for part, kept in zip(self._parts, self._memory, strict=True)
        ]
        self._fresh = own.of(self._fresh, True)
        count = len(own)
        if self._heading is not None:
            self._heading = np.tile(self._heading[:1], (count, 1))
        for role, chosen in self._chosen_before.items():
            self._chosen_before[role] = everyone.rows(own.of(chosen, -1))
        self.aim, self.points = own.of(self.aim, np.nan), own.of(self.points, np.nan)
        self.motion, self.led = own.of(self.motion, 0.0), own.of(self.led, np.nan)

    def steer(self, world: WorldState, rows: Index, known: Known) -> SteeringOutput:
        """Return what the members ask for now, and note what it is about in ``aim``.

        Args:
            world: Everything; only the scene is taken from it.
            rows: (n,) rows of the members in its flock.
            known: What the members know of others.
        """
        flock = world.flock.select(rows)
        others = {
            role: _led(self._other(role, group, world, flock, known), self.led)
            for role, group in self._roles.items()
        }
        subgoal, velocity, able = self._subgoal(world, flock, known)
        around = world.surroundings(
            rows, _neighbors(world, rows, known, None), subgoal, velocity, others, self._heading
        )
        self.aim = _aim(flock, subgoal, able, others)
        near: dict[int | None, Neighbors] = {None: around.neighbors}
        requests = []
        for row, (part, among) in enumerate(zip(self._parts, self._among, strict=True)):
            if among not in near:
                near[among] = _neighbors(world, rows, known, among)
            own = replace(around, neighbors=near[among], memory=self._memory[row])
            if self._fresh.any() and own.memory is not None and not shares_memory(part.behavior):
                begun = remember(part.behavior, flock, own.remembering(None)).memory
                assert begun is not None
                own.memory[self._fresh] = begun[self._fresh]
            own = remember(part.behavior, flock, own)
            self._memory[row] = own.memory
            mask = able if "subgoal" in part.needs else None
            requests.append(
                SteeringRequest(part.behavior, flock, own, part.weight, part.probability, mask)
            )
        self._fresh = np.zeros(len(rows), np.bool_)
        return self._scheme.combine(requests, flock, around) if requests else standing(flock)

    def other(self, role: str) -> Index:
        """Return the row of the flock (n,) of the agent in a role, -1 for none."""
        return self._chosen_before[role]

    def _other(
        self, role: str, group: int, world: WorldState, flock: Flock, known: Known
    ) -> KnownAgent:
        pair = self._nearest(role, group, world, flock, known)
        found = pair >= 0
        nobody = KnownAgent.nobody(len(flock))
        if not found.any():
            return nobody

        def rows(of_pairs: Float, otherwise: Float) -> Float:
            return np.where(
                found.reshape(-1, *[1] * (of_pairs.ndim - 1)), of_pairs[pair], otherwise
            )

        return KnownAgent(
            position=rows(known.position, nobody.position),
            velocity=rows(known.velocity, nobody.velocity),
            heading=rows(known.heading, nobody.heading),
            up=rows(known.up, nobody.up),
            radius=rows(world.flock.bodies.radius[known.j], nobody.radius),
            known=found,
            age=rows(known.age, nobody.age),
        )

    def _nearest(
        self, role: str, group: int, world: WorldState, flock: Flock, known: Known
    ) -> Index:
        """Return the pair (n,) of the nearest known of a group, -1 for none, and keep to it."""
        among = world.group_of == group
        pair = known.nearest(among, flock.position, self._chosen_before[role], FAVOR)
        kept = np.full(len(flock), -1, np.intp)
        kept[pair >= 0] = known.j[pair[pair >= 0]]
        self._chosen_before[role] = kept
        return pair

    def _subgoal(self, world: WorldState, flock: Flock, known: Known) -> tuple[Float, Float, Bool]:
        """Return subgoals (n, 3), their velocities (n, 3), and which members have one (n,)."""
        stated = ~np.isnan(self.points[:, 0])
        subgoal, velocity = flock.position.copy(), np.zeros_like(flock.position)
        if self._target is not None:
            other = self._other("target", self._target, world, flock, known)
            subgoal[other.known] = other.expected[other.known]
            velocity[other.known] = other.velocity[other.known]
            able = other.known.copy()
        else:
            able = np.full(len(flock), self._point is not None)
            if self._point is not None:
                subgoal[:] = self._point
        subgoal[stated], velocity[stated] = self.points[stated], self.motion[stated]
        return subgoal, velocity, able | stated


def _led(other: KnownAgent, waypoint: Float) -> KnownAgent:
    """Return what agents know of one another, or of a waypoint (n, 3) that leads there."""
    led = ~np.isnan(waypoint[:, 0])
    if not led.any():
        return other
    return replace(
        other,
        position=np.where(led[:, None], waypoint, other.position),
        velocity=where_known(~led, other.velocity),
        known=other.known | led,
        age=np.where(led, 0.0, other.age),
    )


def standing(flock: Flock) -> SteeringOutput:
    """Return the steering that brings agents to rest."""
    force, turning, oriented = nothing(len(flock))
    stop = clip_length(force_towards(flock, force), flock.bodies.max_force)
    return SteeringOutput(stop, turning, oriented)


def _neighbors(world: WorldState, rows: Index, known: Known, group: int | None) -> Neighbors:
    """Return the pairs that are perceived now, with those of one group or (None) with all."""
    kept = known.seen if group is None else known.seen & (world.group_of[known.j] == group)
    i, j = known.i[kept], known.j[kept]
    flock = world.flock
    return Neighbors(
        i, j, flock.position[j] - flock.position[rows[i]],
        flock.bodies.radius[rows[i]] + flock.bodies.radius[j],
        rows[i] < j, len(rows),
    )  # fmt: skip


def _aim(flock: Flock, subgoal: Float, able: Bool, others: Mapping[str, KnownAgent]) -> Float:
    """Return the point (n, 3) that each member's steering is about, NaN for none."""
    aim = np.full_like(flock.position, np.nan)
    for other in reversed(list(others.values())):
        aim[other.known] = other.expected[other.known]
    aim[able] = subgoal[able]
    return aim


def _group_row(among: str, groups: Sequence[str], own: int) -> int | None:
    if among == ALL:
        return None
    return own if among == OWN else _known_group(among, groups, "among")


def _known_group(name: str, groups: Sequence[str], key: str) -> int:
    if name not in groups:
        raise InputError(f"`{key}`: {unknown_name('group', name, list(groups))}")
    return list(groups).index(name)


def _place(
    spec: SteeringSpec, groups: Sequence[str], regions: Mapping[str, Region]
) -> tuple[Float | None, int | None]:
    """Return the target as a point (3,), or as the row of a group."""
    if spec.target is None:
        return None, None
    if not isinstance(spec.target, str):
        return np.array(spec.target, np.float64), None
    if spec.target in groups:
        return None, list(groups).index(spec.target)
    if spec.target in regions:
        return regions[spec.target].center, None
    problem = unknown_name("group or region", spec.target, [*groups, *regions])
    raise InputError(f"`target`: {problem}")


def _unit(direction: Vector) -> Float:
    size = float(np.linalg.norm(direction))
    if size == 0.0:
        raise InputError("`target_heading` must not be zero")
    return np.array(direction) / size


def _who(parts: Sequence[WeightedBehavior], need: str) -> str:
    """Return the names of the behaviors that need something."""
    kinds = [type(part.behavior) for part in parts if need in part.needs]
    return ", ".join(
        f"`{name}`" for name in STEERING_BEHAVIORS if STEERING_BEHAVIORS[name] in kinds
    )
