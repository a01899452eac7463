"""Narrow passages: keep a formation, change it where it does not fit, and back again."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from behaviors.flock import Flock
from behaviors.formations import FORMATIONS
from behaviors.groups.formation_plan import FormationPlan, make_options, plan_formations
from behaviors.groups.goal_area import GoalArea
from behaviors.groups.group_behavior import (
    BEHAVIORS,
    FormationChange,
    GroupEvent,
    GroupTask,
    Intent,
    RunState,
    default_spacing,
    heading_of,
)
from behaviors.groups.march import March
from behaviors.groups.places import scattered
from behaviors.steering import Arrive, LookAheadAvoidance, Separation
from geometry.arrays import Bool, Float, Index
from geometry.errors import InputError
from models import Character
from planner.passages import measure_room

# Clearance beyond which a path need not keep off walls [m].
WIDEST = 3.0
# The leader waits when a member is this far from where it should be [m] ...
WAIT_FROM = 0.5
# ... and stands when it is this far.
WAIT_FULL = 1.5
# After standing so long [s] the leader creeps on.
PATIENCE = 8.0
CREEP = 0.25


@BEHAVIORS.register("narrow_passages")
@dataclass(frozen=True)
class NarrowPassages:
    """Keep a formation along the path; change it ahead of passages where it does not fit.

    The room beside the path is measured before the run, and the formation is planned over its
    length (see `behaviors.groups.formation_plan`). A virtual leader moves along the path, waits
    for those behind, and every member keeps to its slot (thesis, 4.4). In the goal area the
    members spread out and wander.

    Attributes:
        formation: The preferred one.
        alternatives: Formations tried next, in order; the column is always the last.
        spacing: Between neighboring slots [m]; 0 takes one that suits body and speed.
        wander: Whether the members stroll in the goal area when all are there.
    """

    needs_goal: ClassVar[bool] = True

    formation: str = "line"
    alternatives: tuple[str, ...] = ()
    spacing: float = 0.0
    wander: bool = True

    def __post_init__(self) -> None:
        for name in (self.formation, *self.alternatives):
            FORMATIONS[name]
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return half the width of the preferred formation, up to `WIDEST`."""
        slots = FORMATIONS[self.formation]().slots(
            count, self.spacing or default_spacing(character)
        )
        half_width = float(np.abs(slots[:, 1]).max())
        return min(WIDEST, half_width + 2.0 * character.body.radius)

    def begin(self, task: GroupTask) -> "PassageRun":
        """Measure the room, plan the formations, and line the members up."""
        tightest = 2.0 * task.radius + 0.15
        spacing = self.spacing or default_spacing(task.character)
        if spacing < tightest:
            raise InputError(
                f"`spacing` {spacing:g} m is too small for bodies of radius {task.radius:g} m; "
                f"the least is {tightest:g} m"
            )
        preferred = (self.formation, *self.alternatives)
        options = make_options(preferred, task.count, spacing, tightest)
        most = max(option.half_width for option in options) + 0.1
        window = float(np.clip(most, 1.0, 4.0))
        room = measure_room(task.space, task.path, most, window=window)
        plan = plan_formations(options, room)
        return PassageRun(task, plan, window, self.wander)


