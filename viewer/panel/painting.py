"""The brush that lays arrows into a group's flow field, and rubs them out again."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.steering import FlowFieldFollowing
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.viewer.palette import FLOW
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.forms import FormField
from rmp3d.viewer.panel.protocol import Table
from rmp3d.viewer.shapes import lines

FIELD = "flow_field_following"
STEP = 0.25  # of the brush's width, between points of a stroke
POINT_DIGITS = 2  # of points of a stroke [m]
ARROW_TIME = 0.7  # [s] that the flow takes from the foot of an arrow to its tip
ROWS = (-0.3, 0.0, 0.3)  # of the width, where arrows stand beside the middle of a stroke
LIFT = np.array([0.0, 0.0, 0.08])  # [m] of arrows above the ground
MOST_ARROWS = 3000
WIDTH = FormField("width", "number", 2.0, low=0.1, unit="m", help="Of the brush.", is_key=False)
SPEED = FormField(
    "speed", "number", 1.0, low=0.0, unit="m/s", help="Of the flow that is painted.", is_key=False
)
Strokes = list[Table]


class Painted(Protocol):
    """Whose draft has the flow field; see `PanelState`."""

    draft: Draft

    def edit(self, path: Sequence[str | int], value: Any) -> None:
        """Set a key of the draft."""
        ...


class Painting:
    """Follows a stroke from where it begins to its end; then the draft has it.

    The field is the first `FlowFieldFollowing` among the steering behaviors of the chosen group.

    Attributes:
        active: Whether a drag over the ground paints.
        width: Of the brush [m].
        speed: Of the flow that is painted [m/s].
    """

    def __init__(self, state: Painted) -> None:
        self._state = state
        self.active = False
        self.width, self.speed = 2.0, 1.0
        self._points: list[Float] = []  # of the stroke under way
        self._erases, self._moves = False, 0
        self._drawn: tuple[object, ...] = ()
        self._arrows = np.empty((0, 3)), np.empty((0, 3))

    @property
    def has_field(self) -> bool:
        """Whether the chosen group has a flow field."""
        return self._row is not None

    @property
    def has_strokes(self) -> bool:
        """Whether there is anything to rub out."""
        return bool(self._strokes)

    def cancel(self) -> bool:
        """Put the brush away; return whether it was in use."""
        was, self.active, self._points = self.active, False, []
        self._moves += was
        return was

    def begin(self, point: Float | None, *, erases: bool) -> None:
        """Begin a stroke at a point (3,) [m] of the ground, or beside it."""
        self._points, self._erases = [], erases
        self.follow(point)

    def follow(self, point: Float | None) -> None:
        """Go on to a point (3,) [m] of the ground; None is beside it."""
        if point is None:
            return
        apart = STEP * self.width
        if not self._points or np.linalg.norm(point - self._points[-1]) >= apart:
            self._points.append(np.asarray(point, np.float64))
            self._moves += 1

    def end(self) -> None:
        """Give the stroke to the draft."""
        strokes = self._changed()
        self._points, self._moves = [], self._moves + 1
        if strokes != self._strokes:
            self._put(strokes)

    def clear(self) -> None:
        """Rub out all strokes."""
        self._put([])

    @property
    def _behaviors(self) -> list[Any]:
        behavior = self._state.draft.chosen["behavior"]
        found = behavior.get("behaviors") if behavior.get("name") == "steering" else None
        return found if isinstance(found, list) else []

    @property
    def _row(self) -> int | None:
        """Where the flow field is among the steering behaviors."""
        named = (
            row
            for row, each in enumerate(self._behaviors)
            if (each.get("name") if isinstance(each, Mapping) else each) == FIELD
        )
        return next(named, None)

    @property
    def _table(self) -> Table:
        row = self._row
        found = None if row is None else self._behaviors[row]
        return dict(found) if isinstance(found, Mapping) else {"name": FIELD}

    @property
    def _strokes(self) -> Strokes:
        found = self._table.get("strokes")
        return list(found) if isinstance(found, list | tuple) else []

    def _changed(self) -> Strokes:
        """Return the strokes with the one that is under way."""
        if not self._points or not self.has_field:
            return self._strokes
        line = np.array(self._points)
        if self._erases:
            return [part for each in self._strokes for part in rubbed(each, line, 0.5 * self.width)]
        if len(line) < 2:
            return self._strokes
        return [*self._strokes, _stroke(line, self.width, self.speed)]

    def _put(self, strokes: Strokes) -> None:
        row = self._row
        if row is None:
            return
        table = {key: value for key, value in self._table.items() if key != "strokes"}
        if strokes:
            table["strokes"] = strokes
        behaviors = [*self._behaviors]
        behaviors[row] = table
        path: list[str | int] = ["groups", self._state.draft.group, "behavior", "behaviors"]
        self._state.edit(path, behaviors)

    @property
    def seen(self) -> tuple[object, ...]:
        """What the arrows depend on: other values, other arrows."""
        row = self._row
        return self.active, self._moves, None if row is None else self._behaviors[row]

    def lines(self, origin: Float) -> NDArray[np.float32]:
        """Return the rows of the field's arrows, seen from an origin (3,) [m]."""
        if not self.has_field:
            return lines.NO_LINES
        if self._drawn != self.seen:
            self._drawn = self.seen
            self._arrows = self._new_arrows()
        foot, vector = self._arrows
        return lines.arrows(foot + LIFT - origin, vector, FLOW, 2.0, 0.02)

    def _new_arrows(self) -> tuple[Float, Float]:
        kept = ("vectors", "origin", "spacing")
        own: Table = {key: value for key, value in self._table.items() if key in kept}
        try:
            field = checked({**own, "strokes": self._changed()}, FlowFieldFollowing)
        except InputError:  # what is typed is being refused in words
            return np.empty((0, 3)), np.empty((0, 3))
        return flow_arrows(field)


