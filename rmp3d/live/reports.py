"""What the panel is shown of the work: roadmaps as lines, runs as playbacks, figures in words."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.behaviors import FORMATIONS
from rmp3d.behaviors.groups.goal_area.places import NOBODY, Standing, places_in
from rmp3d.behaviors.groups.task import default_spacing
from rmp3d.crossings import placed_lines
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import frame, quaternion_from_matrix
from rmp3d.geometry.vectors import unit
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.playback.group_details import group_details
from rmp3d.recording import Header
from rmp3d.recording.filled import NOWHERE, FilledRows
from rmp3d.scenario import ScenarioTable
from rmp3d.scenes import Scene
from rmp3d.simulation import Frame, Simulation, path_of
from rmp3d.simulation.coming import cast
from rmp3d.simulation.frame import formation_rows
from rmp3d.simulation.planning import GroupPlan, PreparedGroup
from rmp3d.viewer.panel.protocol import Grown, Place, Stepped
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.playback import Event, Playback

FOREVER = np.iinfo(np.intp).max
"""The frame after the last one of members that have not left."""
MOST_NUMBERS = 500_000  # told of what a group has measured
STATISTICS = {
    "nodes": "nodes",
    "edges": "edges",
    "components": "components",
    "largest_component": "largest component",
    "attempts": "samples tried",
    "collision_queries": "collision queries",
    "distance_queries": "distance queries",
}


def first_look(
    scenario: ScenarioTable, scene: Scene, groups: Sequence[PreparedGroup], places: Sequence[Place]
) -> Playback:
    """Return one frame in which the members stand about where they start, facing their goal.

    Where there is no space for all, beside the groups before, one of them stands for the others.
    """
    at = {(place.role, place.group): place for place in places}
    standing: list[Float] = []
    others = NOBODY
    for row, prepared in enumerate(groups):
        standing.append(_standing(prepared, at["start", row], others))
        body = prepared.places.world.body
        others = others.joined_by(standing[-1], body.radius, body.capsule_axis)
    counts = [len(points) for points in standing]
    position, group_of = np.concatenate(standing), np.repeat(np.arange(len(groups)), counts)
    ahead = np.tile([1.0, 0.0, 0.0], (len(position), 1))
    for row, prepared in enumerate(groups):
        if prepared.heading is not None:
            ahead[group_of == row] = prepared.heading[0]
        elif ("goal", row) in at:
            offset = at["goal", row].region.center - standing[row][0]
            level = unit(offset * [1.0, 1.0, 0.0])
            ahead[group_of == row] = level if level.any() else [1.0, 0.0, 0.0]
    shown = [
        character
        for prepared, count in zip(groups, counts, strict=True)
        for character in prepared.characters[:count]
    ]
    kinds = list(dict.fromkeys(shown))
    facing = quaternion_from_matrix(frame(ahead, np.tile([0.0, 0.0, 1.0], (len(ahead), 1))))
    return Playback(
        scene=scene,
        characters=tuple(kinds),
        character_of=np.array([kinds.index(character) for character in shown]),
        group_of=group_of,
        group_names=tuple(group.name for group in scenario.groups),
        dt=scenario.simulation.dt,
        position=position[None],
        orientation_wxyz=facing[None],
        subgoal=position[None],
        formation_of=np.full((1, len(groups)), -1),
        at_rest=tuple(group.at_rest for group in scenario.groups),
        title=scenario.name,
        measuring_lines=placed_lines(scenario.measure, position),
    )


def _standing(prepared: PreparedGroup, start: Place, others: Standing) -> Float:
    """Return where the members (n, 3) of a group are shown before anything is planned.

    Args:
        prepared: The group.
        start: Where it starts.
        others: Groups that stand somewhere already.
    """
    if start.point is None:
        return start.region.center[None]
    center = start.point[:3]
    try:
        spacing = default_spacing(prepared.character)
        count = prepared.group.members
        return places_in(prepared.places, start.region, count, spacing, center, others)[:count]
    except InputError:
        return center[None]


class RunNotes:
    """What is known of a run that goes on; see `rmp3d.playback.group_details.RunSource`.

    Attributes:
        is_new: Whether nothing was told of it yet.
    """

    def __init__(
        self, scenario: ScenarioTable, header: Header, scene: Scene, radii: Sequence[float]
    ) -> None:
        """Begin; ``radii`` are those of the widest body of each group [m]."""
        self.scenario, self.header, self._scene, self._radii = scenario, header, scene, radii
        self._rows: list[dict[str, list[ArrayLike]]] = [{} for _ in scenario.groups]
        self.is_new = True

    def add(self, frame: Frame) -> None:
        """Take what the groups have measured at a moment."""
        for rows, measures in zip(self._rows, frame.measures, strict=True):
            for name, value in {"time": frame.time, **measures}.items() if measures else ():
                rows.setdefault(name, []).append(np.array(value))

    def series(self, group: int) -> dict[str, NDArray[Any]]:
        """Return what a group measured over time, by name; every few rows if there is much.

        It is told anew with each second that is simulated, so it must not grow without limit.
        """
        rows = self._rows[group]
        size = sum(np.size(values[-1]) * len(values) for values in rows.values())
        stride = max(1, -(-size // MOST_NUMBERS))
        return {name: _stacked(values[::-1][::stride][::-1]) for name, values in rows.items()}

    def details(self) -> tuple[GroupDetails, ...]:
        """Return what the viewer's layers show of each group."""
        self.is_new = False
        known = enumerate(self._radii)
        return sendable(tuple(group_details(self, self._scene, *group) for group in known))


