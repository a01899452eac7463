"""The details of a group for the viewer: roadmap, corridor, formation, perception, samples."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.planner import SAMPLERS
from rmp3d.planner.sampling.rejected import rejected_configurations
from rmp3d.recording.header import Header, Plan
from rmp3d.scenario import Scenario, ScenarioTable, goal_region, start_region
from rmp3d.scenes import Scene
from rmp3d.viewer.playback.details import FormationTrack, GroupDetails, PathCorridor, Sight

MOST_REJECTED = 20_000


class RunSource(Protocol):
    """A source of facts about a run: its recording, or the run itself while it goes on."""

    @property
    def header(self) -> Header:
        """The facts that are known before the first frame."""
        ...

    @property
    def scenario(self) -> ScenarioTable:
        """The resolved scenario."""
        ...

    def series(self, group: int) -> dict[str, NDArray[Any]]:
        """Return the measurements of a group over time; see `Recording.series`."""
        ...


def group_details(
    recording: RunSource, scene: Scene, group: int, body_radius: float
) -> GroupDetails:
    """Return the details of one group.

    Args:
        recording: The run.
        scene: Its scene.
        group: Row of the group.
        body_radius: Of its largest member [m].

    Raises:
        RecordingError: The series of the group are damaged.
    """
    table = recording.scenario.groups[group]
    plan, series = recording.header.plans[group], recording.series(group)
    nodes = np.asarray(plan.get("nodes", np.zeros((0, 3))), float)
    edges = np.asarray(plan.get("edges", np.zeros((0, 2))), np.intp)
    weights = series.get("weights")
    return GroupDetails(
        nodes=nodes,
        edges=edges,
        component=_components(edges, len(nodes)),
        weight_time=series["time"] if weights is not None else np.zeros(0),
        weight=weights if weights is not None else np.zeros((0, len(edges))),
        corridor=_corridor(plan),
        track=_track(series),
        sight=_sight(recording.scenario, group),
        behavior=table.behavior["name"].replace("_", " "),
        rejected=_rejected(recording, scene, group),
        start=start_region(table, scene, body_radius),
        goal=goal_region(table, scene, body_radius),
    )


def _components(edges: Index, count: int) -> Index:
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1], np.intp)


def _corridor(plan: Plan) -> PathCorridor | None:
    if "room_left" not in plan or "position" not in plan:
        return None
    options = [name.decode() for name in plan["formation"]]
    names = tuple(dict.fromkeys(options))
    rows = np.array([names.index(name) for name in options])
    return PathCorridor(
        station=plan["station"],
        position=plan["position"],
        left=plan["left"],
        up=plan["up"],
        room_left=plan["room_left"],
        room_right=plan["room_right"],
        formation=rows[plan["choice"]],
        names=names,
    )


def _track(series: dict[str, Float]) -> FormationTrack | None:
    if not {"leader", "place"} <= series.keys():
        return None
    return FormationTrack(time=series["time"], leader=series["leader"], place=series["place"])


def _sight(scenario: ScenarioTable, group: int) -> Sight | None:
    """Return the range and angle within which members of a group perceive others, if limited."""
    table = scenario.groups[group].behavior
    if table["name"] not in GROUP_BEHAVIORS:
        return None  # of a class of the user's own, which is not here
    if not hasattr(GROUP_BEHAVIORS[table["name"]], "senses"):
        return None
    behavior = choose(GROUP_BEHAVIORS, table, "`behavior`")
    senses = behavior.senses()
    reach = getattr(senses, "range", getattr(senses, "radius", None))
    if reach is None:
        return None
    return Sight(float(reach), float(np.radians(getattr(senses, "angle", 360.0))))


def _rejected(recording: RunSource, scene: Scene, group: int) -> Callable[[], Float]:
    """Return a function that draws the planner's samples again and returns the rejected ones.

    A roadmap that was loaded has samples of an earlier run, too; these cannot be drawn again.
    """
    header, plan = recording.header, recording.header.plans[group]
    table: Any = header.scenario.planner.sampler

    def again() -> Float:
        from rmp3d.simulation.planning import prepare

        if "attempts" not in plan or not len(plan["nodes"]) or table["name"] not in SAMPLERS:
            return np.zeros((0, 3))
        scenario = Scenario.held_by(header.scenario, header.held)
        attempts = min(int(plan["attempts"][0]), MOST_REJECTED)
        return rejected_configurations(
            choose(SAMPLERS, table),
            prepare(scenario, scene, group).places,
            attempts,
            np.random.default_rng([header.scenario.seed, group, 0]),
        )[:, :3]

    return again
