"""A group that surrounds one of its members on the way to the goal."""

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.formation.references import Reference
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.circle_slots import CircleSlots
from rmp3d.behaviors.groups.passages.passage_run import FormationPlanner, PassageRun
from rmp3d.behaviors.groups.task import GroupTask


class CircleRun(PassageRun):
    """A group around its ward; see `CircleFollowing`."""

    def __init__(
        self, task: GroupTask, slots: CircleSlots, planner: FormationPlanner, reference: Reference
    ) -> None:
        super().__init__(task, slots, planner, reference)
        self._slots, self._ward = slots, -1
        self._tell_ward(0.0)

    def step(self, flock: Flock, time: float) -> Intent:
        """Surround the ward; tell of another one when the first has left."""
        intent = super().step(flock, time)
        self._tell_ward(time)
        return intent

    def _tell_ward(self, time: float) -> None:
        number = int(self.number[self._slots.ward])
        if number != self._ward:
            text = (
                "is surrounded" if self._ward < 0 else "is surrounded, as the one before has left"
            )
            self._ward = self.figures["ward"] = number
            self.tell(time, "ward", text, self._slots.ward)