def sendable(known: tuple[GroupDetails, ...]) -> tuple[GroupDetails, ...]:
    """Return details without what is worked out later, which cannot leave the process."""
    return tuple(replace(each, rejected=GroupDetails().rejected) for each in known)


def playback_of(
    scenario: ScenarioTable,
    scene: Scene,
    plans: Sequence[PreparedGroup],
    behaviors: tuple[str, ...],
    told: Stepped,
) -> Playback:
    """Return the first frames of a run, as the viewer takes them.

    Args:
        scenario: Checked.
        scene: Its scene.
        plans: One for each group.
        behaviors: Names of the steering behaviors whose forces are told of.
        told: The frames.
    """
    names, kinds, counts = scenario.characters, scenario.kinds, scenario.counts
    made = dict(zip(names, (each for group in cast(plans, counts) for each in group), strict=True))
    group_of = np.repeat(np.arange(len(counts)), counts)
    return Playback(
        scene=scene,
        characters=tuple(made[kind] for kind in kinds),
        character_of=np.array([kinds.index(name) for name in names]),
        group_of=group_of,
        group_names=tuple(group.name for group in scenario.groups),
        dt=scenario.simulation.dt,
        position=told.position,
        orientation_wxyz=told.orientation_wxyz,
        subgoal=told.subgoal,
        formation=told.formation,
        formation_of=told.formation_of,
        events=told.events,
        paths=tuple(path_of(plan) for plan in plans),
        details=told.details or (),
        force_names=behaviors if told.force is not None else (),
        force=told.force,
        life=told.life,
        clock=told.clock,
        at_rest=tuple(group.at_rest for group in scenario.groups),
        title=scenario.name,
        measuring_lines=placed_lines(scenario.measure, told.position[0]),
    )


