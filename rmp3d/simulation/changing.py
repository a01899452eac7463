"""What becomes different while a simulation runs: behaviors, limits, and who is there."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import AfterwardsRun, GroupRun
from rmp3d.behaviors.turnover import Turnover
from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.arrays import frozen
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character
from rmp3d.recording import RecordedEvent
from rmp3d.scenario import Change, ChangeTable, Scenario
from rmp3d.scenario.change_texts import change_in_words
from rmp3d.scenario.objects import ObjectTables
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import ASKED, changeable
from rmp3d.simulation.coming import (
    cast,
    check_change,
    check_turnover,
    joined_flock,
    leavers,
    places_to_come,
)
from rmp3d.simulation.members import GroupMembers
from rmp3d.simulation.planning import PreparedGroup
from rmp3d.simulation.roster import Roster, rows_of

NOWHERE = frozen(np.zeros((0, 3)))

# Kind, group, number of the member in its group (-1: none), text.
Told = tuple[str, int, int, str]


class Changes:
    """The changes of a run that are still to come.

    Args:
        scenario: What is run.
        scene: Where.
        plans: What is known of each group.
        runs: The behaviors at work.
        roster: Who is there.
        members: Those, for a step.
        around: What the scene is for characters.
        part_at: Tells which moving part is where one of a flock is; see `StillScene.part_at`.

    Attributes:
        any: Whether there is or was any.
        turned_over: Called with each turnover, after the roster has changed.
        released: Called with a group whose members may leave their goal from now on.
    """

    def __init__(
        self, scenario: Scenario, scene: Scene, plans: Sequence[PreparedGroup],
        runs: Sequence[GroupRun], roster: Roster, members: GroupMembers,
        around: Environment, part_at: Callable[[Flock], str],
    ) -> None:  # fmt: skip
        self._seed, self._dt = scenario.seed, scenario.table.simulation.dt
        self._held, self._scene, self._plans = scenario.held, scene, plans
        self._runs, self._roster, self._members = runs, roster, members
        self._around, self._part_at = around, part_at
        self._names = [plan.group.name for plan in plans]
        self._tables = [group.behavior for group in scenario.table.groups]  # as they are by now
        self._pending: list[ChangeTable] = []
        self._awaited = 0.0
        self.any = False
        self.turned_over: Callable[[Turnover], None] = lambda everyone: None
        self.released: Callable[[int], None] = lambda group: None

    def add(self, changes: Sequence[ChangeTable]) -> None:
        """Let something become different at the next moment, or later.

        Raises:
            InputError: There is no such region or member; members cannot come to a group, leave
                it, or be sent, and shall; they are to do something after they have arrived, and
                have no goal; or they are to get another behavior.
        """
        for change in changes:
            if change.part is not None:
                changeable(self._scene.parts, change.part, "`part`")
            if change.is_of_scene:
                continue
            check_change(change, self._names.index(change.group), self._plans, self._runs)
            for place in (change.add, change.remove):
                if isinstance(place, str):
                    self._scene.region(place)
            check_turnover(change, self._names, self._runs, self._roster)
            self._check_numbers(change)
        self.any |= bool(changes)
        self._pending = sorted([*self._pending, *changes], key=lambda change: change.time)

    def _check_numbers(self, change: ChangeTable) -> None:
        """Refuse to let members leave of whom there are not so many, and will not be."""
        if change.remove is None or isinstance(change.remove, str):
            return
        group = self._names.index(change.group)
        adding = [each for each in self._pending if each.add is not None]
        to_come = sum(each.count for each in adding if each.group == change.group)
        room = max(self._roster.counts[group], self._roster.come[group] + to_come)
        largest = int(np.max(change.remove, initial=-1))
        if largest >= room:
            raise InputError(
                f"`remove`: {largest}; in the course of the run `{change.group}` has {room} "
                "members, counted from 0"
            )

    @property
    def awaited_until(self) -> float:
        """When [s] the last change was that a run does not end before: infinity if it is to come.

        Such are those by which members come, or do something else after they have arrived.
        """
        waits = any(_is_awaited(change) for change in self._pending)
        return np.inf if waits else self._awaited

    def state(self, change: Change) -> None:
        """Add a change that is stated with objects of a program.

        Raises:
            InputError: Its behavior is none, or its region; or as of `add`.
        """
        tables = ObjectTables(Path.cwd(), self._held)
        table = checked(tables.change_table(change), ChangeTable, "`change`")
        held = tables.held(self._held.scene)
        if table.behavior is not None:
            held.choose(GROUP_BEHAVIORS, table.behavior, "`behavior`")
        if table.afterwards is not None:
            held.choose(ACTIVITIES, table.afterwards, "`afterwards`")
        self._held = held
        self.add([table])

    def make(self, flock: Flock, time: float) -> Iterator[tuple[Flock, list[RecordedEvent]]]:
        """Make the changes that are due; after each yield the flock from now on, and what to tell.

        Raises:
            InputError: The group's behavior does not allow one, which is dropped then.
        """
        while self._pending and self._pending[0].time <= time + 1e-9:
            change, told = self._pending.pop(0), []
            if _is_awaited(change):
                self._awaited = change.time
            if change.part is not None:
                names = changeable(self._scene.parts, change.part, "`part`")
                told += [(ASKED[not change.there], -1, -1, name) for name in names]
            if not change.is_of_scene:
                group = self._names.index(change.group)
                self._change_behavior(change, group, flock)
                if change.speed_limit is not None:
                    self._members.limit_speed(group, change.speed_limit)
                told.append(("change", group, -1, change_in_words(change, self._tables[group])))
                self._tables[group] = change.behavior or self._tables[group]
                flock = self._turn_over(change, group, flock, told)
            yield flock, [self._event(time, *each) for each in told]

    def _event(self, time: float, kind: str, group: int, number: int, text: str) -> RecordedEvent:
        row = np.array([group]), np.array([number])
        member = -1 if number < 0 else int(rows_of(*row, self._roster.counts)[0])
        return RecordedEvent(time, kind, group, member, text)

    def _change_behavior(self, change: ChangeTable, group: int, flock: Flock) -> None:
        run = self._runs[group]
        if change.behavior is not None:
            with prefix_errors_with_key(f"groups[{group}].behavior"):
                where = f"`groups.{change.group}.behavior`"
                behavior = self._held.choose(GROUP_BEHAVIORS, change.behavior, where)
                run.change(behavior, flock.select(self._members.rows[group]))
        if change.afterwards is not None:
            where = f"`groups.{change.group}.afterwards`"
            assert isinstance(run, AfterwardsRun)
            with prefix_errors_with_key(f"groups[{group}].afterwards"):
                run.take_up(self._held.choose(ACTIVITIES, change.afterwards, where))
            if change.lets_leave_goal:
                self.released(group)
        if change.send is not None:
            run.send(np.array(change.send, float) if change.send else None)

    def _turn_over(self, change: ChangeTable, group: int, flock: Flock, told: list[Told]) -> Flock:
        """Let members of a group leave and come; return the flock, and tell of it.

        Where nobody can stand now, or somebody is not there, nothing happens but an event.
        """
        roster, name = self._roster, self._names[group]
        try:
            if change.remove is not None:
                leaving = leavers(change.remove, roster, group, flock, self._scene)
                self._runs[group].prepare(int((~leaving[roster.group_of == group]).sum()), NOWHERE)
                told += [
                    ("left", group, n, f"{name} {n} leaves")
                    for n in roster.number[leaving].tolist()
                ]
                everyone = roster.remove(leaving)
                flock = flock.select(everyone.before)
                self.turned_over(everyone)
            if change.add is not None:
                before = roster.come[group]
                flock = self._with_newcomers(change, group, flock)
                come = range(before, roster.come[group])
                told += [("came", group, n, f"{name} {n} comes") for n in come]
        except InputError as error:
            told.append(("refused", group, -1, str(error)))
        return flock

    def _with_newcomers(self, change: ChangeTable, group: int, flock: Flock) -> Flock:
        """Return the flock with the newcomers of a group.

        Raises:
            InputError: They cannot stand there.
        """
        roster, plan = self._roster, self._plans[group]
        assert change.add is not None
        roster.check_room(group, change.count)
        rng = np.random.default_rng([self._seed, group, 2, roster.come[group]])
        places = places_to_come(plan, self._scene, change.add, change.count, flock, self._dt, rng)
        come = roster.come[group]
        (fresh,) = cast([plan], [come + change.count])
        part = self._part_at(Flock.at_rest(fresh[come:], places))
        if part:
            raise InputError(f"nobody can stand in the way of `{part}`, which is there now")
        there = int((roster.group_of == group).sum())
        self._runs[group].prepare(there + change.count, places)
        everyone = roster.add(group, change.count)
        steps = np.array([each.max_step for each in self._plans])[roster.group_of]
        flock = joined_flock(
            flock, everyone, self._characters, steps, plan, places, self._around, rng
        )
        self.turned_over(everyone)
        return flock

    @property
    def _characters(self) -> list[Character]:
        """(N,) what each member is that is there."""
        everyone = cast(self._plans, self._roster.come)
        there = zip(self._roster.group_of.tolist(), self._roster.number.tolist(), strict=True)
        return [everyone[group][number] for group, number in there]


def _is_awaited(change: ChangeTable) -> bool:
    return change.add is not None or change.afterwards is not None
