"""The contract of a steering behavior, what it may look at, and how several are combined."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.force_log import ForceLog
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.own_code import given_array
from rmp3d.geometry.parallel import meanwhile
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.registry import Registry
from rmp3d.geometry.row_vectors import leveled
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import are_many, as_read_only, clip_length

STEERING_BEHAVIORS = Registry("steering behavior")

# Time in which a behavior wants a difference of velocity made up [s].
RESPONSE_TIME = 0.25

Begun: TypeAlias = Mapping[int, Callable[[], Float]]
NOT_BEGUN: Begun = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class KnownAgent:
    """Someone else that matters to each agent, as that agent knows it; row i is agent i's.

    Attributes:
        position: (N, 3) where it was seen last [m].
        velocity: (N, 3) as seen then [m/s].
        heading: (N, 3) unit, as seen then.
        up: (N, 3) unit, as seen then.
        radius: (N,) of its body [m].
        known: (N,) whether the agent knows of it at all; the rest of the row means nothing if not.
        age: (N,) how long ago it was seen [s]; zero while it is in view.
    """

    position: Float
    velocity: Float
    heading: Float
    up: Float
    radius: Float
    known: Bool
    age: Float

    __repr__ = short_repr

    @cached_property
    def expected(self) -> Float:
        """(N, 3) where it is now if it has kept its velocity [m]."""
        return self.position + self.age[:, None] * self.velocity

    @classmethod
    def row_of(cls, crowd: Flock, row: Index) -> "KnownAgent":
        """Return full knowledge of ``row`` (N,) of a crowd; -1 for nobody."""
        return cls(
            position=crowd.position[row], velocity=crowd.velocity[row], heading=crowd.heading[row],
            up=crowd.up[row], radius=crowd.bodies.radius[row], known=row >= 0,
            age=np.zeros(len(row)),
        )  # fmt: skip

    @classmethod
    def nobody(cls, count: int) -> "KnownAgent":
        """Return what ``count`` agents know of someone that they know nothing of."""
        zero, axes = np.zeros((count, 3)), np.eye(3)
        return cls(
            position=zero, velocity=zero, heading=np.tile(axes[0], (count, 1)),
            up=np.tile(axes[2], (count, 1)), radius=np.zeros(count),
            known=np.zeros(count, np.bool_), age=np.zeros(count),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What the N agents of a group may know in one step: what their perception lets through.

    Everything has a default: a behavior that needs a subgoal only is called with
    ``Surroundings(subgoal=...)``. `Surroundings.of` is for agents that notice all others.

    Attributes:
        neighbors: Ordered pairs: which agent notices which; ``neighbors.j`` are rows of ``crowd``.
            By default there are none.
        subgoal: (N, 3) where each agent wants to be now [m]; by default where it is in ``crowd``.
        subgoal_velocity: (N, 3) how that point moves [m/s]; by default it rests.
        obstacles: Queries to the scene's obstacles, or None in an empty scene.
        crowd: All characters, for what a behavior asks about neighbors; None without neighbors.
        member: (N,) rows of the agents in ``crowd``; by default all of the crowd.
        chance: (N,) a number of each agent's own, by which its chance is drawn; by default its row.
        others: By role, the one other that matters to each agent: ``quarry`` is followed or
            watched, ``threat`` is fled from, ``leader`` is followed in its formation, ``ward`` is
            protected.
        subgoal_heading: (N, 3) unit, how to stand at the subgoal; None if it does not matter.
        surface: What walkers walk on, or None.
        bounds: (2, 3) box of the scene [m], or None.
        time: Since the start [s].
        dt: Time step [s].
        seed: Of all randomness; see `rmp3d.behaviors.noise`.
        memory: What the behavior returned from `remembered` in this step; None before that.
        log: Takes notes of what behaviors ask for; None: nobody does.
    """

    neighbors: Neighbors = None  # type: ignore[assignment]
    subgoal: Float = None  # type: ignore[assignment]
    subgoal_velocity: Float = None  # type: ignore[assignment]
    obstacles: MeshQuery | None = None
    crowd: Flock | None = None
    member: Index = None  # type: ignore[assignment]
    chance: Index = None  # type: ignore[assignment]
    others: Mapping[str, KnownAgent] = field(default_factory=dict)
    subgoal_heading: Float | None = None
    surface: WalkableSurface | None = None
    bounds: Float | None = None
    time: float = 0.0
    dt: float = 1.0 / 30.0
    seed: int = 0
    memory: NDArray[Any] | None = None
    log: ForceLog | None = None

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.subgoal is None:
            nowhere = np.zeros((0, 3)) if self.crowd is None else self.crowd.position
            object.__setattr__(self, "subgoal", nowhere)
        elif not isinstance(self.subgoal, np.ndarray) or self.subgoal.ndim != 2:
            object.__setattr__(self, "subgoal", np.asarray(self.subgoal, float).reshape(-1, 3))
        count = len(self.subgoal)
        if self.subgoal_velocity is None:
            object.__setattr__(self, "subgoal_velocity", np.zeros((count, 3)))
        if self.member is None:
            object.__setattr__(self, "member", np.arange(count))
        if self.chance is None:
            object.__setattr__(self, "chance", self.member)
        if self.neighbors is None:
            object.__setattr__(self, "neighbors", Neighbors.none(count))

    @classmethod
    def of(cls, crowd: Flock, reach: float = 3.0, **known: Any) -> "Surroundings":
        """Return what agents know that notice all others in reach.

        Args:
            crowd: The agents.
            reach: Largest distance [m] at which they notice one another.
            known: Anything else that they know, such as ``subgoal``.
        """
        near = Neighbors.within(crowd.position, reach, crowd.bodies.radius)
        return cls(neighbors=near, crowd=crowd, **known)

    def note(self, behavior: object, force: Float) -> None:
        """Note what a behavior asks the agents for, (N, 3) [N], weighted."""
        if self.log is not None:
            name = next(
                name for name in STEERING_BEHAVIORS if STEERING_BEHAVIORS[name] is type(behavior)
            )
            self.log.note(name, self.member, force)

    def other(self, role: str) -> KnownAgent:
        """Return what the agents know of the one in a role; of nobody where there is none."""
        found = self.others.get(role)
        return KnownAgent.nobody(len(self.subgoal)) if found is None else found

    def remembering(self, memory: NDArray[Any] | None) -> "Surroundings":
        """Return the same with what one behavior remembers."""
        return replace(self, memory=memory)


