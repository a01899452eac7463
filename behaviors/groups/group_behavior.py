"""The contract of a group behavior: parameters that begin a run, which is stepped.

A behavior of one's own is two classes. The parameters are a frozen dataclass that is a
`GroupBehavior`; its `begin` returns a `GroupRun`, of which only `step` has to be written.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.places import NoRoomError, anywhere, scattered
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import GroupTask, Task, default_spacing
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.behaviors.steering_behavior import SteeringBehavior, SteeringOutput, blend
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry
from rmp3d.models import Character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap

if TYPE_CHECKING:
    from rmp3d.behaviors.groups.party import Party

GROUP_BEHAVIORS = Registry("group behavior")

WeightedSteering = Sequence[tuple[float, SteeringBehavior]]


class GroupEvent(NamedTuple):
    """Something worth telling: when, what, of which member (-1: the whole group), in words."""

    time: float
    kind: str
    member: int
    text: str


class FormationChange(NamedTuple):
    """When [s], and at which arc length of the path [m], a group changed its formation."""

    time: float
    length: float
    before: str
    after: str


class GroupRun(ABC):
    """A behavior at work: it remembers, and is stepped once per time step.

    Only `step` has to be written. By default the members begin at places of their own in the start
    region, go to their subgoals, and keep apart from one another and from obstacles.

    Args:
        task: What the group is given to do.
        start: (n, 3) where the members begin [m]; None: near the path's start, or, without a
            path, anywhere in the start region.
        heading: (n, 3) in which directions they look then; None: along the path, or +x.
        steering: Weighted steering behaviors that lead to the subgoals; None: arrive at them,
            keep apart, avoid obstacles.

    Attributes:
        start: (n, 3) where the members begin [m].
        heading: (n, 3) in which directions they look then.
        steering: Weighted steering behaviors that lead to the subgoals.
        arrived: (n,) members that have been told to have arrived.
        events: What happened; the simulation takes them out.
        figures: What is worth telling at the end, by name: numbers, words, lists of them.
        plan: Named arrays worth recording, such as the formation over the path's length.
        formations: Names that ``Intent.formation`` counts in.
        changes: Changes of formation so far.
        number: (n,) number of each member in the group, which it keeps while others come and leave.
        takes_turnover: Whether members may come and leave while it is at work.
        takes_orders: Whether the members can be sent to a point.
        goes_about: Whether the members have arrived and go about since.
        measured_by_member: Names of measurements that have a row for each member.
        formation_error: Mean distance [m] of members from their slots so far, from when a
            formation is complete to when it is changed; None without.
    """

    takes_turnover: ClassVar[bool] = False
    takes_orders: ClassVar[bool] = False
    goes_about: ClassVar[bool] = False
    measured_by_member: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        task: Task,
        *,
        start: Float | None = None,
        heading: Float | None = None,
        steering: WeightedSteering | None = None,
    ) -> None:
        self.start = starting_places(task) if start is None else start
        self.heading = starting_heading(task) if heading is None else heading
        usual: WeightedSteering = [
            (1.0, Arrive()),
            (0.6, Separation()),
            (0.5, LookAheadAvoidance()),
        ]
        self.steering: WeightedSteering = usual if steering is None else steering
        self.arrived: Bool = np.zeros(task.count, np.bool_)
        self.number: Index = np.arange(task.count)
        self._come = task.count
        self.events: list[GroupEvent] = []
        self.figures: dict[str, Any] = {}
        self.plan: Mapping[str, NDArray[Any]] = {}
        self.formations: tuple[str, ...] = ()
        self.changes: list[FormationChange] = []
        self.formation_error: float | None = None

    @abstractmethod
    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want.

        Args:
            flock: The n members in their present state.
            time: Now [s].
        """

    @property
    def unit(self) -> Any:
        """What is stepped: the run itself, or the crowd that the group is a party of."""
        return self

    @property
    def is_complete(self) -> bool | None:
        """Whether all members have arrived that there are and will be; None: it has no goals.

        Runs of groups with a `GroupTask` need not say it: their goal is known.
        """
        return None

    def look(self, world: WorldState, rows: Index) -> None:  # noqa: B027 (a run may do without)
        """Let the members, which are ``rows`` of the world's flock, perceive; before `step`.

        By default they see nothing: members that follow a plan need not look.
        """

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that leads to what the members want; after `step`.

        By default the weighted sum of ``steering``, with the members nearby in view.
        """
        flock = world.flock.select(rows)
        around = world.surroundings(
            rows, world.close.of(rows), intent.subgoal, intent.subgoal_velocity
        )
        force = blend(self.steering, flock, around)
        return SteeringOutput(force, np.zeros_like(force), np.zeros(len(rows), np.bool_))

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return named numbers or arrays worth following, of the same names and shapes always.

        They are asked for before the first step too, and recorded once a simulated second.
        By default nothing.
        """
        return {}

    def learned_roadmap(self) -> Roadmap | None:
        """Return the roadmap with what the members have learned on it, to be kept; None: nothing.

        By default nothing: most groups do not learn.
        """
        return None

    def change(self, behavior: Any, flock: Flock) -> None:
        """Go on with other parameters of the same behavior, from the members' present state.

        Raises:
            InputError: That is not possible while it runs, which is the default; nothing has
                changed then.
        """
        raise InputError("this behavior cannot be changed while it runs; begin the run anew")

    def prepare(self, count: int, places: Float) -> None:  # noqa: B027 (most need not)
        """Refuse members that cannot come, or leave; asked before a `turn_over`.

        Args:
            count: Members that there will be.
            places: (m, 3) where those of them stand that come [m].

        Raises:
            InputError: Says why; then nobody comes or leaves. By default all can.
        """

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now, before they `look` for the first time.

        A run whose class says ``takes_turnover`` is asked about its own group; any run, about the
        others: what it remembers of them has other rows now.

        Args:
            own: Members of this group.
            everyone: All members of the flock.
            rows: (n,) of the members of this group in the flock.
        """
        self.arrived = own.of(self.arrived, False)
        fresh = self._come + np.cumsum(own.new) - 1
        self.number, self._come = own.of(self.number, fresh), self._come + int(own.new.sum())

    def send(self, point: Float | None) -> None:
        """Let the members go to a point (3,) [m] until there is another one, or None: no more.

        Asked only of a run whose class says ``takes_orders``.

        Raises:
            InputError: They cannot be sent, which is the default.
        """
        raise InputError("members of this behavior cannot be sent to a point")

    def reroute(
        self, path: CertifiedPath | None, roadmap: Roadmap, flock: Flock, time: float
    ) -> None:
        """Let the n members of a flock go on along another path to their goal.

        Asked for when a part of the scene has appeared or gone. The path begins where one of the
        members is now; None: the one before is still free. The roadmap holds now.

        Raises:
            InputError: They cannot, which is the default; nothing has changed then.
        """
        raise InputError("members of this behavior keep to their ways")

    @property
    def ways(self) -> Roadmap | None:
        """The roadmap, made by the run, over which members find ways of their own; None: none."""
        return None

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:  # noqa: B027
        """Let the n members of a flock find their ways over another roadmap from now on.

        Asked of a run with `ways`, when these were mended as a part of the scene has appeared or
        gone.
        """

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return where a schedule has the members at a time [s]; None: they move by themselves.

        Positions (n, 3) [m] and rotations (n, 3, 3).
        """
        return None

    def clearances(self, time: float, cap: float) -> tuple[float, float] | None:
        """Return the least clearance [m] to the scene, and between members, at a time [s].

        Both are at most ``cap``. None: those of the members' capsules, which the simulation
        measures.
        """
        return None

    def tell(self, time: float, kind: str, text: str, member: int = -1) -> None:
        """Add an event of the whole group, or of one member."""
        self.events.append(GroupEvent(time, kind, member, text))

    def tell_arrivals(self, inside: Bool, time: float) -> None:
        """Tell which members arrive: those ``inside`` (n,) the goal for the first time."""
        for member in np.flatnonzero(inside & ~self.arrived).tolist():
            self.arrived[member] = True
            self.tell(time, "arrived", "in the goal region", member)


