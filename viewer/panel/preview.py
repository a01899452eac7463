"""A ghost of the member where it would stand at the mouse: turned, raised, and red where it cannot.

Whether it can stand there, the session says; until then the ghost is gray.
"""

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.models import Character
from rmp3d.viewer.drawings.bodies import capsule_edges, mesh_edges
from rmp3d.viewer.explaining import explained
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.protocol import Place, PlaceTried, TryPlace
from rmp3d.viewer.shapes import lines

Role = Literal["start", "goal"]
TURN, LIFT = np.radians(15.0), 0.5  # [rad], [m]: one notch of the wheel, one key
KEYS = ("LEFT", "RIGHT", "PAGEUP", "PAGEDOWN")
STILL = 0.02  # [m]: a pointer that moves less is where it was
ASKED, FREE, REFUSED = (frozen(c) for c in ([0.6, 0.6, 0.62], [0.96, 0.98, 1.0], [1.0, 0.2, 0.15]))
MOST_EDGES = 4000  # of a mesh; of more only the capsule is drawn


class Drafted(Protocol):
    """Whose start or goal is placed; see `PanelState`."""

    draft: Draft
    places: tuple[Place, ...]


class Preview:
    """Where a member would stand, and whether it can.

    Attributes:
        point: (3,) where the mouse points [m], raised; None for nowhere.
        answer: What the session said of the last point, None if nothing yet.
        flies: Whether it can be higher than the ground.
        turns: Whether it can be turned: where members start that turn on the spot.
        lift: How much higher than its first height a flyer is to be [m].
    """

    def __init__(self, state: Drafted) -> None:
        self._state = state
        self.lift, self.flies, self.turns = 0.0, False, False
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self.point: Float | None = None
        self.answer: PlaceTried | None = None
        self._role: Role = "start"
        self._turn: float | None = None  # [rad] from x; None: it looks where it will go
        self._asked: Float | None = None

    def aim(self, role: Role, point: Float | None, *, flies: bool, turns: bool) -> None:
        """Take where the mouse points, what for, and whether it can be higher, and be turned."""
        if role != self._role:
            self.clear()
        self._role, self.point, self.flies, self.turns = role, point, flies, turns

    def key(self, name: str) -> bool:
        """Take a key, by its name in pyglet; return whether it is one of the ghost's."""
        if self.point is None or name not in KEYS:
            return False
        if name in ("LEFT", "RIGHT"):
            return self.turn(1.0 if name == "LEFT" else -1.0)
        if not self.flies:
            return False
        step = LIFT if name == "PAGEUP" else -LIFT
        self.lift += step
        self.point = self.point + np.array([0.0, 0.0, step])
        return True

    def turn(self, notches: float) -> bool:
        """Turn it to the left; return whether it can be turned."""
        if self.point is None or not self.turns:
            return False
        self._turn = self.heading + TURN * notches
        return True

    @property
    def heading(self) -> float:
        """Where it looks [rad], counted from x to y."""
        if self._turn is not None or self.point is None:
            return self._turn or 0.0
        stated = self._state.draft.stated_heading
        if self._role == "start" and stated is not None:
            return stated
        row = self._state.draft.group
        other = "goal" if self._role == "start" else "start"
        places = self._state.places
        marks = [each.mark for each in places if (each.role, each.group) == (other, row)]
        if not marks:
            return 0.0
        way = (marks[0] - self.point) * (1.0 if self._role == "start" else -1.0)
        return float(np.arctan2(way[1], way[0]))

    @property
    def turned_to(self) -> float | None:
        """Where it is to look, as a scenario says it [degrees]; None if it was not turned."""
        if self._turn is None:
            return None
        return round(float(np.degrees(np.remainder(self._turn + np.pi, 2.0 * np.pi) - np.pi)), 2)

    @property
    def problem(self) -> str:
        """Why it cannot stand there, as far as is known."""
        if self.answer is None or self.point is None:
            return ""
        return explained(self.answer.problem)

    def wanted(self) -> TryPlace | None:
        """Return what is to be asked of the session next; None if nothing."""
        point = self.point
        if point is None:
            return None
        if self._asked is not None and np.linalg.norm(point - self._asked) < STILL:
            return None
        self._asked = point
        where = tuple(float(x) for x in point)
        draft = self._state.draft
        return TryPlace(draft.copy(), draft.group, self._role, where)  # type: ignore[arg-type]

    def take(self, report: PlaceTried) -> None:
        """Take an answer."""
        self.answer = report

    def lines(self, character: Character, origin: Float) -> NDArray[np.float32]:
        """Return the rows of the ghost, seen from an origin (3,) [m]; none if there is no point."""
        if self.point is None:
            return lines.NO_LINES
        answer, at = self.answer, self.point
        color = ASKED if answer is None else REFUSED if answer.problem else FREE
        if answer is not None and answer.place is not None:
            shift = answer.place[:3] - np.array(answer.point)
            at = at + shift  # from where the mouse meets the ground to where the body stands
        body = character.body
        edges = capsule_edges(body.capsule_axis, body.radius)
        if len(body.mesh.faces) <= MOST_EDGES:
            turned = mesh_edges(body.mesh) @ _about_z(self.heading).T
            edges = np.concatenate([edges, turned])
        edges = edges + (at - origin)
        ahead = np.array([np.cos(self.heading), np.sin(self.heading), 0.0])
        foot = (at - origin)[None]
        length = 2.5 * body.radius + 0.5
        return np.concatenate([
            lines.segments(edges[:, 0], edges[:, 1], color, 1.2, (0.55, 0.55)),
            lines.segments(foot, foot + length * ahead, color, 4.0, (1.0, 1.0)),
        ])  # fmt: skip


def _about_z(angle: float) -> Float:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