class SteeringOutput(NamedTuple):
    """What one or several behaviors ask for: linear and angular output side by side.

    Attributes:
        force: (N, 3) [N], world frame.
        turning: (N, 3) angular acceleration as a rotation vector [rad/s^2], world frame.
        oriented: (N,) whether the orientation is steered by ``turning``; elsewhere it follows the
            motion, as the vehicle sees fit.
    """

    force: Float
    turning: Float
    oriented: Bool

    @classmethod
    def of(cls, force: Float) -> "SteeringOutput":
        """Return forces alone: the orientation follows the motion."""
        return cls(force, np.zeros_like(force), np.zeros(len(force), np.bool_))


class SteeringBehavior(Protocol):
    """A steering behavior: a frozen dataclass of parameters, vectorized over the agents.

    A class may also have ``needs: ClassVar[tuple[str, ...]]``, the roles and things in
    `Surroundings` without which it asks for nothing, and ``mates: ClassVar[bool]``, whether its
    neighbors are those of the own group only; ``scene_alone: ClassVar[bool]``, whether it asks
    about the agents and the obstacles of the scene alone; and it may be a `TurningBehavior` or a
    `RememberingBehavior`.
    """

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N], world frame, that each agent asks for.

        Rows that know nothing to do are exactly zero.
        """
        ...


class TurningBehavior(Protocol):
    """A behavior that also, or only, steers the orientation."""

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2], and which agents it orients (N,)."""
        ...


