"""Which charts a report has, each from what the recording holds; others are left out."""

import base64
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.recording import RecordingReader
from rmp3d.reporting.course import REACH, Course
from rmp3d.reporting.measures import measure_text
from rmp3d.reporting.members import MemberRow
from rmp3d.reporting.widths import width_in_use
from rmp3d.scenario import goal_region
from rmp3d.scenes import Region, Scene
from rmp3d.viewer.palette import GOAL, START
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots import charts, trails
from rmp3d.viewer.plots.crowd_charts import crowd_charts
from rmp3d.viewer.texts import all_named, named, tr


class Chart(NamedTuple):
    """A figure of the page.

    Attributes:
        title: What it shows.
        body: SVG or HTML.
        note: What good looks like.
    """

    title: str
    body: str
    note: str = ""


DRAWN_APART = frozenset({"time", "weights"})
"""Series that have a chart of their own."""


def all_charts(
    recording: RecordingReader, seen: Playback, course: Course, members: list[MemberRow]
) -> Iterator[Chart]:  # fmt: skip
    """Yield the charts in the order of the page."""
    names, scene, position = all_named(seen.group_names), seen.scene, np.asarray(seen.position)
    yield Chart(
        "Map with trails; starts green, goals red [m]",
        _map(recording, seen),
        "Trails lead from the rings to the disks without loops, and stay off the walls.",
    )
    crowd = crowd_charts(seen)
    if crowd:
        yield Chart(
            "The crowd from above, mean of the run; of storeys over each other the largest",
            crowd,
            "No spot beyond 2 persons a square meter; speed is low where people meet or wait, and "
            "flow is even along the ways.",
        )
    yield from _formations(recording, names)
    yield from _rooms(recording, position, names)
    yield _clearance(course)
    yield from _arrivals(recording, members, names)
    yield _spread(course, names)
    yield _speed(course, names)
    for group, name in enumerate(names):
        yield from _series(recording, scene, group, name)


def _places(recording: RecordingReader, scene: Scene) -> list[tuple[Region, Float]]:
    """Return starts and goals of the groups that are regions, with their colors."""
    kinds, places = recording.load_characters(), []
    for row, group in enumerate(recording.scenario.groups):
        goal = goal_region(group, scene, recording.header.radius_of_group(row, kinds))
        if isinstance(group.start, str) and group.start in scene.regions:
            places.append((scene.regions[group.start], START))
        if goal is not None:
            places.append((goal, GOAL))
    return places


def _map(recording: RecordingReader, seen: Playback) -> str:
    """Return the map twice; the page shows one, the second on a phone."""
    shown, places = "", _places(recording, seen.scene)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        for kind, width, dpi in (("wide", trails.WIDTH, 150), ("narrow", charts.NARROW, 180)):
            trails.save_trails(path, seen, places=places, dpi=dpi, width=width)
            data = base64.b64encode(path.read_bytes()).decode()
            alt = tr("map with trails")
            shown += f'<img class="{kind}" alt="{alt}" src="data:image/png;base64,{data}">'
    return shown


def _formations(recording: RecordingReader, names: list[str]) -> Iterator[Chart]:
    rows = recording.formation_of()
    if (rows >= 0).any():
        time = frozen(np.arange(len(rows)) * recording.dt)
        formations = all_named(recording.header.formations)
        yield Chart(
            "Formation over time",
            charts.formation_chart(time, names, formations, rows),
            "Few and long bars: a formation changes where the path demands it, not back and forth.",
        )


def _rooms(recording: RecordingReader, position: np.ndarray, names: list[str]) -> Iterator[Chart]:
    header = recording.header
    kinds = recording.load_characters()
    for group, (path, plan) in enumerate(zip(header.paths, header.plans, strict=True)):
        if len(path) < 2 or "room_left" not in plan:
            continue
        members = np.flatnonzero(header.group_of == group)
        radius = header.radius_of_group(group, kinds)
        used = width_in_use(path, position[:, members], radius)
        chart = charts.room_chart(
            plan["station"],
            plan["room_left"] + radius,
            -plan["room_right"] - radius,
            (used.station, used.left, used.right),
            labels=_labels(plan),
        )
        yield Chart(
            f"Free width along the path, and what of it was in use [m]: {names[group]}",
            chart,
            "What was in use stays inside the free width, and fills much of it in wide places.",
        )


def _labels(plan: Any) -> list[tuple[float, str]]:
    """Return the planned formations with the arc lengths [m] from which on they are used."""
    choice, station, options = plan["choice"], plan["station"], _options(plan)
    begins = np.concatenate([[0], np.flatnonzero(np.diff(choice)) + 1])
    return [(float(station[row]), options[choice[row]]) for row in begins]


