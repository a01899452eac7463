"""A proposal: how the files of a scene are read, who goes through it, and from where to where."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.inspection.flight import flight_over, flying_space
from rmp3d.inspection.orientation import Reading, changed, reading
from rmp3d.inspection.survey import Survey, surveyed
from rmp3d.inspection.trip import ProposedTrip
from rmp3d.models import Character, load_character
from rmp3d.planner.obstruction.floor import WIDEST, is_too_wide
from rmp3d.scenes import Scene, SceneDescription
from rmp3d.scenes.description import GroundDescription

WALKER, FLYER = "pedestrian", "drone"
LITTLE = 0.1  # share of the scene in plan; walkers who reach less are offered a floor
SEARCHED, AT_LEAST, AT_MOST = 3.0, 60.0, 900.0  # times the way's own time; duration [s]
WINDOW = 1000.0  # [m] that are looked at of a scene that is too wide, along each axis
SQUARES = 40  # along a side of a scene, in each of which its lowest place counts
SLACK = 30.0  # [s] for gathering and arriving
AIR_WINDOW = 400.0  # [m] of air along each axis, over a scene too wide to look for a flight in all
AIR = 0.5  # times the height of a scene: air over and around it for flyers

Bounds = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class Proposal:
    """What is proposed for a scene.

    Attributes:
        scene: As it is read now.
        description: Its table, with what is proposed.
        read: How its files are read.
        asked: Name or file of the character that was asked for.
        character: Who goes through it.
        named: Its name or file.
        survey: What a walker finds; None for flyers, or if it fits nowhere.
        trip: From where to where; None: there is no room.
        reasons: Why, one line each.
    """

    scene: Scene
    description: SceneDescription
    read: Reading
    asked: str
    character: Character
    named: str
    survey: Survey | None
    trip: ProposedTrip | None
    reasons: tuple[str, ...] = field(default=())

    @property
    def duration(self) -> float:
        """Longest simulated time [s] that such a trip should need."""
        length = 0.0 if self.trip is None else self.trip.length
        own = length / self.character.parameters.cruise_speed
        return float(np.clip(round(SEARCHED * own + SLACK, -1), AT_LEAST, AT_MOST))


def proposed(
    scene: Scene, description: SceneDescription, ending: str, named: str, members: int
) -> Proposal:
    """Return a proposal for a scene.

    Args:
        scene: As its table says.
        description: The table.
        ending: Of its mesh file if that is all that is known of it, such as ``.obj``; else "".
        named: Name or file of the character that should go through it.
        members: How many of them, if there is room.

    Raises:
        InputError: The character or a file cannot be read.
    """
    found = _proposed(scene, description, ending, named, members)
    if found.trip is None or found.trip.members >= members:
        return found
    reason = f"there is room for {found.trip.members} of {members} members in one place"
    return replace(found, reasons=(*found.reasons, reason))


def _proposed(
    scene: Scene, description: SceneDescription, ending: str, named: str, members: int
) -> Proposal:
    read = reading(scene, description, ending) if ending else Reading("z", "", {}, ())
    if read.changes:
        description = changed(description, read)
        scene = Scene.described(description)
    character = load_character(named)
    if character.vehicle == "carried":
        named, character = WALKER, load_character(WALKER)
    asked = Proposal(scene, description, read, named, character, named, None, None, read.reasons)
    if is_too_wide(scene.bounds):
        asked = _windowed(asked)
    if not character.grounded:
        return _flying(asked, members)
    found = _walking(asked, members, plane=bool(ending))
    nowhere = found.trip is None and found.survey is None
    if nowhere and ending and description.flip is False and _is_inside_out(scene):
        found = _turned_over(asked, members) or found
    if found.trip is not None:
        return found
    return _flying(
        replace(
            found, character=load_character(FLYER), named=FLYER, description=description,
            scene=scene,
        ),
        members,
    )  # fmt: skip


def _windowed(asked: Proposal) -> Proposal:
    """Return the proposal for a part of a scene that is too wide, where most of its faces are."""
    scene, half = asked.scene, 0.5 * WINDOW
    corners = np.concatenate([part.mesh.triangles for part in scene.parts if part.role != "decor"])
    low, high = scene.bounds
    middle = np.clip(np.median(corners.mean(axis=1), axis=0), low, high)
    within = np.minimum(high - low, half)  # so that the window is whole also at a border
    middle = np.clip(middle, low + within, np.maximum(high - within, low + within))
    lower, upper = np.maximum(low, middle - half), np.minimum(high, middle + half)
    description = msgspec.structs.replace(
        asked.description, bounds=(_vector(lower), _vector(upper))
    )
    reason = (
        f"it is more than {WIDEST / 1000.0:g} km wide, so only {WINDOW / 1000.0:g} km of it are "
        "looked over and used (`bounds`); is its unit right (`scale`)?"
    )
    return replace(
        asked, scene=Scene.described(description), description=description,
        reasons=(*asked.reasons, reason),
    )  # fmt: skip


def _walking(asked: Proposal, members: int, plane: bool) -> Proposal:
    """Return the proposal for walkers, on a ground plane where there is little other ground."""
    own: Survey | None = None
    reason = ""
    try:
        own = surveyed(asked.scene, asked.character, members)
    except InputError as error:
        reason = str(error)
    footprint = float(np.prod((asked.scene.bounds[1] - asked.scene.bounds[0])[:2]))
    trip = None if own is None else own.trip
    plane = plane and _stands_on_one_level(asked.scene)
    if plane and (trip is None or (own is not None and own.area < LITTLE * footprint)):
        offered = _on_plane(asked, members)
        if offered is not None and (own is None or _area(offered) > 2.0 * own.area):
            return offered
    if own is not None and trip is None:
        reason = f"`{asked.named}` finds no two places with room for one on the ground"
    reasons = (*asked.reasons, reason) if reason else asked.reasons
    return replace(asked, survey=own, trip=trip, reasons=reasons)


def _is_inside_out(scene: Scene) -> bool:
    """Return whether the signed volume of a scene is negative: a mirrored one, or rooms alone."""
    corners = np.concatenate([part.mesh.triangles for part in scene.parts])
    a, b, c = np.moveaxis(corners - corners.mean(axis=(0, 1)), 1, 0)
    return float((a * np.cross(b, c)).sum()) < 0.0


def _turned_over(asked: Proposal, members: int) -> Proposal | None:
    """Return the proposal with all faces turned over; None if nobody walks there either."""
    description = msgspec.structs.replace(asked.description, flip=True)
    turned = replace(asked, scene=Scene.described(description), description=description)
    found = _walking(turned, members, plane=False)
    reason = "its parts are inside out, as mirrored ones are, so all faces are turned (`flip`)"
    return None if found.trip is None else replace(found, reasons=(*found.reasons, reason))


def _stands_on_one_level(scene: Scene) -> bool:
    """Return whether most of a scene, seen from above, reaches down to its lowest level."""
    corners = np.concatenate([part.mesh.triangles for part in scene.parts])
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    middle = corners.mean(axis=1)
    cell = ((middle[:, :2] - low[:2]) / np.maximum(high - low, 1e-9)[:2] * SQUARES).astype(int)
    lowest = np.full(SQUARES**2 + SQUARES + 1, np.inf)
    np.minimum.at(lowest, cell[:, 0] * SQUARES + cell[:, 1], corners[..., 2].min(axis=1))
    lowest = lowest[np.isfinite(lowest)]
    return bool(np.mean(lowest <= low[2] + max(0.3, 0.05 * float(high[2] - low[2]))) > 0.5)


def _area(proposal: Proposal) -> float:
    return 0.0 if proposal.survey is None else proposal.survey.area


def _on_plane(asked: Proposal, members: int) -> Proposal | None:
    """Return the proposal with a level floor under the scene; None if that does not help."""
    height = round(float(asked.scene.bounds[0, 2]), 3)
    description = msgspec.structs.replace(asked.description, ground=GroundDescription(height))
    scene = Scene.described(description)
    try:
        survey = surveyed(scene, asked.character, members)
    except InputError:
        return None
    if survey.trip is None:
        return None
    reason = f"the scene has little ground, so a level floor is added at {height:g} m"
    return replace(
        asked, scene=scene, description=description, survey=survey, trip=survey.trip,
        reasons=(*asked.reasons, reason),
    )  # fmt: skip


def _flying(asked: Proposal, members: int) -> Proposal:
    """Return the proposal for flyers; in the scene's bounds, or with air over it."""
    reasons = asked.reasons
    if asked.named != asked.asked:
        reasons = (*reasons, f"so flyers are proposed: `{asked.named}`")
    trip = flight_over(flying_space(asked.scene, asked.character), members)
    if trip is not None or asked.description.bounds is not None:
        return replace(asked, trip=trip, reasons=reasons)
    found = asked
    for bounds, reason in (_air_around(asked), _air_over_the_middle(asked.scene)):
        description = msgspec.structs.replace(asked.description, bounds=bounds)
        scene = Scene.described(description)
        trip = flight_over(flying_space(scene, asked.character), members)
        found = replace(
            asked, scene=scene, description=description, trip=trip, reasons=(*reasons, reason)
        )
        if trip is not None:
            break
    return found