class GroupBehavior(ABC):
    """Parameters of a behavior; a frozen dataclass, whose fields are its options.

    Attributes:
        needs_goal: Whether its groups plan a path to a goal and arrive there. Without one, the
            behavior begins with a `Task` instead of a `GroupTask`.
        usual_activity: What its members do after all have arrived, if the group does not say so;
            see `rmp3d.behaviors.groups.afterwards`.
    """

    needs_goal: ClassVar[bool] = True
    usual_activity: ClassVar[str] = "hold"

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return the clearance [m] that the path should keep where the scene allows it.

        By default enough for two members side by side; nothing without a path.
        """
        return 3.0 * character.body.radius if self.needs_goal else 0.0

    def party(self, task: GroupTask) -> "Party | None":
        """Return the members as a party of a crowd, in which several groups are stepped at once.

        By default None: the group is stepped by itself.

        Raises:
            InputError: As of `begin`.
        """
        return None

    @abstractmethod
    def begin(self, task: GroupTask) -> GroupRun:
        """Return a run of this behavior.

        Raises:
            InputError: The task cannot be done by this behavior; says why.
        """


def starting_places(task: Task, spacing: float = 0.0) -> Float:
    """Return places (n, 3) [m] of all members in the start region.

    Args:
        task: Of the group. With a path, places are in sight of its start.
        spacing: Between places [m]; 0 takes one that suits body and speed.
    """
    spacing = spacing or default_spacing(task.character)
    if isinstance(task, GroupTask):
        first = task.path.points[0]
        return scattered(task.space, task.start, task.count, spacing, first, task.rng, task.others)
    return anywhere(task.space, task.start, task.count, spacing, task.rng, task.others)


def starting_poses(task: Task, spacing: float = 0.0) -> tuple[Float, Float]:
    """Return places (n, 3) [m] and headings (n, 3): vehicles stand in stalls if need be.

    Args:
        task: See `starting_places`.
        spacing: See `starting_places`.

    Raises:
        NoRoomError: The start region is too small for so many.
    """
    heading = starting_heading(task)
    stalls = task.stalls(heading[0])
    if stalls is None:
        return starting_places(task, spacing), heading
    if task.radius >= task.character.body.radius:
        angle = float(np.arctan2(heading[0, 1], heading[0, 0]))
        with suppress(NoRoomError):
            places = starting_places(task, spacing)
            if stalls.can_be_left(places, angle).all():
                return places, heading
    center = task.path.points[0] if isinstance(task, GroupTask) else task.start.center
    places, angle = stalls.places(task.start, task.count, center, task.others)
    heading = np.tile([np.cos(angle), np.sin(angle), 0.0], (task.count, 1))
    return places[: task.count], heading


def starting_heading(task: Task) -> Float:
    """Return the direction (n, 3) in which the path begins; +x without a path."""
    if isinstance(task, GroupTask):
        return heading_of(task.path, task.count)
    return np.tile([1.0, 0.0, 0.0], (task.count, 1))


def heading_of(path: CertifiedPath, count: int) -> Float:
    """Return the direction (count, 3) in which a path begins."""
    return np.tile(path.frames(np.zeros(1), 2.0)[0, :, 0], (count, 1))
