"""What separates two sites of a floor: the way that needs the least, and what is on it.

Of all ways between two places, over links that are hindered too, one is taken whose worst penalty
is least; of these, the one with the least of penalties and length. What hinders there is measured.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.floor import Floor
from rmp3d.planner.obstruction.hindrances import Cause, Hindrances, hindrances
from rmp3d.planner.obstruction.least import BLOCKED, least_hindered
from rmp3d.planner.obstruction.measuring import measured
from rmp3d.planner.obstruction.thickness import breaking_costs

NEAR = 3.0  # times the body's radius: what is nearer together is one obstacle
MOST = 10  # obstacles on a way that are told apart


@dataclass(frozen=True, eq=False)
class SeparatedPlaces:
    """What is between two places.

    Attributes:
        obstacle: The worst on the way that needs the least; None: nothing was found.
        route: (R,) sites of that way; empty: there is none.
        reached: Places (K, 3) [m] that the body reaches from the one, and from the other.
        way: (R, 3) places [m] of a way on which every motion is proved; empty: there is none.
    """

    obstacle: Blockage | None
    route: Index
    reached: tuple[Float, Float]
    way: Float = field(default_factory=lambda: np.zeros((0, 3)))


def site_near(floor: Floor, point: Float) -> int:
    """Return the site that a free point (3,) walks to, the nearest; else the nearest of all."""
    offset = floor.position - point
    distance = np.linalg.norm(offset * [1.0, 1.0, 2.0], axis=1)
    nearest = np.argsort(distance, kind="stable")[:64]
    good = floor.free[nearest]
    starts = np.tile(point, (int(good.sum()), 1))
    joined = floor.space.connects(starts, floor.position[nearest[good]])
    return int(nearest[good][joined][0]) if joined.any() else int(nearest[0])


def separated(
    floor: Floor, start: int, goal: int, found: Hindrances | None = None
) -> SeparatedPlaces:
    """Return what separates two sites.

    Args:
        floor: Its sites and links.
        start: Site.
        goal: Site.
        found: What hinders on the floor, if it is known.
    """
    if floor.component[start] == floor.component[goal]:
        links = floor.links[floor.joined]
        route, _ = least_hindered(floor.position, links, np.zeros(len(links)), start, goal)
        reached = floor.position[floor.component == floor.component[start]]
        return SeparatedPlaces(None, route, (reached, reached), floor.position[route])
    found = hindrances(floor) if found is None else found

    worst, route = None, np.zeros(0, np.intp)
    for slits in (True, False):  # none, if the way is through a slit beside what closes it

        def closed(rows: Index, slits: bool = slits) -> Float:
            return breaking_costs(floor, found.rows(rows), slits=slits)

        route, rows = least_hindered(
            floor.position, found.links, found.penalty, start, goal, closed
        )
        worst = _worst(floor, found, route, rows, slits) if len(route) else None
        if worst is not None or len(route) == 0 or found.penalty[rows].max() < BLOCKED:
            break
    apart = abs(float(np.diff(floor.position[[start, goal], 2])[0]))
    if worst is None and (len(route) == 0 or apart > floor.height):
        worst = _level(floor, start, goal)
    one, two = (floor.component == floor.component[end] for end in (start, goal))
    return SeparatedPlaces(worst, route, (floor.position[one], floor.position[two]))


def _worst(
    floor: Floor, found: Hindrances, route: Index, rows: Index, slits: bool
) -> Blockage | None:
    """Return the measured obstacle of the highest penalty on a route; None if all can be passed."""
    penalty, cause = found.penalty[rows], found.cause[rows]
    closed = penalty >= BLOCKED
    obstacles = []
    if closed.any():
        broken = breaking_costs(floor, found.rows(rows), slits=slits)
        obstacles = _measured_on(floor, route, broken, cause)
        # In a slit narrower than a cell, links touch its walls that no link of the route crosses.
        penalty = np.where(closed, 0.0, penalty)
    obstacles = obstacles or _measured_on(floor, route, penalty, cause)
    return replace(obstacles[0], others=len(obstacles) - 1) if obstacles else None


def _measured_on(floor: Floor, route: Index, penalty: Float, cause: Index) -> list[Blockage]:
    """Return what hinders on the steps (R - 1,) of a route, the highest penalty first."""
    hindered = np.flatnonzero(penalty > 0.0)
    # The middle of a stretch with one penalty: of a wall's thickness, of a slope.
    change = np.abs(np.diff(penalty[hindered])) > 1e-9
    stretch = np.cumsum(np.concatenate([[False], change | (np.diff(hindered) > 1)]))
    stretch = stretch[: len(hindered)]
    count = np.bincount(stretch)[stretch]
    place = np.arange(len(hindered)) - np.searchsorted(stretch, stretch)
    off = np.abs(place - 0.5 * (count - 1))
    order = hindered[np.lexsort((off, -penalty[hindered]))]
    obstacles: list[Blockage] = []
    places = floor.position[route]
    done = np.zeros(len(penalty), bool)
    for step in order.tolist():
        if done[step]:
            continue
        obstacle = measured(floor, route, step, Cause(int(cause[step])))
        if obstacle is None:
            continue  # it may be found from the next step: at the rim of a pit, in an opening
        # What is within a body's width is one obstacle; an upright wall has two faces.
        near = np.linalg.norm(places[:-1] - places[step], axis=1) < NEAR * floor.radius
        done |= near
        if all(_differ(obstacle, other, floor) for other in obstacles):
            obstacles.append(obstacle)
        if len(obstacles) == MOST:
            break
    return obstacles


def _differ(one: Blockage, two: Blockage, floor: Floor) -> bool:
    """Return whether two obstacles are not pieces of one, such as a slope or a flight of steps."""
    apart = float(np.linalg.norm(np.subtract(one.position, two.position)))
    return (one.kind, one.parts) != (two.kind, two.parts) or (
        one.kind == "door" and apart > NEAR * floor.radius
    )


def _level(floor: Floor, start: int, goal: int) -> Blockage:
    """Return that nothing leads from one place to the other: not even a way that is hindered."""
    low, high = sorted(floor.position[[start, goal]].tolist(), key=lambda place: place[2])
    name = floor.space.world.scene.parts[int(floor.part[goal])].name
    x, y, z = floor.position[goal].tolist()
    return Blockage("level", (name,), (x, y, z), high[2] - low[2], floor.step)
