"""What a proposal says: facts for `--json`, and a screen of text."""

from pathlib import Path
from typing import Any

from rmp3d.inspection.proposal import Proposal
from rmp3d.inspection.survey import Survey, Unreachable
from rmp3d.terminal.text_table import table

NO_REASON = (
    "no way to it is proved, and nothing was found that closes it; its edge may be too steep"
)
MOST_ROWS = 8  # of rooms and of doors on a screen


def facts(proposal: Proposal) -> dict[str, Any]:
    """Return the facts that `--json` prints besides those of the scene."""
    survey, trip = proposal.survey, proposal.trip
    found: dict[str, Any] = {
        "up": proposal.read.up,
        "unit": proposal.read.unit,
        "proposed": dict(proposal.read.changes),
        "reasons": list(proposal.reasons),
        "character": proposal.named,
        "cell": None,
        "crowded": False,
        "reached_area": None if survey is None else round(survey.area, 3),
        "storeys": [],
        "rooms": [],
        "doors": [],
        "unreachable": [],
        "trip": None,
    }
    if survey is not None:
        found |= _survey(survey)
    if trip is not None:
        found["trip"] = {
            "start": [list(corner) for corner in trip.start],
            "goal": [list(corner) for corner in trip.goal],
            "members": trip.members,
            "length": round(trip.length, 2),
            "duration": proposal.duration,
        }
    return found


def _survey(survey: Survey) -> dict[str, Any]:
    return {
        "cell": round(survey.floor.cell, 4),
        "crowded": survey.floor.crowded,
        "storeys": [
            {
                "number": storey.number, "height": round(storey.height, 3),
                "low": round(storey.low, 3), "high": round(storey.high, 3),
                "area": round(storey.area, 2),
            }
            for storey in survey.storeys
        ],
        "rooms": [
            {
                "name": room.name, "storey": room.storey, "area": round(room.area, 2),
                "lower": list(room.lower), "upper": list(room.upper),
            }
            for room in survey.rooms.rooms
        ],
        "doors": [
            {
                "name": door.name, "storey": door.storey, "rooms": list(door.rooms),
                "position": list(door.place), "width": round(door.width, 3),
            }
            for door in survey.rooms.doors
        ],
        "unreachable": [
            {
                "area": round(region.area, 2), "position": list(region.place),
                "parts": list(region.parts),
                "obstacle": None if region.why is None else region.why.facts(),
                "reason": None if region.why is None else region.why.words,
            }
            for region in survey.unreachable
        ],
    }  # fmt: skip


def text(proposal: Proposal, written: Path | None = None) -> str:
    """Return the proposal for people; at most a screen."""
    lines = [f"unit: {proposal.read.unit}; up: {proposal.read.up}"] if proposal.read.unit else []
    lines += [f"note: {reason}" for reason in proposal.reasons]
    if proposal.survey is not None:
        lines += _survey_text(proposal.survey)
    trip = proposal.trip
    if trip is None:
        lines.append(f"no trip: there is no room for `{proposal.named}`; try --character")
        return "\n".join(lines)
    lines.append(
        f"proposal: {trip.members} `{proposal.named}` from {_box(trip.start)} to "
        f"{_box(trip.goal)}, about {trip.length:.0f} m"
    )
    if written is None:
        lines.append("          --write FILE.toml makes it a scenario that runs")
    else:
        lines.append(f"written: {written}; next: rmp3d run {written} -o run.rmp3d")
    return "\n".join(lines)


def _survey_text(survey: Survey) -> list[str]:
    name = survey.character.name
    lines = [f"`{name}` walks over {survey.area:.1f} m^2 that are joined"]
    if survey.floor.crowded:
        lines.append(
            f"note: too many triangles are in one place, so the floor is looked over in cells of "
            f"{survey.floor.cell:.2g} m: narrow places may be missed; remove doubled and crossing "
            "faces"
        )
    if len(survey.storeys) > 1 or survey.storeys[0].high - survey.storeys[0].low > 0.5:
        lines.append(
            "storeys: "
            + "; ".join(
                f"{storey.number} at {storey.height:.2f} m ({storey.low:.2f} to "
                f"{storey.high:.2f}), {storey.area:.0f} m^2"
                for storey in survey.storeys
            )
        )
    rooms = survey.rooms.rooms
    if len(rooms) > 1:
        rows = [
            [room.name, room.storey, room.area, _box((room.lower, room.upper))]
            for room in rooms[:MOST_ROWS]
        ]
        lines.append(table(rows, ("room", "storey", "area [m^2]", "a box within it [m]")))
        lines += _more(len(rooms), "rooms")
    doors = survey.rooms.doors
    if doors:
        rows = [
            [door.name, f"{door.width:.2f}", " - ".join(door.rooms), _place(door.place)]
            for door in doors[:MOST_ROWS]
        ]
        lines.append(table(rows, ("door", "clear width [m]", "between", "at [m]")))
        lines += _more(len(doors), "doors")
    lines += [_unreachable(region) for region in survey.unreachable]
    if survey.others:
        lines.append(f"and {survey.others} smaller regions that are not reached")
    return lines


def _unreachable(region: Unreachable) -> str:
    why = NO_REASON if region.why is None else region.why.words
    where = f"{region.area:.0f} m^2 around {_place(region.place)} on `{region.parts[0]}`"
    return f"not reached: {where}: {why}"


def _more(count: int, what: str) -> list[str]:
    return [f"... {count} {what} in all; --json has all"] if count > MOST_ROWS else []


def _box(corners: tuple[tuple[float, ...], tuple[float, ...]]) -> str:
    low, high = (_place(corner) for corner in corners)
    return f"{low} .. {high}"


def _place(point: tuple[float, ...]) -> str:
    return f"({' '.join(f'{value:.2f}' for value in point)})"
