"""A group at work that marches through passages in formation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.driven_members import DrivenMembers
from rmp3d.behaviors.groups.driving.reversing import Reversing
from rmp3d.behaviors.groups.formation.assignment import in_files, nearest_slots
from rmp3d.behaviors.groups.formation.frame import CATCH_UP, FormationFrame
from rmp3d.behaviors.groups.formation.options import LAST_RESORT
from rmp3d.behaviors.groups.formation.overtaking import passed_in_file
from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.behaviors.groups.formation.references import Reference, shifts
from rmp3d.behaviors.groups.formation.tail import Tail
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.group_behavior import (
    FormationChange,
    GroupEvent,
    GroupTask,
    Intent,
    RunState,
    heading_of,
)
from rmp3d.behaviors.groups.passages.ends import ends_in_goal, goal_entry, lined_up
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import clip_length, length

# The leader waits when a member is this far from where it should be, in spacings ...
WAIT_FROM = 0.4
# ... and stands when it is this far.
WAIT_FULL = 1.25
# After standing so long [s] the leader creeps on.
PATIENCE = 8.0
# All together nearer to their slots by this many spacings is progress.
PROGRESS = 0.2
CREEP = 0.25


class PassageRun(RunState):
    """A group marching through passages; see `rmp3d.behaviors.groups.NarrowPassages`."""

    def __init__(
        self, task: GroupTask, plan: FormationPlan, window: float, reference: Reference,
        wander: bool,
    ) -> None:  # fmt: skip
        self._task = task
        self._plan = plan
        self._reference: Reference = reference
        self._wander = wander
        self._option = plan.option_at(0.0)
        self._is_recorded = True  # the plan: its numbers of options mean something to readers
        start = lined_up(task, plan.options[self._option], window)
        super().__init__(
            start=start,
            heading=heading_of(task.path, task.count),
            steering=[(1.0, Arrive()), (0.4, Separation()), (0.3, LookAheadAvoidance())],
            formations=tuple(dict.fromkeys(option.formation for option in plan.options)),
            plan=plan.arrays(task.path, window),
        )
        self._drives = task.character.parameters.turn_radius > 0.0
        # In file, unsqueezed.
        self._spacing = plan.options[-1].spacing
        self._march = FormationFrame.from_positions(
            task.path, plan.room, window, task.cruise_speed, task.max_speed, self._spacing,
            self._drives, start,
        )  # fmt: skip
        self._tail: Tail | None = None
        self._slot = self._assigned(start)
        self._leader = 0.0
        # Behind a passage: where the leader waits till all are in their slots, and whether it does.
        self._rally, self._gathers = 0.0, False
        self._stood = 0.0
        self._lag = np.inf
        frame = task.path.frames(np.array([task.path.length]), window)[0]
        self._heading = frame[:, 0]
        self._entry_station = goal_entry(task)
        spacing = max(1.25 * plan.options[self._option].spacing, 2.5 * task.radius)
        self._area = GoalArea.of(
            task.space, task.goal, task.count, spacing, task.path.points[-1], task.expected
        )
        self._ends_in_formation = self._fits_in_goal()
        self._driven: DrivenMembers | None = None
        if self._drives:
            reversing = Reversing(task.space, task.count, task.dt)
            self._driven = DrivenMembers(self._march, self._area, reversing)
        self._arrived = np.zeros(task.count, np.bool_)
        self._announced = False
        self._formed = False
        self._error_sum = 0.0
        self._error_count = 0
        self._error = self._width = 0.0
        self._marching = task.count
        self.figures = self._planned_figures()

    @property
    def _slots(self) -> Float:
        """(n, 3) slots of the formation in use, row i for member i."""
        return self._plan.options[self._option].slots[self._slot]

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return where the formation is, which it is, who has which slot where, and how well.

        The option is -1 from when the plan was changed on.
        """
        return {
            "leader": self._leader,
            "option": self._option if self._is_recorded else -1,
            "slot": self._slot,
            "place": self._slots,
            "error": self._error,
            "width": self._width,
            "marching": self._marching,
        }

    def change(self, behavior: Any, flock: Flock) -> None:
        """Plan the formations anew; the next step takes the one that is planned for here."""
        plan, window = behavior.planned(self._task)
        before = self._plan.options[self._option]
        self.plan = plan.arrays(self._task.path, window)
        self._plan = replace(plan, options=(*plan.options, before))
        self._option, self._is_recorded = len(plan.options), False
        self._march = replace(self._march, room=plan.room, window=window)
        if self._driven is not None:
            self._driven.march = self._march
        self._reference, self._wander = behavior.reference, behavior.wander
        names = (option.formation for option in self._plan.options)
        self.formations = tuple(dict.fromkeys((*self.formations, *names)))
        self._ends_in_formation = self._fits_in_goal()

    def step(self, flock: Flock, time: float) -> Intent:
        """Move the leader, change the formation where the plan says so, and give out subgoals."""
        if not self._announced:
            self._announced = True
            name = self._plan.options[self._option].formation
            self.events.append(GroupEvent(time, "formation", -1, f"start in {name}"))
        self._change_formation(flock, time)
        self._change_places(flock)
        slots = self._slots
        slot_station, slot_aside = self._leader - slots[:, 0], slots[:, 1:]
        in_goal = self._area.taken >= 0
        shift = self._shift(flock, slot_station, slot_aside, in_goal)
        followed = slot_station + shift[:, 0], slot_aside + shift[:, 1:]
        if self._tail is not None:
            way = CATCH_UP * self._task.cruise_speed * self._task.dt
            way *= self._ease(self._tail.behind(self._march.station))
            followed = self._tail.advance(self._march.station, *followed, way)
        if self._driven is not None:
            followed = self._driven.behind_others(followed[0], slots, flock.position), followed[1]
        subgoal, velocity = self._march.advance(*followed, flock.position, self._task.dt)
        self._enter_goal(flock, time)
        in_goal = self._area.taken >= 0
        everyone = bool((self._arrived & in_goal).all())
        wander = everyone and self._wander and not self._drives
        goal = self._area.subgoal(flock.position, wander, time, self._task.rng)
        if self._driven is not None:
            subgoal, velocity = self._driven.lead(flock, velocity, goal)
        else:
            subgoal[in_goal], velocity[in_goal] = goal[in_goal], 0.0
        self._measure(flock, slot_station + shift[:, 0], slot_aside + shift[:, 1:], in_goal)
        self._move_leader(flock, slot_station, slot_aside, in_goal)
        to_subgoal = length(subgoal - flock.position)
        onward = self._task.path.length - self._march.station
        aside = length(self._march.aside - slot_aside)
        remaining = to_subgoal + np.where(in_goal, 0.0, onward + aside)
        parked = in_goal & (to_subgoal < 0.5 * flock.bodies.radius)
        formation = self.formations.index(self._plan.options[self._option].formation)
        parked |= in_goal & everyone
        gear = in_lane = None
        if self._driven is None:
            in_lane = ~(in_goal | self._in_file())
            in_lane &= self._march.in_lane(followed[1], flock.position)
        else:
            parked &= self._area.inside(flock.position)  # it may have rolled on, out of the goal
            gear = self._driven.maneuver(flock, subgoal, velocity, remaining, parked)
        return Intent(subgoal, velocity, remaining, parked, formation, gear=gear, in_lane=in_lane)

    def _planned_figures(self) -> dict[str, object]:
        """Return how much of the path each formation is planned for, and its narrowest place."""
        plan, room = self._plan, self._plan.room
        edges = np.concatenate([plan.station[:1], plan.station, plan.station[-1:]])
        share = 0.5 * (edges[2:] - edges[:-2])
        planned = {
            name: round(float(share[[o == name for o in self._names_of_choice()]].sum()), 2)
            for name in self.formations
        }
        tightest = int(np.argmin(room.width))
        place = self._task.path.at(room.station[tightest : tightest + 1])[0]
        return {
            "reference": self._reference,
            "path_length": round(self._task.path.length, 3),
            "planned_lengths": planned,
            "narrowest": {
                "station": round(float(room.station[tightest]), 2),
                "width": round(float(room.width[tightest]), 3),
                "place": [round(float(x), 2) for x in place],
            },
        }

    def _names_of_choice(self) -> list[str]:
        return [self._plan.options[row].formation for row in self._plan.choice]

    def _fits_in_goal(self) -> bool:
        """Return whether the last formation of the plan has room in the goal region.

        Then the group marches in as it is; else everyone leaves it where the path enters.
        """
        slots = self._plan.options[int(self._plan.choice[-1])].slots
        return ends_in_goal(self._task, slots, self._march.window)

    def _in_file(self) -> Bool:
        """Return who (n,) is to go one behind the other: into a passage they jostle, and may."""
        column = self._is_column()
        if column or self._tail is None:
            return np.full(self._task.count, column)
        return ~self._tail.out

    def _is_column(self) -> bool:
        kind = self._plan.options[self._option].kind
        return kind is not None and kind.shape == LAST_RESORT

    def _change_places(self, flock: Flock) -> None:
        """Let who was passed in file take the place of who passed it."""
        tail, slots, in_file = self._tail, self._slots, self._in_file()
        if self._driven is None:
            slots = slots if tail is None else np.where(in_file[:, None], tail.slots, slots)
            in_file &= self._area.taken < 0
            pairs = passed_in_file(self._march, flock.position, slots, in_file, flock.bodies.radius)
        else:
            pairs = (
                self._driven.overtaken(slots, flock.position, flock.bodies.radius)
                if not tail
                else []
            )
        for pair in pairs:
            self._march.exchange(*pair)
            for rows in (self._slot,) if tail is None else (self._slot, tail.slots):
                rows[pair] = rows[pair[::-1]]

    def _assigned(self, position: Float) -> Index:
        """Return the slot of each member (n,), so that nobody crosses and the nearest leads."""
        option, march = self._plan.options[self._option], self._march
        if self._is_column():
            ahead = march.path.at(np.array([march.station.max() + 2.0]))[0]
            return in_files(position, march.aside[:, 0], ahead, option.slots)
        return nearest_slots(*self._standing(), option.slots)

    def _standing(self) -> tuple[Float, Float]:
        """Return arc lengths (n,) and left and up (n, 2) from which members take new slots [m].

        Who is not out of a passage yet comes out of it in the order of the file, wherever it is.
        """
        if self._tail is None:
            return self._march.station, self._march.aside
        return self._tail.head - self._tail.slots[:, 0], self._tail.slots[:, 1:]

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
        self._lag = np.inf
        self._tail = None
        opens, self._rally = self._plan.opening(self._leader)
        self._gathers = self._rally > self._leader and not self._drives
        if after.half_width > before.half_width and after.depth < before.depth:
            nobody = np.zeros(len(flock), np.bool_)
            leaves = opens - after.depth
            self._tail = Tail(before.slots[self._slot], self._leader, leaves, nobody)
        self._slot = self._assigned(flock.position)
        change = FormationChange(time, self._leader, before.formation, after.formation)
        self.changes.append(change)
        text = f"{before.formation} to {after.formation} at {self._leader:.1f} m"
        self.events.append(GroupEvent(time, "formation", -1, text))

    def _shift(self, flock: Flock, slot_station: Float, slot_aside: Float, in_goal: Bool) -> Float:
        """Return by how much (n, 3) [m] slots follow others; nothing while the formation forms."""
        if self._reference == "path" or not self._formed or in_goal.any():
            return np.zeros((len(flock), 3))
        march = self._march
        place = np.column_stack([march.station - slot_station, march.aside - slot_aside])
        deviation = place + march.deviation(flock.position)
        if self._task.path.grounded:
            deviation[:, 2] = 0.0
        spacing = self._plan.options[self._option].spacing
        return clip_length(shifts(self._reference, deviation, self._slots), spacing)

    def _measure(self, flock: Flock, slot_station: Float, slot_aside: Float, in_goal: Bool) -> None:
        """Note how far members are from their slots, and how wide the formation is."""
        marching = ~in_goal
        self._error = self._width = 0.0
        self._marching = int(marching.sum())
        if not marching.any():
            return
        offset = self._march.position(slot_station, slot_aside) - flock.position
        if self._task.path.grounded:
            offset[:, 2] = 0.0
        error = length(offset)
        self._error = float(error[marching].mean())
        left = self._march.aside[:, 0] + self._march.deviation(flock.position)[:, 1]
        self._width = float(np.ptp(left[marching])) + 2.0 * self._task.radius
        kept = marching & ~(slot_station < self._march.station - 1e-6)
        if self._formed and kept.any():
            self._error_sum += float(error[kept].sum())
            self._error_count += int(kept.sum())
            self.formation_error = round(self._error_sum / self._error_count, 4)

    def _move_leader(
        self, flock: Flock, slot_station: Float, slot_aside: Float, in_goal: Bool
    ) -> None:
        """Advance the virtual leader, slower the further a member is behind its slot."""
        march, task = self._march, self._task
        behind = np.maximum(0.0, slot_station - march.station)
        aside = length(march.within_room(march.station, slot_aside) - march.aside)
        waiting = slot_station < march.station - 1e-6
        aside = np.where(waiting, 0.0, aside)
        # Who waits for its turn may be as far from its place as its slot still is.
        to_place = length(march.position(march.station, march.aside) - flock.position)
        turn = np.maximum(0.0, march.station - slot_station)
        error = behind + np.maximum(0.0, to_place - turn)
        worst = float((error + aside)[~in_goal].max(initial=0.0))
        self._formed = self._formed or worst < WAIT_FROM * self._spacing
        if self._drives:
            # They come sideways only while they go on.
            worst = float(error[~in_goal].max(initial=0.0))
        # Those who leave a passage need room in front of it first, then the others come up.
        if self._leader < self._rally:
            ease = 1.0
        elif self._gathers and not self._formed:
            ease = CREEP if self._stood > PATIENCE else 0.0
        else:
            ease = self._ease(worst)
        # As long as the others come nearer, or maneuver, waiting is not in vain.
        lag = float(error[~in_goal].sum())
        nearer = lag < self._lag - PROGRESS * self._spacing
        if ease > CREEP or nearer or (self._driven is not None and self._driven.maneuvers):
            self._lag, self._stood = lag, 0.0
        else:
            self._stood += task.dt
        last = task.path.length + self._plan.options[self._option].depth
        speed = ease * task.cruise_speed * self._turning_share()
        self._leader = min(last, self._leader + speed * task.dt)

    def _ease(self, behind: float) -> float:
        """Return the share of its speed at which a head goes on before who is so far behind [m]."""
        worst = behind / self._spacing
        ease = float(np.clip((WAIT_FULL - worst) / (WAIT_FULL - WAIT_FROM), 0.0, 1.0))
        return max(ease, CREEP) if self._stood > PATIENCE else ease

    def _turning_share(self) -> float:
        """Return the leader's speed share at which no slot outruns the members in a bend."""
        slots = self._slots
        here = self._march.position(self._leader - slots[:, 0], slots[:, 1:])
        ahead = self._march.position(self._leader + 0.1 - slots[:, 0], slots[:, 1:])
        stretch = float(length(ahead - here).max()) / 0.1
        return min(1.0, 1.0 / max(stretch, 1e-9))

    def look(self, world: WorldState, rows: Index) -> None:
        """Know who else is there: vehicles maneuver around them."""
        if self._driven is not None:
            self._driven.crowd = world.flock

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return what leads to the places; who maneuvers is steered by its way alone."""
        steering = super().steer(world, rows, intent)
        if self._driven is None or intent.gear is None:
            return steering
        return self._driven.steered(steering, world.flock.select(rows), intent.gear)

    def _enter_goal(self, flock: Flock, time: float) -> None:
        """Give a place in the goal region to whoever has come, and note who is in it."""
        inside = self._area.inside(flock.position)
        if self._ends_in_formation:
            at_goal = np.full(len(flock), self._leader >= self._task.path.length)
            if self._drives:
                # Who was left behind, wedged, follows its lane: it does not see the goal.
                at_goal &= self._march.along(flock.position) >= self._entry_station
        else:
            at_goal = self._march.station >= self._entry_station
        coming = np.flatnonzero(at_goal & (self._area.taken < 0))
        if len(coming):
            coming = coming[np.argsort(-self._march.station[coming], kind="stable")]
            entry = self._task.path.at(np.array([self._entry_station]))[0]
            self._area.admit(coming, flock.position, entry, self._heading)
        there = inside & ((self._area.taken >= 0) | (self._march.station >= self._entry_station))
        for member in np.flatnonzero(there & ~self._arrived):
            self._arrived[member] = True
            self.events.append(GroupEvent(time, "arrived", int(member), "in the goal region"))
