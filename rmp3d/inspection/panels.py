"""The plan of each storey: its cells, the walls cut at shoulder height, names, doors, heights."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.storeys import storey_at
from rmp3d.inspection.proposal import Proposal
from rmp3d.inspection.rooms import most_open
from rmp3d.inspection.survey import Survey
from rmp3d.inspection.trip import UNDER
from rmp3d.viewer.plots.storeys import CLOSED, NARROW, NOTHING, StoreyPlan

CUT = 1.1  # [m] over a storey's height: where walls are cut
RIM = 0.6  # [m] around what is drawn
MOST_STOREYS = 6
MOST_NAMES = 60  # rooms and doors whose names are written


def storey_plans(
    proposal: Proposal, storey: int | None = None, bounds: Sequence[float] | None = None
) -> list[StoreyPlan]:
    """Return the plans of the storeys that a walker finds, from below.

    Args:
        proposal: With a survey.
        storey: Number of the only one that is wanted.
        bounds: Lower and upper corner x, y, x, y [m] of what is wanted.

    Raises:
        InputError: There is no such storey, or nothing within the bounds.
    """
    survey = proposal.survey
    assert survey is not None
    numbers = [each.number for each in survey.storeys]
    if storey is not None and storey not in numbers:
        raise InputError(f"--storey {storey}: there is {numbers[0]} to {numbers[-1]}")
    wanted = numbers if storey is None else [storey]
    low, high = _extent(proposal, survey, bounds)
    return [_plan(proposal, survey, number - 1, low, high) for number in wanted[:MOST_STOREYS]]


def _extent(
    proposal: Proposal, survey: Survey, bounds: Sequence[float] | None
) -> tuple[Float, Float]:
    """Return the corners (2,) of what is drawn: all sites and the trip, or what is asked for."""
    if bounds is None:
        trip = proposal.trip
        ends = () if trip is None else np.array([*trip.start, *trip.goal])[:, :2]
        place = np.concatenate([survey.floor.position[:, :2], np.reshape(ends, (-1, 2))])
        return place.min(axis=0) - RIM, place.max(axis=0) + RIM
    low, high = np.array(bounds[:2], float), np.array(bounds[2:], float)
    if not (np.isfinite([low, high]).all() and (low < high).all()):
        raise InputError(
            f"--bounds must be x y x y, the lower corner first, given {' '.join(map(str, bounds))}"
        )
    return low, high


def _plan(proposal: Proposal, survey: Survey, row: int, low: Float, high: Float) -> StoreyPlan:
    floor, storey = survey.floor, survey.storeys[row]
    first = np.maximum(((low - floor.origin) / floor.cell).astype(int), 0)
    last = np.minimum(np.ceil((high - floor.origin) / floor.cell).astype(int), floor.shape)
    if (last <= first).any():
        raise InputError("--bounds: nothing of the scene is within them")
    shape = last - first
    code = np.full(shape, NOTHING)
    height = np.full(shape, np.nan)
    cells = np.stack(np.divmod(floor.column, floor.shape[1]), axis=1) - first
    inside = ((cells >= 0) & (cells < shape)).all(axis=1)
    own, near = _sites_of_storey(survey, row)
    for sites, values in (
        (near, np.full(len(near), NARROW)),
        (own, np.where(survey.reached[own], survey.rooms.room[own], CLOSED)),
    ):
        kept = inside[sites]
        at = tuple(cells[sites[kept]].T)
        code[at] = values[kept]
        height[at] = floor.position[sites[kept], 2]
    names, doors = _names(survey, row, low, high)
    trip = proposal.trip
    ends = [] if trip is None else [("start", trip.start), ("goal", trip.goal)]
    heights = [each.height for each in survey.storeys]
    boxes = {
        name: np.array([box[0][:2], box[1][:2]])
        for name, box in ends
        if storey_at(heights, np.array([box[0][2] + UNDER]))[0] == row
    }
    return StoreyPlan(
        title=f"storey {storey.number} at {storey.height:.2f} m, {storey.area:.0f} m^2",
        low=floor.origin + floor.cell * first,
        cell=floor.cell,
        code=code,
        height=height,
        walls=_cut(survey, storey.height + min(CUT, 0.7 * floor.height)),
        names=names,
        doors=doors,
        boxes=boxes,
        extent=np.stack([low, high]),
    )


def _sites_of_storey(survey: Survey, row: int) -> tuple[Index, Index]:
    """Return the sites where the body can be on a storey, and the others at its heights."""
    floor, storey = survey.floor, survey.storeys[row]
    own = np.flatnonzero(survey.storey == row)
    height = floor.position[:, 2]
    near = ~floor.free & (height >= storey.low - 0.3) & (height <= storey.high + 0.3)
    return own, np.flatnonzero(near & (floor.headroom > 0.5 * floor.height))


def _names(
    survey: Survey, row: int, low: Float, high: Float
) -> tuple[list[tuple[float, float, str]], list[tuple[float, float, str]]]:
    """Return x, y and text of rooms and of doors."""
    names, doors = [], []
    room, openness = survey.rooms.room, survey.rooms.openness
    for number, each in enumerate(survey.rooms.rooms[:MOST_NAMES]):
        if each.storey == row + 1 and len(survey.rooms.rooms) > 1:
            sites = np.flatnonzero(room == number)
            x, y = survey.floor.position[most_open(survey.floor, sites, openness), :2].tolist()
            names.append((x, y, f"{each.name}\n{each.area:.0f} m$^2$"))
    for door in survey.rooms.doors[:MOST_NAMES]:
        if door.storey == row + 1:
            doors.append((door.place[0], door.place[1], f"{door.width:.2f}"))

    def seen(each: tuple[float, float, str]) -> bool:
        return low[0] < each[0] < high[0] and low[1] < each[1] < high[1]

    return list(filter(seen, names)), list(filter(seen, doors))


def _cut(survey: Survey, height: float) -> Float:
    """Return the lines (K, 2, 2) along which the scene's faces meet a level plane."""
    corners = survey.floor.queries.everything.mesh.triangles
    over = corners[..., 2] > height
    crossing = over.any(axis=1) & ~over.all(axis=1)
    corners, over = corners[crossing], over[crossing]
    # The corner that is alone on its side comes first.
    alone = np.where(over.sum(axis=1) == 1, over.argmax(axis=1), (~over).argmax(axis=1))
    rows = np.arange(len(corners))
    first = corners[rows, alone]
    ends = []
    for turn in (1, 2):
        other = corners[rows, (alone + turn) % 3]
        share = (height - first[:, 2]) / (other[:, 2] - first[:, 2])
        ends.append(first[:, :2] + share[:, None] * (other[:, :2] - first[:, :2]))
    return np.stack(ends, axis=1)
