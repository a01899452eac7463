"""A group in formation at work: leader, membership, followers and goal, step by step."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.formation.assignment import SlotAssignment
from rmp3d.behaviors.groups.formation.entrances import AHEAD, entrance
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.levels import Levels
from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.behaviors.groups.formation.quality import FormationQuality
from rmp3d.behaviors.groups.formation.references import Reference
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.group_behavior import FormationChange, GroupRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.figures import planned_figures
from rmp3d.behaviors.groups.passages.followers import Followers
from rmp3d.behaviors.groups.passages.goal import GroupGoal
from rmp3d.behaviors.groups.passages.joiners import Joiners
from rmp3d.behaviors.groups.passages.lane_followers import LaneFollowers
from rmp3d.behaviors.groups.passages.leader import (
    VirtualLeader,
    distances_from_slots,
    share_in_bend,
)
from rmp3d.behaviors.groups.passages.membership import Membership
from rmp3d.behaviors.groups.passages.slot_followers import SlotFollowers
from rmp3d.behaviors.groups.passages.start_and_goal import lined_up
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap

FormationPlanner: TypeAlias = Callable[[GroupTask], tuple[FormationPlan, float]]
"""Returns the plan of formations for a task, and over what [m] the path's frames are smoothed."""


class PassageRun(GroupRun):
    """A group that follows a path in the formations of a plan.

    Args:
        task: Of the group.
        assignment: Gives out the slots.
        planner: Returns plan and window for a task: that of more members, or of fewer.
        reference: What slots are relative to.
    """

    takes_turnover: ClassVar[bool] = True
    measured_by_member: ClassVar[tuple[str, ...]] = ("slot", "place")

    def __init__(
        self, task: GroupTask, assignment: SlotAssignment, planner: FormationPlanner,
        reference: Reference = "path",
    ) -> None:  # fmt: skip
        plan, window = planner(task)
        row = plan.option_at(0.0)
        option = plan.options[row]
        start, heading = lined_up(task, option, window)
        super().__init__(
            task,
            start=start,
            heading=heading,
            steering=[(1.0, Arrive()), (0.4, Separation()), (0.3, LookAheadAvoidance())],
        )
        self.formations, self.plan = plan.formations, plan.arrays(task.path, window)
        self._task = task
        self._reference: Reference = reference
        drives = task.character.parameters.turn_radius > 0.0
        in_file = plan.options[-1].spacing  # not squeezed
        frame = FormationFrame.from_positions(
            task.path, plan.corridor, window, task.cruise_speed, task.max_speed, in_file, drives,
            start, Levels.along(task.space, task.path),
        )  # fmt: skip
        self._leader = VirtualLeader(in_file, task.cruise_speed, task.dt)
        self._members = Membership(plan, frame, assignment, row)
        self._members.begin(start)
        apart = max(1.25 * option.spacing, 2.5 * task.radius)
        area = GoalArea.of(
            task.space, task.goal, task.count, apart, task.path.points[-1], task.expected,
            task.goal_stalls,
        )  # fmt: skip
        self._goal = GroupGoal(task, area, plan, window)
        self._followers: Followers = SlotFollowers(self._members, area)
        if drives:
            self._followers = LaneFollowers(self._members, area)
        self._quality = FormationQuality(task.half_width, task.count)
        self._announced = False
        self._planner, self._prepared = planner, (task.count, plan, window)
        self._regroups = False
        self._joiners = Joiners(task)
        self.figures = planned_figures(plan, task.path, reference)

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return where the formation is, which it is, the members' slots, and how they keep them.

        The option is -1 from when the plan was changed on.
        """
        members, quality = self._members, self._quality
        return {
            "leader": self._leader.station,
            "option": members.row if members.is_recorded else -1,
            "slot": members.slot,
            "place": members.slots,
            "error": quality.error,
            "width": quality.width,
            "marching": quality.members,
            **members.assignment.measures(members.option),
        }

    def change(self, behavior: Any, flock: Flock) -> None:
        """Plan the formations anew; the next step takes the one that is planned for here."""
        plan, window = behavior.planned(self._task)
        self._planner, self._prepared = behavior.planned, (self._task.count, plan, window)
        self._members.replan(plan, window)
        self._reference = behavior.reference
        self._follow(plan, window)

    def reroute(
        self, path: CertifiedPath | None, roadmap: Roadmap, flock: Flock, time: float
    ) -> None:
        """Go on along another path, in the same formation; see `GroupRun.reroute`.

        Members keep their slots, unless the path leads back: then each takes a near one.
        """
        if path is None:
            self._task = replace(self._task, roadmap=roadmap)
            self._joiners = self._joiners.on(self._task)
            return
        task, position = replace(self._task, path=path, roadmap=roadmap), flock.position
        plan, window = self._planner(task)
        leader, members, before = self._leader, self._members, self._members.frame
        heading = self._heading(before.path, before.window, leader.station)
        self._task, self._prepared = task, (task.count, plan, window)
        frame = FormationFrame.from_positions(
            path, plan.corridor, window, task.cruise_speed, task.max_speed, before.spacing,
            before.drives, position, Levels.along(task.space, path),
        )  # fmt: skip
        start = np.tile(path.points[0], (len(position), 1))
        elsewhere = ~task.space.connects(position, start)
        if not elsewhere.all():
            frame.station[elsewhere] = np.nan
            frame.receive(position)
        members.reroute(plan, frame)
        if float(heading @ self._heading(path, window, 0.0)) < 0.0:
            members.begin(position)
        leader.station = max(0.0, float(np.median(frame.station + members.slots[:, 0])))
        leader.take_formation(leader.station, False)
        self._goal = GroupGoal(task, self._goal.area, plan, window)
        self._follow(plan, window)
        self._joiners = self._joiners.on(task, ~self._goal.has_place)

    @staticmethod
    def _heading(path: CertifiedPath, window: float, station: float) -> Float:
        """Return where a path leads (3,) at an arc length [m]."""
        at = np.array([min(max(station, 0.0), path.length)])
        return path.frames(at, max(window, 2.0))[0, :, 0]

    def _follow(self, plan: FormationPlan, window: float) -> None:
        self.plan = plan.arrays(self._task.path, window)
        names = self._members.plan.formations
        self.formations = tuple(dict.fromkeys((*self.formations, *names)))
        self._goal.follow(plan, window)

    def prepare(self, count: int, places: Float) -> None:
        """Plan the formations for so many; refuse them without room in the goal, or without a way.

        Raises:
            InputError: Says so.
        """
        self._goal.area.check_room(count)
        self._joiners.check(places)
        if count not in (0, self._prepared[0]):
            self._prepared = (count, *self._planner(self._task.with_count(count)))

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now, who get other slots with the next step."""
        super().turn_over(own, everyone, rows)
        self._task = self._task.with_count(len(own))
        self._goal.turn_over(own)
        self._members.turn_over(own)
        self._joiners.turn_over(own)
        self._regroups = not own.is_none or self._regroups

    def _regroup(self, position: Float) -> None:
        """Plan the formation for those that are there now, and give out its slots."""
        self._regroups, count = False, len(position)
        if self._prepared[0] != count:
            self._prepared = (count, *self._planner(self._task.with_count(count)))
        _, plan, window = self._prepared
        leader, members = self._leader, self._members
        if members.regroup(plan, window, leader.station, position).all():
            leader.station = float(members.frame.station.max())
        leader.take_formation(leader.station, False)
        self._follow(plan, window)

    def step(self, flock: Flock, time: float) -> Intent:
        """Change the formation where the plan says so, give out subgoals, move the leader."""
        members, leader, followers, goal = self._members, self._leader, self._followers, self._goal
        position = flock.position
        if self._regroups:
            self._regroup(position)
        self._change_formation(position, time)
        members.exchange(followers.overtaken(flock))
        slots = members.slots
        station, aside = leader.station - slots[:, 0], slots[:, 1:]
        shift = self._shift(station, aside, position)
        shifted = station + shift[:, 0], aside + shift[:, 1:]
        followed, lane = members.followed(*shifted, leader.ease, self._task.dt)
        followed = followers.allowed(followed, position)
        place, velocity = members.frame.advance(followed, lane, position, self._task.dt)
        late = self._joiners.late
        self.tell_arrivals(goal.enter(members, followers, leader.station, position, late), time)
        in_goal = goal.heads_for_place(members.frame, position)
        complete = bool((self.arrived & goal.has_place & goal.area.inside(position)).all())
        if not complete:
            goal.exchange(position, time)
        goal_place = goal.area.subgoal(position)
        drift = velocity
        subgoal, velocity = followers.lead(flock, place, velocity, goal_place, in_goal)
        self._quality.measure(members.frame, *shifted, position, ~in_goal, leader.formed)
        self.formation_error = self._quality.mean_error
        self._move_leader(station, aside, position)
        to_subgoal = length(subgoal - position)
        onward = self._task.path.length - members.frame.station
        sideways = length(members.frame.aside - aside)
        remaining = to_subgoal + np.where(in_goal, 0.0, onward + sideways)
        parked = in_goal & (to_subgoal < goal.area.near(0.5 * flock.bodies.radius))
        parked |= in_goal & complete
        formation = self.formations.index(members.option.formation)
        intent = Intent(subgoal, velocity, remaining, parked, formation)
        intent = followers.completed(intent, flock, lane, in_goal)
        place = np.where(in_goal[:, None], goal_place, place)
        drift = np.where(in_goal[:, None], 0.0, drift)
        if followers.waits and members.frame.levels is None:  # else places come back
            frame = members.frame

            def comes_to(member: int, sees: Callable[[Float], bool]) -> bool:
                on_path = not in_goal[member]
                return on_path and frame.come_to(member, position[member], followed[member], sees)

            self._joiners.look(position, place, ~parked, time, comes_to)
        return self._joiners.led(intent, flock, place, drift, time)

    def _change_formation(self, position: Float, time: float) -> None:
        """Take the formation that is planned for here, and tell so."""
        members, leader = self._members, self._leader
        before = members.option
        if not self._announced:
            self._announced = True
            self.tell(time, "formation", f"start in {before.formation}")
        row = members.plan.option_at(leader.station)
        if row == members.row:
            return
        opens, complete = members.plan.opening(leader.station)
        members.take(row, leader.station, opens, position)
        after = members.option
        if before.formation == after.formation:
            apart = [f"{option.spacing:.2f}" for option in (before, after)]
            if apart[0] != apart[1]:
                self.tell(time, "spacing", f"{after.formation}: spacing {' to '.join(apart)} m")
            return
        waits = self._followers.waits
        one_side = members.assignment.from_one_side
        leader.take_formation(complete, waits, self._entrance() if waits else np.inf, one_side)
        change = FormationChange(time, leader.station, before.formation, after.formation)
        self.changes.append(change)
        text = f"{before.formation} to {after.formation} at {leader.station:.1f} m"
        self.tell(time, "formation", text)

    def _entrance(self) -> float:
        """Return the arc length [m] where the column just taken is to be in file; inf if none is.

        Only walkers and flyers can wait there for the others.
        """
        members = self._members
        rows = np.flatnonzero(np.diff(members.plan.choice)) + 1
        row = rows[members.plan.station[rows] <= self._leader.station]
        if not members.option.is_column or len(row) == 0:
            return np.inf
        return entrance(members.plan, int(row[-1])) - AHEAD

    def _shift(self, station: Float, aside: Float, position: Float) -> Float:
        """Return by how much (n, 3) [m] slots follow others; nothing while the formation forms."""
        if self._reference == "path" or not self._leader.formed or self._goal.has_place.any():
            return np.zeros((len(position), 3))
        return self._members.shift(self._reference, station, aside, position)

    def _move_leader(self, station: Float, aside: Float, position: Float) -> None:
        members, leader = self._members, self._leader
        on_path = ~self._goal.has_place
        behind, sideways = distances_from_slots(members.frame, station, aside, position)
        leader.advance(
            behind[on_path], sideways[on_path], self._followers.waits,
            share_in_bend(members.frame, leader.station, members.slots),
            self._task.path.length + members.option.depth,
        )  # fmt: skip
