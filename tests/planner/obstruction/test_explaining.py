"""What separates start and goal, against scenes whose measures are known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh, join
from rmp3d.planner.explaining import explained
from rmp3d.planner.obstruction.flight import _on_both_sides
from rmp3d.planner.obstruction.floor import sampled_floor
from rmp3d.planner.obstruction.hindrances import Cause, hindrances
from rmp3d.planner.obstruction.least import BLOCKED
from rmp3d.planner.roadmap.failures import BlockedError, NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Part

LOW, HIGH = (-6, -3), (6, 3)
BOUNDS = ((-6, -3, -1), (6, 3, 9))
START, GOAL = (-5.0, 0.5, 0.0), (5.0, -0.5, 0.0)


def failed(width):
    """What planning has told."""
    return NoPathError(30, 30, (30, 30), width, SimpleNamespace(nodes=60))


@pytest.fixture
def blocked(make, walker):
    """A function that returns what separates start and goal in a scene of parts."""

    def explain(
        *parts, goal=GOAL, body=walker, space="ground", roles_stated=True, bounds=BOUNDS, **changed
    ):
        scene = replace(make.scene(*parts, bounds=bounds), roles_stated=roles_stated)
        found = make_space(space, scene, body, **changed)
        error = failed(2.0 * body.radius)
        return explained(error, found, np.array(START), np.array(goal))

    return explain


def walls(make, width, height=2.5, x=1.0):
    return (
        make.box(f"south {x:g}", (x - 0.2, -3, 0), (x + 0.2, -1 - width / 2, height)),
        make.box(f"north {x:g}", (x - 0.2, -1 + width / 2, 0), (x + 0.2, 3, height)),
    )


def ramp(angle):
    """A plane, a slope 2 m long in plan, and a plane above."""
    top = 2.0 * np.tan(np.radians(angle))
    profile = [(-6, 0), (0, 0), (2, top), (6, top)]
    vertices = np.array([[x, y, z] for x, z in profile for y in (-3, 3)], float)
    faces = [row for k in (0, 2, 4) for row in ([k, k + 2, k + 3], [k, k + 3, k + 1])]
    return Part(
        "hill", "ground", TriangleMesh(vertices, np.array(faces)), np.full((6, 3), 0.5)
    ), top


@pytest.mark.parametrize("width", [0.1, 0.3, 0.55])
def test_a_door_is_named_with_its_parts_its_place_and_its_clear_width(make, blocked, width):
    found = blocked(make.floor(LOW, HIGH), *walls(make, width))
    assert isinstance(found, BlockedError)
    obstacle = found.obstacle
    assert (obstacle.kind, sorted(obstacle.parts)) == ("door", ["north 1", "south 1"])
    assert obstacle.measured == pytest.approx(width, abs=0.004)
    assert obstacle.needed == pytest.approx(0.56)
    assert obstacle.position == pytest.approx((1.0, -1.0, 0.0), abs=0.21)
    assert "`nodes`" not in str(found)
    assert "m wide at (" in str(found)


def flap(make, width, height):
    """An opening in a wall, under a lintel."""
    low, high = -1 - width / 2, -1 + width / 2
    return *walls(make, width), make.box("lintel", (0.8, low, height), (1.2, high, 2.5))


@pytest.mark.parametrize("height", [1.2, 1.5])
def test_an_opening_too_narrow_and_too_low_is_named_by_the_worse(make, blocked, height):
    """Neither a narrower nor a lower body would pass."""
    found = blocked(make.floor(LOW, HIGH), *flap(make, 0.2, height)).obstacle
    assert (found.kind, sorted(found.parts)) == ("door", ["north 1", "south 1"])
    assert found.measured == pytest.approx(0.2, abs=0.004)
    found = blocked(make.floor(LOW, HIGH), *flap(make, 0.5, 0.6)).obstacle
    assert (found.kind, found.part) == ("beam", "lintel")
    assert found.measured == pytest.approx(0.6, abs=0.004)


def test_of_a_slot_over_the_floor_a_flyer_is_told_both_sides_and_not_the_floor(
    make, blocked, flyer
):
    room = (
        make.box("floor", (-6, -3, -1.2), (6, 3, -1)),
        make.box("ceiling", (-6, -3, 2.5), (6, 3, 9)),
        make.box("south", (0.8, -3, -1), (1.2, -1.15, 2.5)),
        make.box("north", (0.8, -0.85, -1), (1.2, 3, 2.5)),
    )
    found = blocked(*room, body=flyer, space="translation", goal=(5, -0.5, 0)).obstacle
    assert (found.kind, sorted(found.parts)) == ("opening", ["north", "south"])
    assert found.measured == pytest.approx(0.3, abs=0.004)


def test_only_what_is_on_opposite_sides_makes_a_place_narrow():
    slot = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 0, -1]])
    assert _on_both_sides(slot).tolist() == [True, True, False]
    hole = np.array([[1.0, 0, 0], [-0.5, 0.87, 0], [-0.5, -0.87, 0]])
    assert _on_both_sides(hole).all()


@pytest.mark.parametrize("width", [0.57, 0.9, 2.0])
def test_through_a_door_that_is_wide_enough_a_way_is_found_and_proved(make, blocked, width):
    found = blocked(make.floor(LOW, HIGH), *walls(make, width))
    assert isinstance(found, Roadmap)
    assert found.component[0] == found.component[-1]
    assert found.configurations[[0, -1], :2] == pytest.approx(np.array([START[:2], GOAL[:2]]))


@pytest.mark.parametrize("width", [0.57, 0.6])
def test_a_door_on_a_flight_of_stairs_is_passed(make, walker, width):
    rise, run = 0.17, 0.28
    floor, *treads = [
        make.box("stairs", *corners).mesh
        for corners in (
            ((-6, -3, -0.2), (6, 3, 0)),
            *(((k * run - 2, -3, 0), (6, 3, (k + 1) * rise)) for k in range(10)),
        )
    ]
    stairs = join([floor, *treads])
    flight = Part("stairs", "ground", stairs, np.full((len(stairs.faces), 3), 0.5))
    scene = make.scene(flight, *walls(make, width, height=5.0, x=-0.5), bounds=BOUNDS)
    space = make_space("ground", scene, walker, max_step=0.2)
    found = explained(failed(0.56), space, np.array(START), np.array([5.0, -0.5, 10 * rise]))
    assert isinstance(found, Roadmap)
    assert found.component[0] == found.component[-1]


def test_a_flyer_is_led_through_an_opening_that_is_wide_enough(make, blocked, flyer):
    wall = [
        make.box("below", (0.8, -3, -1), (1.2, 3, 2)),
        make.box("above", (0.8, -3, 3.1), (1.2, 3, 9)),
    ]
    found = blocked(*wall, body=flyer, space="translation", goal=(5, -0.5, 1))
    assert isinstance(found, Roadmap)


def test_the_door_on_a_slant_is_measured_across(make, blocked):
    """The wall runs at 30 degrees to the cells."""
    turn = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    turned = [
        Part(part.name, part.role, part.mesh.transformed(turn), part.colors)
        for part in (
            make.box("south", (-0.1, -9, 0), (0.1, -0.22, 2.5)),
            make.box("north", (-0.1, 0.22, 0), (0.1, 9, 2.5)),
        )
    ]
    obstacle = blocked(make.floor(LOW, HIGH), *turned).obstacle
    assert obstacle.kind == "door"
    assert obstacle.measured == pytest.approx(0.44, abs=0.01)
    assert obstacle.position[:2] == pytest.approx((0.0, 0.0), abs=0.25)


@pytest.mark.parametrize("height", [0.25, 0.6, 1.5])
def test_a_step_is_named_with_its_height(make, blocked, height):
    upper = make.floor((0, -3), HIGH, height, "terrace")
    found = blocked(make.floor(LOW, (0, 3)), upper, goal=(5, -0.5, height))
    obstacle = found.obstacle
    assert (obstacle.kind, obstacle.part) == ("step", "terrace")
    assert obstacle.measured == pytest.approx(height, abs=1e-6)
    assert obstacle.needed < height
    assert obstacle.position[0] == pytest.approx(0.0, abs=0.01)
    assert obstacle.position[2] == pytest.approx(height)


@pytest.mark.parametrize("width", [0.01, 0.04, 0.3, 1.0])
def test_a_gap_is_named_with_its_width(make, blocked, width):
    far = make.floor((width, -3), HIGH, 0.0, "pier")
    obstacle = blocked(make.floor(LOW, (0, 3)), far).obstacle
    assert (obstacle.kind, set(obstacle.parts)) == ("gap", {"floor", "pier"})
    assert obstacle.measured == pytest.approx(width, abs=0.003)
    assert obstacle.position[0] == pytest.approx(width / 2, abs=0.01)


def test_a_gap_at_the_corner_of_an_island_is_not_measured_aslant(make, blocked):
    corners = np.array([(0.4, 0, 0), (3.0, -2.6, 0), (5.6, 0, 0), (3.0, 2.6, 0)])
    mesh = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    island = Part("island", "ground", mesh, np.full((2, 3), 0.5))
    obstacle = blocked(make.floor(LOW, (0, 3)), island, goal=(3, 2.0, 0)).obstacle
    assert (obstacle.kind, set(obstacle.parts)) == ("gap", {"floor", "island"})
    assert obstacle.measured == pytest.approx(0.4, abs=0.01), obstacle


def test_the_raised_edge_behind_a_gap_is_told_as_the_gap(make, blocked):
    pier = make.box("pier", (0.02, -3, -0.5), (6, 3, 0.1))
    floor = make.box("floor", (-6, -3, -0.5), (0, 3, 0))
    ground = [Part(each.name, "ground", each.mesh, each.colors) for each in (floor, pier)]
    obstacle = blocked(*ground, goal=(5, -0.5, 0.1), max_step=0.2).obstacle
    assert (obstacle.kind, set(obstacle.parts)) == ("gap", {"floor", "pier"})
    assert obstacle.measured == pytest.approx(0.02, abs=0.002)


def test_a_gap_between_bars_is_told_with_its_two_neighbors(make, blocked):
    bars = [make.floor((0.06 * k, -3), (0.06 * k + 0.03, 3), 0.0, f"bar {k}") for k in range(20)]
    ends = make.floor(LOW, (0.03, 3)), make.floor((1.14, -3), HIGH, 0.0, "pier")
    obstacle = blocked(*ends, *bars[1:-1]).obstacle
    assert obstacle.kind == "gap"
    assert obstacle.measured == pytest.approx(0.03, abs=0.003)
    one, two = (0 if part == "floor" else int(part.split()[1]) for part in obstacle.parts)
    assert two == one + 1


def test_a_short_steep_face_is_a_step_with_its_whole_height(make, blocked):
    """The end of a slab that is tilted: 76 degrees steep, then straight down."""
    slab = make.box("slab", (0, -3, -0.2), (2, 3, 0)).mesh.transformed(
        np.array([[np.cos(0.25), 0, -np.sin(0.25)], [0, 1, 0], [np.sin(0.25), 0, np.cos(0.25)]])
    )
    slab = Part("slab", "ground", slab, np.full((len(slab.faces), 3), 0.5))
    obstacle = blocked(make.floor(LOW, HIGH), slab).obstacle
    assert (obstacle.kind, obstacle.part) == ("step", "slab")
    assert obstacle.measured == pytest.approx(2.0 * np.sin(0.25), abs=0.01)


@pytest.mark.parametrize("angle", [50.0, 60.0, 75.0])
def test_a_slope_is_named_with_its_angle(make, blocked, angle):
    hill, top = ramp(angle)
    obstacle = blocked(hill, goal=(5, -0.5, top)).obstacle
    assert (obstacle.kind, obstacle.part) == ("slope", "hill")
    assert obstacle.measured == pytest.approx(angle, abs=0.01)
    assert obstacle.needed == pytest.approx(45.0)
    assert 0.0 <= obstacle.position[0] <= 2.0


@pytest.mark.parametrize("height", [0.8, 1.32, 1.7])
def test_a_low_beam_is_named_with_the_height_under_it(make, blocked, height):
    beam = make.box("beam", (0.8, -3, height), (1.0, 3, 2.4))
    obstacle = blocked(make.floor(LOW, HIGH), beam).obstacle
    assert (obstacle.kind, obstacle.part) == ("beam", "beam")
    assert obstacle.measured == pytest.approx(height, abs=0.005)
    assert obstacle.needed == pytest.approx(1.73)
    assert obstacle.position[0] == pytest.approx(0.9, abs=0.35)


@pytest.mark.parametrize(("height", "told"), [(0.3, 0.3), (0.5, 0.5), (3.0, 0.0)])
def test_a_wall_without_an_opening_is_named_with_its_height(make, blocked, height, told):
    wall = make.box("hedge", (0.8, -3, 0), (1.2, 3, height))
    found = blocked(make.floor(LOW, HIGH), wall)
    assert (found.obstacle.kind, found.obstacle.part) == ("wall", "hedge")
    assert found.obstacle.measured == pytest.approx(told, abs=0.05)
    assert "`hedge`" in str(found)


@pytest.mark.parametrize(
    ("low", "high", "shift"), [(0.9, 1.1, 0.0), (0.93, 0.99, 0.04), (0.8, 0.86, 0.07)]
)
def test_a_closed_door_is_named_rather_than_the_wall_that_it_hangs_in(
    make, blocked, low, high, shift
):
    """Of any thickness, wherever it hangs in the wall, and however the cells lie to it."""
    door = make.box("leaf", (low + shift, -2.4, 0), (high + shift, -1.5, 2.5))
    south = make.box("south", (0.8 + shift, -3, 0), (1.1 + shift, -2.4, 2.5))
    north = make.box("north", (0.8 + shift, -1.5, 0), (1.1 + shift, 3, 2.5))
    obstacle = blocked(make.floor(LOW, HIGH), south, north, door).obstacle
    assert (obstacle.kind, obstacle.part) == ("wall", "leaf")
    assert -2.5 < obstacle.position[1] < -1.4


def test_a_closed_door_is_named_though_a_slit_beside_it_is_in_line_with_the_cells(make, blocked):
    """Links along the slit of 5 mm only touch the wall and the door that close it."""
    low, high = (-8, -4), (8, 4)
    south = make.box("south", (-1.865, -4, 0), (-1.484, 0.861, 2.6))
    north = make.box("north", (-1.865, 1.778, 0), (-1.484, 4, 2.6))
    door = make.box("leaf", (-1.704, 0.866, 0.01), (-1.644, 1.773, 2.58))
    bounds = ((-8, -4, -1), (8, 4, 9))
    found = blocked(make.floor(low, high), south, north, door, bounds=bounds)
    assert (found.obstacle.kind, found.obstacle.parts) == ("wall", ("leaf",))


def test_a_closed_door_is_named_where_the_top_of_the_wall_is_ground(make, blocked):
    """Without roles what is level is ground: nobody is sent over a wall that is a floor on top."""
    door = make.box("leaf", (0.9, -2.4, 0), (0.95, -1.5, 2.1))
    lintel = make.box("lintel", (0.8, -2.4, 2.1), (1.0, -1.5, 2.5))
    south = make.box("south", (0.8, -3, 0), (1.0, -2.4, 2.5))
    north = make.box("north", (0.8, -1.5, 0), (1.0, 3, 2.5))
    parts = make.floor(LOW, HIGH), south, north, lintel, door
    obstacle = blocked(*parts, roles_stated=False).obstacle
    assert (obstacle.kind, obstacle.part) == ("wall", "leaf")


@pytest.mark.parametrize("thickness", [0.3, 0.5, 1.5])
def test_the_inside_of_a_closed_part_is_no_opening(make, blocked, thickness):
    """The floor goes on below a crate that stands on it, and so does the air in the crate."""
    crate = make.box("crate", (0.8, -3, 0), (0.8 + thickness, 3, 1.2))
    obstacle = blocked(make.floor(LOW, HIGH), crate, roles_stated=False).obstacle
    assert (obstacle.kind, obstacle.part) == ("step", "crate")
    assert obstacle.measured == pytest.approx(1.2, abs=1e-3)
    obstacle = blocked(make.floor(LOW, HIGH), crate).obstacle
    assert (obstacle.kind, obstacle.part) == ("wall", "crate")
    assert obstacle.measured == pytest.approx(1.2, abs=0.01)


def test_a_bridge_over_a_gap_is_no_way_onto_a_roof(make, walker):
    """A roof beyond a gap is as closed as one without a gap."""
    parts = make.floor((-6, -3), (0, 3)), make.box("house", (5, -3, -1), (6, 3, 2.5))
    scene = replace(make.scene(*parts, bounds=BOUNDS), roles_stated=False)
    floor = sampled_floor(make_space("ground", scene, walker))
    found = hindrances(floor)
    rise = np.abs(np.diff(floor.position[found.links, 2], axis=1)[:, 0])
    bridges = (rise > 2.0) & np.isin(found.cause, [Cause.GAP, Cause.WALL])
    assert bridges.any()
    assert (found.penalty[bridges] >= BLOCKED).all()


def test_floors_above_one_another_without_stairs_are_told_apart(make, blocked):
    found = blocked(make.floor(LOW, HIGH), make.floor(LOW, HIGH, 3.0, "attic"), goal=(5, 0, 3))
    assert (found.obstacle.kind, found.obstacle.part) == ("level", "attic")
    assert found.obstacle.measured == pytest.approx(3.0)


def test_stairs_that_are_too_steep_are_told_with_their_pitch(make, blocked):
    """Each riser alone could be climbed; so narrow are the treads that cells skip some."""
    treads = [make.box("flight", (0.15 * k, -3, 0), (6, 3, 0.19 * (k + 1))) for k in range(10)]
    flight = join([tread.mesh for tread in treads])
    part = Part("flight", "ground", flight, np.full((len(flight.faces), 3), 0.5))
    found = blocked(make.floor(LOW, HIGH), part, goal=(5, 0, 1.9), max_step=0.2)
    assert (found.obstacle.kind, found.obstacle.part) == ("slope", "flight")
    assert found.obstacle.measured == pytest.approx(51.7, abs=0.5)


def test_of_two_ways_the_one_that_needs_less_is_told(make, blocked):
    """A terrace 1.2 m high with a door of 0.5 m beside it: the door is nearly wide enough."""
    door = walls(make, 0.5)
    found = blocked(make.floor(LOW, HIGH), *door)
    assert found.obstacle.kind == "door"
    barrier = make.box("hedge", (-2.2, -3, 0), (-1.8, 3, 0.4))
    both = blocked(make.floor(LOW, HIGH), *door, barrier)
    assert both.obstacle.others == 1
    assert "one more obstacle" in str(both)


@pytest.mark.parametrize(("wide", "high"), [(0.6, 0.7), (3.0, 0.5), (0.3, 3.0)])
def test_the_opening_that_is_too_narrow_for_a_flyer_is_measured_all_round(
    make, blocked, flyer, wide, high
):
    wall = [
        make.box("below", (0.8, -3, -1), (1.2, 3, 2)),
        make.box("above", (0.8, -3, 2 + high), (1.2, 3, 9)),
        make.box("left", (0.8, wide / 2, 2), (1.2, 3, 2 + high)),
        make.box("right", (0.8, -3, 2), (1.2, -wide / 2, 2 + high)),
    ]
    obstacle = blocked(*wall, body=flyer, space="translation", goal=(5, -0.5, 1)).obstacle
    assert obstacle.kind == "opening"
    assert obstacle.measured == pytest.approx(min(wide, high), abs=0.01)
    assert obstacle.position[0] == pytest.approx(1.0, abs=0.25)


def test_a_closed_wall_is_named_to_a_flyer(make, blocked, flyer):
    wall = make.box("wall", (0.8, -3, -1), (1.2, 3, 9))
    found = blocked(wall, body=flyer, space="translation", goal=(5, -0.5, 1))
    assert (found.obstacle.kind, found.obstacle.part) == ("wall", "wall")


def turned(parts, angle, shift):
    """The parts elsewhere, at a slant to the cells of the floor; and where points come to lie."""
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    moved = [
        Part(each.name, each.role, each.mesh.transformed(turn, shift), each.colors)
        for each in parts
    ]
    return moved, lambda point: turn @ np.array(point) + shift


@pytest.mark.parametrize(
    ("parts", "ends", "place", "kind", "names"),
    [
        (
            [
                ("west", (-6, -3, -2), (-1.874, 3, 0), "ground"),
                ("east", (-1.197, -3, -2), (6, 3, 0), "ground"),
                ("bed", (-1.874, -3, -2.3), (-1.197, 3, -0.663), "ground"),
            ],
            1.179,
            (4.31208162063512, (11.7060897, 39.5524345, -0.271109941)),
            "step",
            {"west", "east"},
        ),
        (
            [
                ("floor", (-6, -3, -0.3), (6, 3, 0), "ground"),
                ("south", (1.087, -3, 0), (1.243, -0.617, 2.6), "obstacle"),
                ("north", (1.087, -0.136, 0), (1.243, 3, 2.6), "obstacle"),
            ],
            0.171,
            (1.5075111607735856, (25.3085491, -29.7273124, 2.90574557)),
            "door",
            {"south", "north"},
        ),
        (
            [
                ("floor", (-6, -3, -0.3), (6, 3, 0), "ground"),
                ("south", (0.351, -3, 0), (0.666, -0.576, 2.6), "obstacle"),
                ("north", (0.351, 0.421, 0), (0.666, 3, 2.6), "obstacle"),
                ("door", (0.429, -0.576, 0), (0.587, 0.421, 2.6), "obstacle"),
            ],
            0.0987,
            (3.03432648954126, (-12.0284331, 31.2619466, 1.14919424)),
            "wall",
            {"door"},
        ),
        (
            [
                ("floor", (-6, -3, -0.3), (6, 3, 0), "ground"),
                ("south", (1.595, -3, 0), (1.865, 1.331, 2.5), "obstacle"),
                ("north", (1.595, 1.403, 0), (1.865, 3, 2.5), "obstacle"),
            ],
            0.304,
            (1.88411856306891, (-15.1293005, 16.3071931, -0.348778595)),
            "door",
            {"south", "north"},
        ),
    ],
    ids=["trench", "narrow", "closed", "slit"],
)
def test_it_is_named_at_a_slant_too(make, make_walker_space, parts, ends, place, kind, names):
    moved, at = turned([make.box(name, low, high, role) for name, low, high, role in parts], *place)
    space = make_walker_space(moved)
    found = explained(failed(0.56), space, at((-5.0, -ends, 0.0)), at((5.2, ends, 0.0)))
    assert isinstance(found, BlockedError)
    assert (found.obstacle.kind, set(found.obstacle.parts) <= names) == (kind, True)


@pytest.fixture
def make_walker_space(make, walker):
    """A function that returns the space of a walker in a scene of parts."""

    def made(parts):
        corners = np.concatenate([part.mesh.vertices for part in parts])
        bounds = corners.min(axis=0) - 1.0, corners.max(axis=0) + 3.0
        return make_space("ground", make.scene(*parts, bounds=bounds), walker)

    return made