class PassageRun(RunState):
    """A group marching through passages; see `NarrowPassages`."""

    def __init__(self, task: GroupTask, plan: FormationPlan, window: float, wander: bool) -> None:
        self._task = task
        self._plan = plan
        self._wander = wander
        self._option = plan.option_at(0.0)
        start = self._line_up(window)
        super().__init__(
            start=start,
            heading=heading_of(task.path, task.count),
            steering=[(1.0, Arrive()), (0.4, Separation()), (0.3, LookAheadAvoidance())],
            formations=tuple(dict.fromkeys(option.formation for option in plan.options)),
            plan=plan.arrays(),
        )
        self._march = March.from_positions(
            task.path, plan.room, window, task.cruise_speed, task.max_speed, start
        )
        self._slot = self._assigned(start)
        self._leader = 0.0
        self._stood = 0.0
        frame = task.path.frames(np.array([task.path.length]), window)[0]
        self._heading = frame[:, 0]
        self._entry_station = _entry(task)
        spacing = max(1.25 * plan.options[self._option].spacing, 2.5 * task.radius)
        self._area = GoalArea.of(
            task.space, task.goal, task.count, spacing, task.path.points[-1],
            0.5 * task.cruise_speed,
        )  # fmt: skip
        self._ends_in_formation = self._fits_in_goal()
        self._arrived = np.zeros(task.count, np.bool_)
        self._announced = False
        self._formed = False
        self._error_sum = 0.0
        self._error_count = 0

    @property
    def _slots(self) -> Float:
        """(n, 3) slots of the formation in use, row i for member i."""
        return self._plan.options[self._option].slots[self._slot]

    def step(self, flock: Flock, time: float) -> Intent:
        """Move the leader, change the formation where the plan says so, and give out subgoals."""
        if not self._announced:
            self._announced = True
            name = self._plan.options[self._option].formation
            self.events.append(GroupEvent(time, "formation", -1, f"start in {name}"))
        self._change_formation(flock, time)
        slots = self._slots
        slot_station = self._leader - slots[:, 0]
        subgoal, velocity = self._march.advance(
            slot_station, slots[:, 1], flock.position, self._task.dt
        )
        self._enter_goal(flock, time)
        in_goal = self._area.taken >= 0
        everyone = bool(self._arrived.all())
        goal = self._area.subgoal(flock.position, everyone and self._wander, time, self._task.rng)
        subgoal[in_goal], velocity[in_goal] = goal[in_goal], 0.0
        self._move_leader(flock, slot_station, slots[:, 1], in_goal)
        to_subgoal = np.linalg.norm(subgoal - flock.position, axis=1)
        onward = self._task.path.length - self._march.station
        aside = np.abs(self._march.left - slots[:, 1])
        remaining = to_subgoal + np.where(in_goal, 0.0, onward + aside)
        parked = in_goal & (to_subgoal < 0.5 * flock.radius)
        names = self.formations
        formation = names.index(self._plan.options[self._option].formation)
        return Intent(subgoal, velocity, remaining, parked | (in_goal & everyone), formation)

    def _fits_in_goal(self) -> bool:
        """Return whether the last formation of the plan has room in the goal region.

        Then the group marches in as it is; else everyone leaves it where the path enters.
        """
        slots = self._plan.options[int(self._plan.choice[-1])].slots
        final = self._task.path.length - slots[:, 0]
        places = self._march.position(final, slots[:, 1])
        return bool(self._task.goal.contains(places).all())

    def _line_up(self, window: float) -> Float:
        """Return start positions (n, 3): in formation if the start region has room for it."""
        task = self._task
        option = self._plan.options[self._option]
        frame = task.path.frames(np.zeros(1), window)[0]
        offset = -option.slots[:, :1] * frame[:, 0] + option.slots[:, 1:2] * frame[:, 1]
        offset += task.rng.uniform(-0.08, 0.08, offset.shape) * (frame[:, 0] + frame[:, 1])
        center = np.tile(task.path.points[0], (task.count, 1))
        placed, arrived = task.space.move(center, offset)
        good = arrived & task.start.contains(placed) & task.space.is_free(placed)
        good &= task.space.world.motions_are_free(center, placed)
        if good.all():
            return placed
        return scattered(
            task.space, task.start, task.count, option.spacing, task.path.points[0], task.rng
        )

    def _assigned(self, position: Float) -> Index:
        """Return the slot of each member (n,), so that nobody crosses and the nearest leads.

        The optimal assignment of squared distances; where slots are equally far (a file becomes
        a line), those in front go to the outside, out of the way of those who come after.
        """
        option = self._plan.options[self._option]
        march = self._march
        if option.formation == "column":
            ahead = march.path.at(np.array([march.station.max() + option.half_width + 2.0]))
            order = np.argsort(np.linalg.norm(position - ahead, axis=1), kind="stable")
            slot = np.empty(len(order), np.intp)
            slot[order] = np.arange(len(order))
            return slot
        reference = march.station.max()
        along = (reference - option.slots[:, 0])[None] - march.station[:, None]
        across = option.slots[:, 1][None] - march.left[:, None]
        rank = np.argsort(np.argsort(-march.station, kind="stable"))
        outward = np.abs(option.slots[:, 1])[None]
        cost = along**2 + across**2 + 1e-2 * rank[:, None] * outward
        rows, columns = linear_sum_assignment(cost)
        slot = np.empty(len(rows), np.intp)
        slot[rows] = columns
        return slot

    def _change_formation(self, flock: Flock, time: float) -> None:
        wanted = self._plan.option_at(self._leader)
        if wanted == self._option:
            return
        before = self._plan.options[self._option]
        after = self._plan.options[wanted]
        self._option = wanted
        if before.formation == after.formation:
            text = f"{after.formation}: spacing {before.spacing:.2f} to {after.spacing:.2f} m"
            self.events.append(GroupEvent(time, "spacing", -1, text))
            return
        self._formed = False
        self._slot = self._assigned(flock.position)
        change = FormationChange(time, self._leader, before.formation, after.formation)
        self.changes.append(change)
        text = f"{before.formation} to {after.formation} at {self._leader:.1f} m"
        self.events.append(GroupEvent(time, "formation", -1, text))

    def _move_leader(
        self, flock: Flock, slot_station: Float, slot_left: Float, in_goal: Bool
    ) -> None:
        """Advance the virtual leader, slower the further a member is behind its slot."""
        march, task = self._march, self._task
        place = march.position(march.station, march.left)
        behind = np.maximum(0.0, slot_station - march.station)
        aside = np.abs(march.within_room(march.station, slot_left) - march.left)
        waiting = slot_station < march.station - 1e-6
        error = behind + np.where(waiting, 0.0, aside)
        error = error + np.linalg.norm(place - flock.position, axis=1)
        worst = float(error[~in_goal].max(initial=0.0))
        self._formed = self._formed or worst < WAIT_FROM
        kept = ~in_goal & ~waiting
        if self._formed and kept.any():
            slot = march.position(slot_station, slot_left)
            self._error_sum += float(np.linalg.norm(slot - flock.position, axis=1)[kept].sum())
            self._error_count += int(kept.sum())
            self.formation_error = round(self._error_sum / self._error_count, 4)
        ease = float(np.clip((WAIT_FULL - worst) / (WAIT_FULL - WAIT_FROM), 0.0, 1.0))
        self._stood = self._stood + task.dt if ease == 0.0 else 0.0
        if self._stood > PATIENCE:
            ease = CREEP
        last = task.path.length + self._plan.options[self._option].depth
        speed = ease * task.cruise_speed * self._turning_share()
        self._leader = min(last, self._leader + speed * task.dt)

    def _turning_share(self) -> float:
        """Return the leader's speed share at which no slot outruns the members in a bend."""
        slots = self._slots
        here = self._march.position(self._leader - slots[:, 0], slots[:, 1])
        ahead = self._march.position(self._leader + 0.1 - slots[:, 0], slots[:, 1])
        stretch = float(np.linalg.norm(ahead - here, axis=1).max()) / 0.1
        return min(1.0, 1.0 / max(stretch, 1e-9))

    def _enter_goal(self, flock: Flock, time: float) -> None:
        """Give a place in the goal region to whoever has come, and note who is in it."""
        inside = self._area.inside(flock.position)
        if self._ends_in_formation:
            at_goal = np.full(len(flock), self._leader >= self._task.path.length)
        else:
            at_goal = self._march.station >= self._entry_station
        coming = np.flatnonzero(at_goal & (self._area.taken < 0))
        if len(coming):
            coming = coming[np.argsort(-self._march.station[coming], kind="stable")]
            entry = self._task.path.at(np.array([self._entry_station]))[0]
            self._area.admit(coming, flock.position, entry, self._heading)
        for member in np.flatnonzero(inside & (self._area.taken >= 0) & ~self._arrived):
            self._arrived[member] = True
            self.events.append(GroupEvent(time, "arrived", int(member), "in the goal region"))


def _entry(task: GroupTask) -> float:
    """Return the arc length from which on the path stays within the goal region [m]."""
    station = np.linspace(0.0, task.path.length, max(2, int(task.path.length / 0.1)))
    outside = ~task.goal.contains(task.path.at(station))
    return float(station[np.flatnonzero(outside)[-1]]) if outside.any() else 0.0