def flow_arrows(field: FlowFieldFollowing) -> tuple[Float, Float]:
    """Return feet (N, 3) [m] and vectors (N, 3) [m] of arrows at the grid and along the strokes."""
    feet = [np.empty((0, 3))]
    if len(field.vectors):
        index = np.indices(np.shape(field.vectors)[:3]).reshape(3, -1).T
        feet.append(np.array(field.origin) + field.spacing * index)
    for stroke in field.strokes:
        line = spaced(np.array(stroke.points, np.float64), 0.5 * stroke.width)
        along = np.gradient(line, axis=0)
        across = np.column_stack([-along[:, 1], along[:, 0], np.zeros(len(line))])
        size = length(across)[:, None]
        across = np.divide(across, size, out=np.zeros_like(across), where=size > 0.0)
        feet += [line + share * stroke.width * across for share in ROWS]
    foot = np.concatenate(feet)
    foot = foot[:: max(1, -(-len(foot) // MOST_ARROWS))]
    return foot, ARROW_TIME * field.velocity_at(foot)


def spaced(line: Float, apart: float) -> Float:
    """Return points (K, 3) along a polyline (J, 3), as far apart or a little less; K > 1."""
    station = np.concatenate([[0.0], np.cumsum(length(np.diff(line, axis=0)))])
    count = int(np.clip(np.ceil(station[-1] / apart), 1, MOST_ARROWS))
    at = np.linspace(0.0, station[-1], count + 1)
    return np.column_stack([np.interp(at, station, column) for column in line.T])


def rubbed(stroke: Table, line: Float, reach: float) -> Strokes:
    """Return what is left of a stroke where a line (J, 3) [m] rubs out what is within reach [m].

    A stroke that is out of reach stays as it is.
    """
    points = np.asarray(stroke.get("points", ()), np.float64)
    if points.ndim != 2 or points.shape[1:] != (3,) or len(points) < 2:
        return [stroke]
    fine = spaced(points, STEP * reach)
    rubber = spaced(line, STEP * reach)
    gap = np.linalg.norm(fine[:, None, :2] - rubber[:, :2], axis=2)
    low = np.abs(fine[:, None, 2] - rubber[:, 2]) <= reach + 1.0
    kept = ~((gap < reach) & low).any(axis=1)
    if kept.all():
        return [stroke]
    borders = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]])))
    parts = [fine[first:last] for first, last in borders.reshape(-1, 2)]
    long = [part for part in parts if STEP * len(part) > 2.0]  # no crumbs: of the brush's width
    return [{**stroke, "points": _points(part)} for part in long]


def _stroke(line: Float, width: float, speed: float) -> Table:
    return {"points": _points(line), "width": width, "speed": speed}


def _points(line: Float) -> list[list[float]]:
    """Return a polyline (J, 3) [m] as a file has it, without points that hardly bend it."""
    kept = line[thinned(line, 0.02)]
    return [[round(float(x), POINT_DIGITS) + 0.0 for x in point] for point in kept]


def thinned(line: Float, tolerance: float) -> list[int]:
    """Return the points of a polyline (J, 3) that are kept within a tolerance [m].

    Ramer 1972; Douglas and Peucker 1973: "Algorithms for the reduction of the number of points".
    """
    kept, spans = {0, len(line) - 1}, [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        inner = line[first + 1 : last] - line[first]
        if not len(inner):
            continue
        chord = line[last] - line[first]
        square = max(float(chord @ chord), 1e-12)
        share = np.clip(inner @ chord / square, 0.0, 1.0)
        off = length(inner - share[:, None] * chord)
        worst = first + 1 + int(np.argmax(off))
        if off.max() > tolerance:
            kept.add(worst)
            spans += [(first, worst), (worst, last)]
    return sorted(kept)