def _air_around(asked: Proposal) -> tuple[Bounds, str]:
    """Return bounds with air over and around a scene, and what is said of it."""
    low, high = asked.scene.bounds
    more = max(AIR * float(high[2] - low[2]), 12.0 * asked.character.body.radius)
    bounds = _vector(low - np.array([more, more, 0.0])), _vector(high + more)
    return bounds, f"they have {more:.3g} m of air over and around the scene"


def _air_over_the_middle(scene: Scene) -> tuple[Bounds, str]:
    """Return bounds of a part of the air over a scene that is wide, and what is said of it."""
    corners = np.concatenate([part.mesh.triangles for part in scene.parts]).reshape(-1, 3)
    middle = scene.bounds.mean(axis=0)
    apart = np.abs(corners - middle)[:, :2].max(axis=1)
    half = 0.5 * AIR_WINDOW
    middle[2] = corners[apart <= max(half, float(apart.min())), 2].max()
    bounds = _vector(middle - half), _vector(middle + half)
    return bounds, f"they have {AIR_WINDOW:g} m of air over the middle of the scene (`bounds`)"


def _vector(point: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(value), 3) for value in point)
    return x, y, z


def ending_of(target: str) -> str:
    """Return the ending of a mesh file; "" for a scenario or a built-in scene."""
    ending = Path(target).suffix.lower()
    return "" if ending == ".toml" else ending
