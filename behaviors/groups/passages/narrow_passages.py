"""Narrow passages: keep a formation, change it where it does not fit, and back again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from rmp3d.behaviors.formations import FormationChoice, formation_of, name_of, slots_of
from rmp3d.behaviors.groups.formation.assignment import FileOrder, NearestSlots, OrderBehind
from rmp3d.behaviors.groups.formation.entrances import in_file_ahead
from rmp3d.behaviors.groups.formation.frame import DRIVEN_SLOPE
from rmp3d.behaviors.groups.formation.options import LAST_RESORT, Option, make_options
from rmp3d.behaviors.groups.formation.plan import FormationPlan, plan_formations
from rmp3d.behaviors.groups.formation.references import Reference, check_reference
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior
from rmp3d.behaviors.groups.passages.passage_run import PassageRun
from rmp3d.behaviors.groups.passages.start_and_goal import ends_in_goal, goal_entry, in_formation
from rmp3d.behaviors.groups.task import GroupTask, default_spacing
from rmp3d.geometry.arrays import Bool
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.models import Character
from rmp3d.planner.paths.corridor import measure_corridor
from rmp3d.planner.spaces.directions import is_level

# Clearance beyond which a path need not keep off walls [m].
WIDEST = 3.0
# Least gap between the bodies of two slots [m].
LEAST_GAP = 0.15
# The same of two vehicles side by side, which do not keep to their lanes as well [m].
DRIVEN_GAP = 0.5
WANDER_MOVED = "say `afterwards` in the table of the group: `wander`, `hold`, ..."


@GROUP_BEHAVIORS.register("narrow_passages")
@dataclass(frozen=True)
class NarrowPassages(GroupBehavior):
    """Keep a formation along the path; change it ahead of passages where it does not fit.

    The corridor around the path is measured before the run, and the formation is planned over its
    length (see `behaviors.groups.formation.plan`). A virtual leader moves along the path, waits
    for those behind, and every member keeps to its slot (thesis, 4.4). In the goal area the
    members spread out; afterwards they wander there, if the group says nothing else.

    A formation is a name, or a table with its name and options, such as
    ``{ name = "arrow", angle_deg = 30.0 }``.

    Attributes:
        formation: The formation that the group prefers.
        alternatives: Formations for places where the preferred one does not fit, tried in order;
            the column is always the last.
        after_passages: Formations preferred after the first, the second passage, and so on; the
            last one stays. Empty: the preferred one again.
        reference: What the slots are relative to: ``path`` (a virtual leader on the path),
            ``center`` (of the group), ``leader`` (the member in the first slot) or ``neighbor``
            (the nearest member in a slot nearer to the leader's).
        spacing: Distance between neighboring slots [m]; 0 takes one that suits body and speed.
        order: Who is first in the file before a passage: ``nearest`` (the member nearest to the
            entrance, then the next), ``left`` or ``right`` (from this side on), or ``middle``
            (from the middle outwards).
        order_behind: Who takes which slot behind it: ``nearest`` (each a near one), ``kept`` (each
            its own of before), or ``reversed`` (its own with left and right exchanged).
    """

    usual_activity: ClassVar[str] = "wander"
    moved_options: ClassVar[Mapping[str, str]] = {
        "wander": WANDER_MOVED,
        "afterwards": "the formations behind each passage are `after_passages` now",
    }

    formation: FormationChoice = "line"
    alternatives: tuple[FormationChoice, ...] = ()
    after_passages: tuple[FormationChoice, ...] = ()
    reference: Reference = "path"
    spacing: float = 0.0
    order: FileOrder = "nearest"
    order_behind: OrderBehind = "nearest"

    def __post_init__(self) -> None:
        formation_of(self.formation)
        for key in ("alternatives", "after_passages"):
            for row, choice in enumerate(getattr(self, key)):
                formation_of(choice, f"`{key}[{row}]`")
        check_reference(self.reference)
        for key, choices in (("order", FileOrder), ("order_behind", OrderBehind)):
            if getattr(self, key) not in get_args(choices):
                name = unknown_name("order", getattr(self, key), list(get_args(choices)))
                raise InputError(f"`{key}`: {name}")
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return half the width of the preferred formation, up to `WIDEST`; of columns, one file.

        A column that could do with less would else take a wide and winding path.
        """
        if name_of(self.formation) == LAST_RESORT:
            return 2.0 * character.body.radius
        spacing = self.spacing or default_spacing(character)
        slots = slots_of(formation_of(self.formation), count, spacing)
        half_width = float(np.hypot(slots[:, 1], slots[:, 2]).max())
        return min(WIDEST, half_width + 2.0 * character.body.radius)

    def begin(self, task: GroupTask) -> PassageRun:
        """Measure the corridor, plan the formations, and line the members up.

        Raises:
            InputError: The spacing is too small for the bodies, a formation not for them or for
                so many, or the start or goal too small.
        """
        slots = NearestSlots(self.order, self.order_behind)
        return PassageRun(task, slots, self.planned, self.reference)

    def planned(self, task: GroupTask) -> tuple[FormationPlan, float]:
        """Return the formation plan, and over what [m] the path's frames are smoothed in it.

        Raises:
            InputError: As `begin`.
        """
        tightest = 2.0 * task.radius + LEAST_GAP
        spacing = self.spacing or default_spacing(task.character)
        if spacing < tightest:
            raise InputError(
                f"`spacing` {spacing:g} m is too small for bodies of radius {task.radius:g} m; "
                f"the least is {tightest:g} m"
            )
        preferred = (self.formation, *self.after_passages, *self.alternatives)
        if (task.path.gear < 0).any():
            preferred = (LAST_RESORT,)  # vehicles go in file where they have to drive backward
        if is_level(task.space):
            _refuse_upright(preferred, task.count)
        if task.core > 0.0:
            tightest = 2.0 * task.half_width + DRIVEN_GAP
        options = make_options(preferred, task.count, spacing, tightest, task.core)
        among = np.ones(len(options), np.bool_)
        while True:
            plan, window = self._chosen_among(task, options, among)
            used = np.isin(np.arange(len(options)), plan.choice)
            used[-1] = True
            if self._window(options, used) == window:
                return plan, window
            # Frames smoothed for wide formations that are not used would bend those that are.
            among = used

    def _window(self, options: Sequence[Option], among: Bool) -> float:
        """Return over what [m] the path's frames are smoothed for some of the options."""
        half_width = np.array([option.half_width for option in options])[among].max()
        return float(np.clip(half_width + self._beyond(options), 1.0, 4.0))

    def _beyond(self, options: Sequence[Option]) -> float:
        """Return how far members leave the lanes of their slots [m], when they follow others."""
        return 0.1 if self.reference == "path" else options[-1].spacing

    def _chosen_among(
        self, task: GroupTask, options: tuple[Option, ...], among: Bool
    ) -> tuple[FormationPlan, float]:
        window = self._window(options, among)
        widest = max(option.half_width for option in options) + self._beyond(options)
        corridor = measure_corridor(task.headed, task.path, max(widest, WIDEST), window=window)
        still = np.zeros((task.count, 2))
        ready = np.array([in_formation(task, option.slots, window, still)[1] for option in options])
        stays = np.array([ends_in_goal(task, option.slots, window) for option in options])
        after_passages = [name_of(name) for name in self.after_passages]
        slope = DRIVEN_SLOPE if task.character.parameters.turn_radius > 0.0 else 1.0
        entry = goal_entry(task)
        plan = plan_formations(options, corridor, after_passages, ready, stays, slope, among, entry)
        return (plan if slope < 1.0 else in_file_ahead(plan)), window


def _refuse_upright(choices: tuple[FormationChoice, ...], count: int) -> None:
    """Raise `InputError` for a formation with slots above others, which walkers cannot take."""
    for choice in choices:
        slots = slots_of(formation_of(choice), count, 1.0)
        if np.abs(slots[:, 2]).max(initial=0.0) > 0.0:
            raise InputError(
                f"the formation `{name_of(choice)}` has places above and below the path; only "
                "members that fly can take them; choose a flat one, such as `circle`"
            )
