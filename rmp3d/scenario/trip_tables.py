"""Trips of a crowd in a CSV file: read where the scenario is, so that recordings contain them."""

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import absolute_path, read_input, shown_path
from rmp3d.geometry.printable import shortened

MAX_COMERS = 10_000
MAX_TRIPS = 100_000
MAX_BYTES = 64 * 2**20
NUMBERS = ("weight", "rate", "since", "until")


def with_trips(behavior: Any, folder: Path) -> Any:
    """Return the table of a behavior with the trips of the CSV file that it names.

    The first row names the columns, which are the keys of a trip. A place is the name of a region
    or a point, three numbers with spaces between; several places or times are parted by ``;``.
    Empty cells are left out.

    Args:
        behavior: As stated; returned as it is if it names no file of trips.
        folder: Of the scenario.

    Raises:
        InputError: The file cannot be read, or a cell is wrong; names line and column.
    """
    if not isinstance(behavior, Mapping) or not isinstance(behavior.get("trips"), str):
        return behavior
    if behavior.get("name") != "crowd":
        return behavior
    path = Path(absolute_path(folder, behavior["trips"]))
    return {**behavior, "trips": read_trips(path)}


def room_for_comers(behavior: Any, where: str) -> int:
    """Return for how many members that trips bring later a recording has to have room.

    Raises:
        InputError: They are too many.
    """
    comers: int = getattr(behavior, "comers", 0)
    if comers > MAX_COMERS:
        raise InputError(
            f"{where}.behavior.trips`: {comers:,} members come; at most {MAX_COMERS:,} do"
        )
    return comers


def needs_start(behavior: Mapping[str, Any]) -> bool:
    """Return whether a group needs a start of its own: not if all of its trips say theirs."""
    trips = behavior.get("trips") if behavior.get("name") == "crowd" else None
    return not trips or not all(trip.get("start") for trip in trips)


def places_of_trips(behavior: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the places that the trips in the table of a behavior name, with their keys."""
    trips = behavior.get("trips", []) if behavior.get("name") == "crowd" else []
    for row, trip in enumerate(trips):
        for key in ("start", "goal"):
            if trip.get(key):
                yield f"trips[{row}].{key}", trip[key]
        for k, place in enumerate(trip.get("via", ())):
            yield f"trips[{row}].via[{k}]", place


def read_trips(path: Path) -> list[dict[str, Any]]:
    """Return the tables of the trips in a CSV file; see `with_trips`.

    Raises:
        InputError: The file cannot be read, or a cell is wrong; names line and column.
    """
    name = shown_path(path)
    try:
        text = read_input(path, MAX_BYTES).decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text (byte {error.start})") from None
    except csv.Error as error:
        raise InputError(f"{name}: not a CSV file: {error}") from None
    if len(rows) - 1 > MAX_TRIPS:
        raise InputError(f"{name}: {len(rows) - 1:,} trips; at most {MAX_TRIPS:,} are read")
    if not rows:
        raise InputError(f"{name}: empty; the first row names the columns, such as `start,goal`")
    columns = [column.strip() for column in rows[0]]
    for column in columns:
        if column not in READERS:
            raise InputError(
                f"{name}, line 1: unknown column `{shortened(column, 60)}`; "
                f"known: {', '.join(READERS)}"
            )
    if len(set(columns)) < len(columns):
        raise InputError(f"{name}, line 1: a column is there twice")
    trips = []
    for number, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(columns):
            raise InputError(f"{name}, line {number}: {len(row)} cells, {len(columns)} columns")
        trips.append(_trip(dict(zip(columns, row, strict=True)), f"{name}, line {number}"))
    return trips


def _trip(row: Mapping[str, str], where: str) -> dict[str, Any]:
    from rmp3d.behaviors.groups.crowd.trips import Trip  # who only verifies a run loads no behavior

    found: dict[str, Any] = {}
    for column, cell in row.items():
        if cell.strip():
            try:
                found[column] = READERS[column](cell.strip())
            except ValueError as error:
                raise InputError(f"{where}: column `{column}`: {error}") from None
    if "goal" not in found:
        raise InputError(f"{where}: column `goal`: empty; a region, or a point such as `3 0.5 0`")
    try:
        Trip(**found)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return found


def _place(cell: str) -> str | list[float]:
    words = cell.replace(",", " ").split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return cell
    if len(words) == 1:
        return cell
    if len(numbers) != 3 or "," in cell or not all(map(math.isfinite, numbers)):
        raise ValueError(
            f"a point is three numbers with spaces between, got `{shortened(cell, 60)}`"
        )
    return numbers


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise ValueError(f"must be a number, got `{shortened(cell, 60)}`") from None


def _count(cell: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise ValueError(f"must be a whole number, got `{shortened(cell, 60)}`") from None


def _several(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    return lambda cell: [read(each.strip()) for each in cell.split(";")]


def _stay(cell: str) -> float | list[float]:
    times = _several(_number)(cell)
    return times if len(times) > 1 else times[0]


READERS: Mapping[str, Callable[[str], Any]] = {
    "start": _place,
    "goal": _place,
    "via": _several(_place),
    "stay": _stay,
    "count": _count,
    **dict.fromkeys(NUMBERS, _number),
    "times": _several(_number),
    "at_goal": str,
}