def _options(plan: Any) -> list[str]:
    """Return the planned formations with their spacings; none if there is no such plan."""
    if not {"formation", "spacing"} <= set(plan):
        return []
    return [
        named(name.decode())
        + (tr(", {far} m apart", far=f"{spacing:.2g}") if spacing > 0.0 else "")
        for name, spacing in zip(plan["formation"], plan["spacing"], strict=True)
    ]


def _clearance(course: Course) -> Chart:
    lines = {tr("to the scene"): course.to_scene, tr("between members"): course.to_members}
    chart = charts.line_chart(
        course.time, lines, xlabel="time [s]", ylabel="least clearance [m]", at_most=REACH
    )
    return Chart(
        "Least clearance over time [m]",
        chart,
        "Both stay above zero; beyond 3 m clearances are not told apart.",
    )


def _arrivals(
    recording: RecordingReader, members: list[MemberRow], names: list[str]
) -> Iterator[Chart]:
    goals = [group.name for group in recording.scenario.groups if group.goal is not None]
    if goals:
        times = {
            name: np.array([
                row.arrived for row in members if row.group == name and row.arrived is not None
            ])
            for name in goals
        }  # fmt: skip
        counts = {name: sum(row.group == name for row in members) for name in goals}
        shown = dict(zip(goals, all_named(goals), strict=True))
        times = {shown[name]: when for name, when in times.items()}
        counts = {shown[name]: count for name, count in counts.items()}
        duration = (recording.frames - 1) * recording.dt
        yield Chart(
            "Arrivals: members in the goal over time",
            charts.arrival_chart(times, counts, duration),
            "Each line reaches the dotted one: all members of the group.",
        )


def _spread(course: Course, names: list[str]) -> Chart:
    lines = dict(zip(names, course.spread, strict=True))
    label = "root mean square distance [m]"
    return Chart(
        "Spread of the members around their middle [m]",
        charts.line_chart(course.time, lines, xlabel="time [s]", ylabel=label),
        "Level while a formation holds; a steady rise means that a group is torn apart.",
    )


def _speed(course: Course, names: list[str]) -> Chart:
    lines = {name: rows[:, 1] for name, rows in zip(names, course.speed, strict=True)}
    bands = {name: (rows[:, 0], rows[:, 2]) for name, rows in zip(names, course.speed, strict=True)}
    chart = charts.line_chart(
        course.time, lines, xlabel="time [s]", ylabel="speed [m/s]",
        bands=bands,
    )  # fmt: skip
    return Chart(
        "Speed: mean, and from the slowest to the fastest member [m/s]",
        chart,
        "The mean is near the cruise speed and smooth; saw teeth are starts and stops.",
    )


def _series(recording: RecordingReader, scene: Scene, group: int, name: str) -> Iterator[Chart]:
    """Yield what the group's behavior measured: a chart for every number, a map for weights."""
    series, plan = recording.series(group), recording.header.plans[group]
    for key in sorted(set(series) - DRAWN_APART):
        if series[key].ndim == 1 and len(series[key]):
            text, lines = measure_text(key), {name: series[key]}
            names = _options(plan) if key == "option" else []
            chart = charts.line_chart(
                series["time"], lines, xlabel="time [s]", ylabel="" if names else text.axis,
                values=names,
            )  # fmt: skip
            yield Chart(f"{text.title}: {name}", chart, text.good)
    weights = series.get("weights", np.empty((0, 0)))
    if len(weights) and {"nodes", "edges"} <= set(plan):
        moments = [(float(series["time"][row]), weights[row]) for row in _telling_rows(weights)]
        drawn = charts.weight_maps(scene, plan["nodes"], plan["edges"], moments)
        yield Chart(
            f"Search weights as they change: {name}",
            drawn,
            "Weights grow along ways that led to the goal; there is no unit.",
        )


def _telling_rows(weights: NDArray[Any]) -> list[int]:
    """Return up to four rows of weights (S, E, ...): even in number of changes, the last one too.

    The last row alone if nothing changes.
    """
    changed = np.abs(np.diff(weights, axis=0)).reshape(len(weights) - 1, -1).any(axis=1)
    rows = np.flatnonzero(changed) + 1
    if len(rows) == 0:
        return [len(weights) - 1]
    return sorted({int(row) for row in rows[np.linspace(0, len(rows) - 1, 4).round().astype(int)]})
