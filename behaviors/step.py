"""One time step of all characters, as a list of stages.

    perceive -> desire -> combine -> going round -> traffic -> turning first -> attainable
    -> eased and safe -> move

Every stage reads the same old state and passes something new on; `step` returns the next state.
Those at rest (see `rmp3d.behaviors.awake`) are left out: the last four stages are of those that are
awake, and but for the last of who is near to one of these.
The members are a part that the caller passes: who they are and what they want. So are the traffic
rules and the safety filter; either can be left out.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from rmp3d.behaviors.awake import EVERYONE, FEWER, Awake
from rmp3d.behaviors.converging import Converging
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.kept_pairs import PartTooSmallError
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput, level
from rmp3d.behaviors.traffic.lanes import leaving
from rmp3d.behaviors.vehicles import (
    Motion,
    attainable,
    carried_to,
    eased,
    move,
    turned_on_the_spot,
    turning_first,
)
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index, read_only
from rmp3d.geometry.vectors import clip_length


@dataclass(frozen=True, eq=False)
class Wishes:
    """What N members want in one step, besides the forces that steer them.

    Attributes:
        remaining: (N,) length of the path still to go [m]; decides the right of way and shows
            progress.
        parked: (N,) whether a member is where it will stay; it makes room for others.
        ruled: (N,) whether traffic rules may change what a member wants.
        gear: (N,) of vehicles in a maneuver: 1 ahead, -1 backward; traffic rules leave these
            alone. Zero for all others.
        convoy: (N,) number of the formation in whose lanes a member keeps, -1 for none.
        speed_limit: (N,) besides that of its body [m/s].
        pose: Positions (N, 3) [m] and rotations (N, 3, 3) at the end of the step where a schedule
            says them; None: the members move by themselves.
        queue: (N,) number of the queue that a member is in, -1 for none; None: nobody is in one.
        waypoint: (N, 3) up to where members go straight on [m]; None: nobody says.
        lanes: (L, 9) that vehicles ask walkers to leave, see `rmp3d.behaviors.traffic.lanes`; None:
            nobody asks.
    """

    remaining: Float
    parked: Bool
    ruled: Bool
    gear: Index
    convoy: Index
    speed_limit: Float
    pose: tuple[Float, Float] | None = None
    queue: Index | None = None
    lanes: Float | None = None
    waypoint: Float | None = None

    @classmethod
    def of(
        cls, remaining: Float, parked: Bool | None = None, ruled: bool = True, convoy: int = -1
    ) -> "Wishes":
        """Return the wishes of members with so much path to go; all of them are ruled, or none."""
        count = len(remaining)
        return cls(
            remaining=remaining,
            parked=np.zeros(count, np.bool_) if parked is None else parked,
            ruled=np.full(count, ruled),
            gear=np.zeros(count, np.intp),
            convoy=np.full(count, convoy),
            speed_limit=np.full(count, np.inf),
        )


class Members(Protocol):
    """All members: what they know, what they want, and how they steer towards that."""

    def perceive(self, flock: Flock, time: float) -> WorldState:
        """Return the world at a time [s], after every member has looked at it."""
        ...

    def desire(self, world: WorldState) -> Wishes:
        """Return what the members want."""
        ...

    def combine(self, world: WorldState, wishes: Wishes) -> SteeringOutput:
        """Return what their steering behaviors ask for, combined into one force each."""
        ...


class TrafficRules(Protocol):
    """Rules by which members give way; see `rmp3d.behaviors.traffic.Traffic`."""

    def resolve(
        self,
        flock: Flock,
        desire: Float,
        remaining: Float,
        parked: Bool,
        convoy: Index | None,
        awake: Index | None = None,
    ) -> tuple[Float, Float]:
        """Return changed velocities (N, 3) [m/s] and weights (N,): less than one yields.

        ``awake`` are the rows of those that are not at rest; None: all.
        """
        ...


class SafetyFilter(Protocol):
    """Makes velocities safe; see `rmp3d.behaviors.safety.SafetyConstraint`."""

    def velocity(
        self,
        flock: Flock,
        proposal: Float,
        desire: Float,
        weight: Float | None,
        queue: Index | None = None,
        awake: Index | None = None,
    ) -> Float:
        """Return the safe velocities (N, 3) [m/s] nearest to the proposed ones.

        Only those of rows ``awake`` are asked for; None: all.
        """
        ...


class GateRules(Protocol):
    """Rules by which members wait for moving parts; see `rmp3d.behaviors.moving_parts.gates`."""

    def resolve(self, flock: Flock, desire: Float) -> Float:
        """Return changed velocities (N, 3) [m/s]."""
        ...


def step(
    flock: Flock,
    members: Members,
    time: float = 0.0,
    *,
    traffic: TrafficRules | None = None,
    converging: Converging | None = None,
    gates: GateRules | None = None,
    safety: SafetyFilter | None = None,
) -> Flock:
    """Return the flock one time step later.

    Args:
        flock: Present state.
        members: Who they are and what they want.
        time: Of the present state [s].
        traffic: Rules by which members give way; None: everyone goes as it wishes.
        converging: Leads members round where many come together; None: nothing does.
        gates: Rules by which members wait for moving parts; None: nobody waits.
        safety: Keeps members apart from one another and the scene; None: nothing does.
    """
    world = members.perceive(flock, time)
    wishes = members.desire(world)
    if len(flock) == 0:
        return flock.moved()
    if wishes.pose is not None:
        return carried_to(flock, wishes.pose, world.dt)
    steering = members.combine(world, wishes)
    desire = wished_velocity(flock, steering, wishes, world.awake)
    if gates is not None:  # who waits for a part wants to stand, and is not jammed
        desire = gates.resolve(flock, desire)
    if converging is not None and wishes.waypoint is not None:
        free = wishes.ruled & (wishes.gear == 0) & ~wishes.parked
        desire = converging.bent(world, desire, wishes.waypoint, free)
    desire, weight = _under_rules(traffic, flock, desire, wishes, world.awake)
    if gates is not None:
        desire = gates.resolve(flock, desire)
    asked = _Ruled(
        desire, weight, steering.turning, steering.oriented, wishes.ruled, wishes.gear,
        wishes.queue,
    )  # fmt: skip
    part = world.awake.part
    if part is not None:
        try:
            awake = None if world.awake.rows is None else np.searchsorted(part, world.awake.rows)
            moved = _moved(flock.part(part), world, asked.of(part), safety, awake, awake)
            return _with_rest(flock, world, moved)
        except PartTooSmallError:  # somebody has become so fast that others are near
            pass
    awake = world.awake.rows
    # To sort out a few that rest costs more than to let them move by nothing.
    only = None if awake is None or len(awake) >= FEWER * len(flock) else awake
    return _with_rest(flock, world, _moved(flock, world, asked, safety, awake, only))


class _Ruled(NamedTuple):
    """What is asked for of n members when all have wished, and the rules have been kept."""

    desire: Float
    weight: Float
    turning: Float
    oriented: Bool
    ruled: Bool
    gear: Index
    queue: Index | None

    def of(self, rows: Index) -> "_Ruled":
        """Return what is asked for of some."""
        taken: Any = [None if each is None else each.take(rows, axis=0) for each in self]
        return _Ruled(*taken)


def _moved(
    flock: Flock,
    world: WorldState,
    asked: _Ruled,
    safety: SafetyFilter | None,
    awake: Index | None,
    only: Index | None,
) -> Flock:
    """Return members one time step later, as far as their vehicles and safety let them.

    Args:
        flock: Members (n,) that take part.
        world: What they perceived.
        asked: What is asked for of them.
        safety: Keeps them apart from one another and the scene; None: nothing does.
        awake: (m,) numbers of those that move; None: all do.
        only: Numbers of those to be returned; None: all. Those at rest stand then.
    """
    wanted = asked.desire
    desire = turning_first(flock, wanted, asked.oriented, asked.ruled)
    proposal = attainable(flock, desire, world.dt, asked.gear < 0)
    if safety is None:
        velocity = level(flock, eased(flock, proposal, world.dt))
    else:
        velocity = safety.velocity(flock, proposal, desire, asked.weight, asked.queue, awake)
    steering = SteeringOutput(np.zeros_like(desire), asked.turning, asked.oriented)
    steering = turned_on_the_spot(flock, desire, steering)
    others = {step: around.surface for step, around in world.others.items()}
    motion = Motion(velocity, world.dt, steering, world.surface, others, wanted, asked.ruled)
    moved = move(flock, motion, only)
    before = flock.velocity if only is None else flock.velocity.take(only, axis=0)
    change = level(moved, moved.velocity - before)
    return moved.moved(acceleration=change / world.dt)


def _with_rest(flock: Flock, world: WorldState, moved: Flock) -> Flock:
    """Return the flock in which those that are awake have moved; the others stand where they are.

    Args:
        flock: Before the step.
        world: Says who is awake.
        moved: Those that are awake, after it; or all, as if they were.
    """
    awake, resting = world.awake.rows, world.awake.resting
    if awake is None or resting is None:
        return moved
    if len(moved) == len(flock):
        return _rested(flock, world, moved, np.flatnonzero(resting))
    found = {
        "acceleration": level(flock, -flock.velocity) / world.dt,
        "velocity": np.zeros((len(flock), 3)), "spin": np.zeros((len(flock), 3)),
    }  # fmt: skip
    found |= {name: np.array(getattr(flock, name)) for name in flock.arrays if name not in found}
    for name, values in found.items():
        values[awake] = getattr(moved, name)
    after = flock.moved(**{name: read_only(values) for name, values in found.items()})
    after.turned_from(flock, awake)
    return after


def _rested(flock: Flock, world: WorldState, moved: Flock, rows: Index) -> Flock:
    """Return the flock in which all have moved but those of ``rows`` (n,), that stand."""
    stood = {
        name: getattr(flock, name).take(rows, axis=0)
        for name in flock.arrays if name not in ("velocity", "acceleration", "spin")
    }  # fmt: skip
    stopping = -flock.velocity.take(rows, axis=0) / world.dt
    stopping[flock.bodies.grounded[rows], 2] = 0.0
    stood |= {"velocity": 0.0, "acceleration": stopping, "spin": 0.0}
    found = {name: np.array(getattr(moved, name)) for name in stood}
    for name, values in found.items():
        values[rows] = stood[name]
    return flock.moved(**{name: read_only(values) for name, values in found.items()})


def wished_velocity(
    flock: Flock, steering: SteeringOutput, wishes: Wishes, awake: Awake = EVERYONE
) -> Float:
    """Return the velocities (N, 3) [m/s] that forces lead to in `RESPONSE_TIME`, within limits.

    Those at rest want none.
    """
    velocity, force, mass = flock.velocity, steering.force, flock.bodies.mass
    fastest = _fastest(flock, wishes)
    if awake.rows is None or len(awake.rows) >= FEWER * len(flock):
        wished = clip_length(velocity + force / mass[:, None] * RESPONSE_TIME, fastest)
        if awake.resting is not None:
            wished[awake.resting] = 0.0
        return wished
    velocity, force = velocity.take(awake.rows, axis=0), force.take(awake.rows, axis=0)
    wished = velocity + force / mass[awake.rows, None] * RESPONSE_TIME
    desire = np.zeros((len(flock), 3))
    desire[awake.rows] = clip_length(wished, fastest[awake.rows])
    return desire


def _fastest(flock: Flock, wishes: Wishes) -> Float:
    return np.minimum(flock.bodies.max_speed, wishes.speed_limit)


def _under_rules(
    traffic: TrafficRules | None, flock: Flock, desire: Float, wishes: Wishes, awake: Awake
) -> tuple[Float, Float]:
    """Return desired velocities (N, 3) under the traffic rules, and yielding weights (N,)."""
    weight = np.ones(len(desire))
    free = ~wishes.ruled | (wishes.gear != 0)
    if traffic is not None and not free.all():
        ruled, yielding = traffic.resolve(
            flock, desire, wishes.remaining, wishes.parked, wishes.convoy, awake.rows
        )
        desire, weight = np.where(free[:, None], desire, ruled), np.where(free, 1.0, yielding)
        if wishes.lanes is not None:
            walk = ~free & flock.bodies.grounded & (flock.bodies.turn_radius == 0.0)
            desire = leaving(flock, desire, wishes.lanes, walk)
    return clip_length(desire, _fastest(flock, wishes)), weight
