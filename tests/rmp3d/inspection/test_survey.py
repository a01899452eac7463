"""Rooms, doors, storeys and trips, against houses whose measures are known."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.inspection import flight
from rmp3d.inspection.report import _survey_text
from rmp3d.inspection.survey import surveyed
from rmp3d.models import load_character
from rmp3d.planner import plan
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.obstruction import floor
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import TranslationSpace
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box

PEDESTRIAN = load_character("pedestrian")


def house(doors, z=0.0, name=""):
    """Two rooms of 6 m x 6 m and one of 4 m x 6 m in a row, with doors so wide between them."""
    parts = {f"floor{name}": box((0, 0, z - 0.2), (16, 6, z))}
    for row, (x, width) in enumerate(zip((6.0, 12.0), doors, strict=True)):
        low, high = 3 - width / 2, 3 + width / 2
        parts[f"wall{name} {row}a"] = box((x - 0.1, 0, z), (x + 0.1, low, z + 2.5))
        if width > 0.0:
            parts[f"wall{name} {row}b"] = box((x - 0.1, high, z), (x + 0.1, 6, z + 2.5))
    return parts


def scene(parts, **more):
    return Scene.from_mesh(parts, roles={"floor*": "ground"}, **more)


@pytest.mark.parametrize("doors", [(0.9, 1.2), (0.7, 2.0)])
def test_rooms_and_doors_have_their_places_and_widths(doors):
    found = surveyed(scene(house(doors)), PEDESTRIAN, 4)
    assert len(found.rooms.rooms) == 3
    told = sorted((door.place[0], door.width) for door in found.rooms.doors)
    assert [place for place, _ in told] == pytest.approx([6.0, 12.0], abs=0.15)
    assert [width for _, width in told] == pytest.approx(list(doors), abs=0.01)
    for room in found.rooms.rooms:
        lower, upper = np.array(room.lower), np.array(room.upper)
        assert not any(lower[0] < wall < upper[0] for wall in (6.0, 12.0))
        assert (upper - lower)[:2].min() > 1.5


def test_where_triangles_are_crowded_cells_are_larger_and_that_is_said(monkeypatch):
    whole = surveyed(scene(house((0.9, 1.2))), PEDESTRIAN, 4)
    assert not whole.floor.crowded
    monkeypatch.setattr(floor, "LOOKS", 20_000)
    found = surveyed(scene(house((0.9, 1.2))), PEDESTRIAN, 4)
    assert found.floor.crowded
    assert len(found.floor.position) < 0.2 * len(whole.floor.position)
    assert found.trip is not None
    words = " ".join(_survey_text(found))
    assert f"in cells of {found.floor.cell:.2g} m: narrow places may be missed" in words


def test_a_corridor_with_beams_is_one_door():
    parts = {"floor": box((-11, -6, -0.2), (11, 6, 0))}
    for side, low, high in (("south", -6, -1), ("north", 1, 6)):
        parts[f"wall {side}"] = box((-4, low, 0), (4, high, 2.6))
    for row, x in enumerate((-4.0, 0.0, 4.0)):
        parts[f"beam {row}"] = box((x - 0.1, -1, 2.2), (x + 0.1, 1, 2.6))
    found = surveyed(scene(parts), PEDESTRIAN, 4).rooms
    assert len(found.rooms) == 2
    assert [door.width for door in found.doors] == pytest.approx([2.0], abs=0.01)


def test_a_room_behind_a_door_that_is_too_narrow_is_not_reached_and_the_door_is_why():
    found = surveyed(scene(house((0.9, 0.5))), PEDESTRIAN, 4)
    (closed,) = found.unreachable
    assert 12.0 < closed.place[0] < 16.0
    assert closed.why.kind == "door"
    assert closed.why.measured == pytest.approx(0.5, abs=0.01)
    assert len(found.rooms.rooms) == 2


def test_a_vehicle_is_as_wide_as_its_row():
    """A motorbike, 0.65 m wide, passes a door of 0.9 m; turning round it needs 1.8 m."""
    found = surveyed(scene(house((0.9, 0.55))), load_character("motorbike"), 1)
    assert len(found.rooms.rooms) == 2
    (closed,) = found.unreachable
    assert closed.why.measured == pytest.approx(0.55, abs=0.01)


def test_a_room_without_a_door_is_closed_by_its_wall():
    found = surveyed(scene(house((0.9, 0.0))), PEDESTRIAN, 4)
    # A door of no width has one wall up to the middle and none beyond: it is open there.
    assert found.unreachable == []
    parts = house((0.9, 0.0)) | {"wall 1b": box((11.9, 3, 0), (12.1, 6, 2.5))}
    (closed,) = surveyed(scene(parts), PEDESTRIAN, 4).unreachable
    assert closed.why.kind == "wall"
    assert closed.why.part.startswith("wall 1")


def test_storeys_without_stairs_are_told_apart():
    parts = house((0.9, 0.9)) | house((0.9, 0.9), z=3.0, name=" up")
    found = surveyed(scene(parts), PEDESTRIAN, 4)
    assert [storey.height for storey in found.storeys] == pytest.approx([0.0, 3.0], abs=1e-6)
    (above,) = found.unreachable
    assert above.why.kind in ("level", "step")
    assert above.why.measured == pytest.approx(3.0, abs=0.01)


def test_a_ramp_joins_storeys_whose_rooms_are_told_apart():
    corners = [(x, y, z) for x, z in ((0, 0), (6, 0), (12, 3), (18, 3)) for y in (0.0, 4.0)]
    faces = [row for k in (0, 2, 4) for row in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    deck = TriangleMesh(np.array(corners, float), np.array(faces))
    found = surveyed(scene({"floor": deck}), PEDESTRIAN, 4)
    assert not found.unreachable
    assert not found.rooms.doors
    assert [room.storey for room in found.rooms.rooms] == [1, 2]
    below, above = found.rooms.rooms
    assert below.lower[2] < 0.0 < below.upper[2]
    assert 2.0 < above.lower[2] < 3.0 < above.upper[2]


def test_a_trip_goes_through_the_house_and_what_is_reached_is_planned():
    found = surveyed(scene(house((0.9, 0.9))), PEDESTRIAN, 4)
    trip = found.trip
    assert trip.members == 4
    assert trip.length > 8.0
    rng = np.random.default_rng(0)
    sites = rng.choice(np.flatnonzero(found.reached), 8, replace=False)
    for one, two in sites.reshape(-1, 2).tolist():
        ends = found.floor.position[[one, two]]
        assert plan(Problem(found.floor.space, *ends)).solved


def test_a_room_that_is_too_small_for_all_gets_as_many_as_fit():
    small = Scene.from_mesh({"floor": box((0, 0, -0.2), (5, 2.5, 0))}, roles={"floor": "ground"})
    trip = surveyed(small, PEDESTRIAN, 50).trip
    assert 1 <= trip.members < 10


def test_a_scene_that_is_long_and_thin_has_a_bounded_number_of_cells(monkeypatch):
    """One wrong vertex makes a mesh of a long and thin kind; inspect took 6 GB for one."""
    long = Scene.from_mesh(box((0, 0, 0), (1, 9e7, 1)), bounds=[[-9, -9, -9], [9, 9e7, 9]])
    world = CollisionWorld(long, load_character("drone").body, flying=True)
    asked = []
    monkeypatch.setattr(flight, "_far_apart", lambda space, grid, *_: asked.append(len(grid)))
    flight.flight_over(TranslationSpace(world), 1)
    assert 0 < max(asked) <= 2 * flight.SITES
