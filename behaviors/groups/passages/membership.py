"""Membership: which formation a group is in, and which member has which slot of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.behaviors.groups.formation.assignment import SlotAssignment
from rmp3d.behaviors.groups.formation.frame import CATCH_UP, FormationFrame
from rmp3d.behaviors.groups.formation.options import Option
from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.behaviors.groups.formation.references import Reference, shifts
from rmp3d.behaviors.groups.formation.tail import Tail
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import clip_length


@dataclass(eq=False)
class Membership:
    """The slots of n members.

    Attributes:
        plan: Which formation is taken where.
        frame: Of the path, with the members' places.
        assignment: Gives out the slots.
        row: Of the formation in use among the plan's options.
        tail: Members that still walk in file out of a passage; None: nobody does.
        slot: (n,) slot of each member.
        is_recorded: Whether the numbers of options are those of the recorded plan.
    """

    plan: FormationPlan
    frame: FormationFrame
    assignment: SlotAssignment
    row: int
    tail: Tail | None = None
    slot: Index = field(init=False)
    is_recorded: bool = True

    def begin(self, position: Float) -> None:
        """Give out the slots to members at (n, 3) [m]."""
        self.slot = self._assigned(position)

    @property
    def option(self) -> Option:
        """The formation in use."""
        return self.plan.options[self.row]

    @property
    def slots(self) -> Float:
        """(n, 3) lag, left, up [m] of the members' slots, row i for member i."""
        return self.option.slots[self.slot]

    @property
    def in_file(self) -> Bool:
        """(n,) members that walk one behind the other."""
        column = self.option.is_column
        if column or self.tail is None:
            return np.full(len(self.slot), column)
        return ~self.tail.out

    @property
    def slots_in_file(self) -> Float:
        """(n, 3) lag, left, up [m]: slots, or places in the file for members still in it."""
        if self.tail is None:
            return self.slots
        return np.where(self.in_file[:, None], self.tail.slots, self.slots)

    def take(self, row: int, leader: float, opens: float, position: Float) -> None:
        """Take another formation.

        Args:
            row: Of it among the options.
            leader: Arc length of the virtual leader [m].
            opens: Arc length from which on all its slots are free [m].
            position: (n, 3) of the members [m].
        """
        before, after = self.option, self.plan.options[row]
        self.row = row
        if before.formation == after.formation:
            return
        self.tail = None
        if after.half_width > before.half_width and after.depth < before.depth:
            nobody = np.zeros(len(position), np.bool_)
            self.tail = Tail(before.slots[self.slot], leader, opens - after.depth, nobody)
        self.slot = self._assigned(position)

    def replan(self, plan: FormationPlan, window: float) -> None:
        """Go on with another plan; its frames are smoothed over ``window`` [m].

        The formation in use stays until the next one is taken: it becomes the last option.
        """
        before = self.option
        self.plan = replace(plan, options=(*plan.options, before))
        self.row, self.is_recorded = len(plan.options), False
        self.frame = replace(self.frame, corridor=plan.corridor, window=window)

    def reroute(self, plan: FormationPlan, frame: FormationFrame) -> None:
        """Go on along another path, with the formation in use as the last option; see `replan`."""
        self.replan(plan, frame.window)
        self.frame, self.tail = frame, None

    def turn_over(self, members: Turnover) -> None:
        """Keep the places of those that are there now, until they `regroup`."""
        self.slot = members.of(self.slot, 0)
        self.frame.turn_over(members)
        self.assignment.turn_over(members)
        if self.tail is not None:
            self.tail.turn_over(members)

    def regroup(self, plan: FormationPlan, window: float, leader: float, position: Float) -> Bool:
        """Go on with the plan for another number of members; return which (n,) are newcomers.

        Where it has the formation in use, that stays, at the spacing that is nearest.

        Args:
            plan: Of the formations.
            window: Over which the path's frames are smoothed [m].
            leader: Arc length of the virtual leader [m].
            position: (n, 3) of the members [m].
        """
        before, new = self.option, self.frame.receive(position)
        alike = [
            (abs(option.spacing - before.spacing), row)
            for row, option in enumerate(plan.options)
            if option.formation == before.formation
        ]
        self.plan, self.is_recorded = plan, False
        self.row = min(alike)[1] if alike else plan.option_at(leader)
        self.frame = replace(self.frame, corridor=plan.corridor, window=window)
        self.begin(position)
        return new

    def exchange(self, pairs: Iterable[list[int]]) -> None:
        """Let the two members of each pair exchange their slots and places."""
        for pair in pairs:
            self.frame.exchange(*pair)
            for rows in (self.slot,) if self.tail is None else (self.slot, self.tail.slots):
                rows[pair] = rows[pair[::-1]]

    def shift(self, reference: Reference, station: Float, aside: Float, position: Float) -> Float:
        """Return by how much (n, 3) [m] slots follow members that were pushed off theirs.

        Args:
            reference: What slots are relative to.
            station: (n,) arc lengths of the slots [m].
            aside: (n, 2) left and up of the slots [m].
            position: (n, 3) of the members [m].
        """
        frame = self.frame
        place = np.column_stack([frame.station - station, frame.aside - aside])
        deviation = place + frame.deviation(position)
        if frame.path.grounded:
            deviation[:, 2] = 0.0
        return clip_length(shifts(reference, deviation, self.slots), self.option.spacing)

    def followed(
        self, station: Float, aside: Float, ease: Callable[[float], float], dt: float
    ) -> tuple[Float, Float]:
        """Return arc lengths (n,), left and up (n, 2) [m] of what members follow now.

        These are their slots, or places in the file for members that are still in a passage; the
        file moves on by one time step.

        Args:
            station: (n,) arc lengths of the slots [m].
            aside: (n, 2) left and up of the slots [m].
            ease: The share of its speed at which the head of a file goes on, if its last member
                is so far behind [m].
            dt: Time step [s].
        """
        tail, here = self.tail, self.frame.station
        if tail is None:
            return station, aside
        step = CATCH_UP * self.frame.cruise_speed * dt
        step *= ease(tail.behind(here))
        return tail.advance(here, station, aside, step)

    def _assigned(self, position: Float) -> Index:
        """Return the slots (n,); members still in a passage count in the order of their file."""
        frame, tail = self.frame, self.tail
        station, aside = frame.station, frame.aside
        if tail is not None:
            station, aside = tail.head - tail.slots[:, 0], tail.slots[:, 1:]
        return self.assignment.assigned(self.option, frame, station, aside, position)