class Rows:
    """Lays out frames for the viewer: a row for each member, whether it is there or not.

    Args:
        counts: (G,) rows of each group.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = tuple(counts)
        self._count = sum(counts)
        self._filled = FilledRows(self._count)
        self._life = np.zeros((self._count, 2), np.intp)
        self._frames = 0

    @property
    def life(self) -> Index | None:
        """(N, 2) first frame of each member and the one after its last; None: all are there."""
        always = (self._life == [0, FOREVER]).all()
        return None if always else self._life.copy()

    def add(self, frames: Sequence[Frame]) -> dict[str, Any]:
        """Return the arrays of further frames, by name as in `Stepped`."""
        rows: dict[str, list[Any]] = {name: [] for name in NOWHERE}
        force = []
        for each in frames:
            member = each.rows_in(self.counts)
            assert member is not None
            for name, values in rows.items():
                values.append(self._filled.of(name, getattr(each, name), member))
            if each.force is not None:
                force.append(self._filled.forces(each.force, member))
            self._note(member)
        found = {name: np.array(each).reshape(-1, self._count, len(NOWHERE[name]))
                 for name, each in rows.items()}  # fmt: skip
        return {**found, "force": np.array(force, np.float32) if force else None}

    def _note(self, member: Index) -> None:
        there = np.zeros(self._count, np.bool_)
        there[member] = True
        end = self._life[:, 1]
        self._life[there & (end == 0)] = self._frames, FOREVER
        self._life[~there & (end == FOREVER), 1] = self._frames
        self._frames += 1


def stepped(
    simulation: Simulation, frames: Sequence[Frame], notes: RunNotes, rows: Rows
) -> Stepped:
    """Return frames as arrays, with what the groups have measured meanwhile."""
    for each in frames:
        notes.add(each)
    measured = any(any(each.measures) for each in frames)
    # In an order that a change of behavior only adds to.
    names = tuple(dict.fromkeys((*FORMATIONS, *simulation.formations)))
    formation = [formation_rows(each.formation, names) for each in frames]
    return Stepped(
        **rows.add(frames),
        formation_of=np.array(formation, np.intp).reshape(-1, len(simulation.runs)),
        formation=names,
        events=tuple(
            Event(
                event.time,
                event.kind,
                max(event.group, 0),
                each.row_in(event.member, rows.counts),
                event.text,
            )
            for each in frames
            for event in each.events
        ),
        over=simulation.over,
        details=notes.details() if measured or notes.is_new else None,
        life=rows.life,
        clock=clocks_of(frames),
    )


def clocks_of(frames: Sequence[Frame]) -> Float | None:
    """Return the clocks (T, K) of the moving parts in frames; None if nothing moves."""
    known = [each.clock for each in frames if each.clock is not None]
    return np.array(known) if known else None


def grown(group: int, roadmap: Roadmap) -> Grown:
    """Return a roadmap as points and straight pieces."""
    pieces = [polyline[:, :3] for polyline in roadmap.polylines]
    component = roadmap.component
    order = np.argsort(-roadmap.component_size, kind="stable")
    rank: Index = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    none: Float = np.zeros((0, 3))
    return Grown(
        group=group,
        nodes=np.array(roadmap.configurations[:, :3]),
        component=rank[component],
        start=np.concatenate([none, *(piece[:-1] for piece in pieces)]),
        end=np.concatenate([none, *(piece[1:] for piece in pieces)]),
    )


def statistics_of(plans: Sequence[PreparedGroup]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return what each group's roadmap and path took, in words."""
    return tuple(_statistics(plan) if isinstance(plan, GroupPlan) else () for plan in plans)


def _statistics(prepared: GroupPlan) -> tuple[tuple[str, str], ...]:
    plan = prepared.plan
    found = asdict(plan.roadmap.statistics)
    rows = [(words, f"{found[name]:,}") for name, words in STATISTICS.items()]
    return (
        ("path length", f"{plan.path.length:.2f} m"),
        *rows,
        ("building", f"{plan.build_seconds:.2f} s"),
        ("searching", f"{plan.query_seconds:.2f} s"),
        ("all proved free", "yes" if plan.certified else "no"),
    )


def _stacked(values: Sequence[ArrayLike]) -> Float:
    """Return values over time as one array; those of before more members came get rows of zeros."""
    most = np.max([np.shape(value) for value in values], axis=0).astype(np.intp)
    found = np.zeros((len(values), *most))
    for row, value in enumerate(map(np.asarray, values)):
        place = (slice(row, row + 1), *(slice(size) for size in value.shape))
        found[place] = value
    return found