class RememberingBehavior(Protocol):
    """A behavior with a memory; the caller keeps it from step to step.

    It has a row for each agent, which stays with it when others come and leave; of a class with
    ``shares_memory = True`` it is common to all of them.
    """

    def remembered(self, flock: Flock, around: Surroundings) -> NDArray[Any]:
        """Return what to remember from now on, given what was until now (``around.memory``).

        It is called once a step, before the force, with ``around.memory`` None the first time.
        """
        ...


def turns(behavior: SteeringBehavior) -> TypeGuard[TurningBehavior]:
    """Return whether a behavior is a `TurningBehavior`."""
    # A look at one name: `isinstance` on a protocol takes many times as long, at every step.
    return hasattr(behavior, "steering_turn")


def remembers(behavior: SteeringBehavior) -> TypeGuard[RememberingBehavior]:
    """Return whether a behavior is a `RememberingBehavior`."""
    return hasattr(behavior, "remembered")


def shares_memory(behavior: SteeringBehavior) -> bool:
    """Return whether a memory is common to all agents."""
    return getattr(behavior, "shares_memory", False)


def steer(behavior: SteeringBehavior, flock: Flock, around: Surroundings) -> SteeringOutput:
    """Return the linear and the angular output of one behavior."""
    force = behavior.steering_force(flock, around)
    force = given_array(force, (len(flock), 3), behavior, "steering_force")
    if turns(behavior):
        return SteeringOutput(force, *behavior.steering_turn(flock, around))
    return SteeringOutput.of(force)


def remember(behavior: SteeringBehavior, flock: Flock, around: Surroundings) -> Surroundings:
    """Return the surroundings with the behavior's memory brought up to this step."""
    if remembers(behavior):
        return around.remembering(behavior.remembered(flock, around))
    return around


def force_towards(flock: Flock, desired_velocity: Float) -> Float:
    """Return the force (N, 3) [N] that makes up for a velocity in `RESPONSE_TIME`."""
    return flock.bodies.mass[:, None] * (desired_velocity - flock.velocity) / RESPONSE_TIME


def offset_to(flock: Flock, point: Float) -> Float:
    """Return the offset (N, 3) [m] from each agent to a point (N, 3); level for walkers."""
    return level(flock, point - flock.position)


def level(flock: Flock, vectors: Float) -> Float:
    """Return vectors (N, 3) of which walkers' have no vertical part."""
    if are_many(vectors):
        found = np.empty_like(vectors)
        leveled(as_read_only(vectors), as_read_only(flock.bodies.grounded), found)
        return found
    return np.where(flock.bodies.grounded[:, None] & [False, False, True], 0.0, vectors)


def where_known(known: Bool, rows: Float) -> Float:
    """Return ``rows`` (N, 3), exactly zero where not ``known`` (N,)."""
    return np.where(known[:, None], rows, 0.0)


def blend(
    weighted: Sequence[tuple[float, SteeringBehavior]],
    flock: Flock,
    around: Surroundings,
    begun: Begun = NOT_BEGUN,
) -> Float:
    """Return the weighted sum of behaviors (N, 3) [N], cut to each agent's largest force.

    Args:
        weighted: Weights and behaviors.
        flock: The agents.
        around: What they may know.
        begun: Gives forces that were begun before, see `begin`, by the row in ``weighted``.
    """
    force = np.zeros_like(flock.position)
    for row, (weight, behavior) in enumerate(weighted):
        known = begun.get(row)
        asked = weight * (behavior.steering_force(flock, around) if known is None else known())
        around.note(behavior, asked)
        force += asked
    return clip_length(force, flock.bodies.max_force)


def begin(
    weighted: Sequence[tuple[float, SteeringBehavior]], flock: Flock, obstacles: MeshQuery | None
) -> Begun:
    """Let other threads begin with what asks about the scene alone; return what `blend` takes."""
    around = Surroundings(crowd=flock, obstacles=obstacles)
    return {
        row: meanwhile(partial(behavior.steering_force, flock, around), len(flock))
        for row, (_, behavior) in enumerate(weighted)
        if getattr(behavior, "scene_alone", False)
    }
