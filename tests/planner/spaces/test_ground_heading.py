"""Vehicles among walls: they pass what they fit through, and nothing else."""

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.rotations import rotate
from rmp3d.models import load_character
from rmp3d.planner.explaining import explained
from rmp3d.planner.planners import plan
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.search import is_joined, join_ends, shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import heading_angle, posed

START, GOAL = np.array([-7.0, 2.0, 0.0]), np.array([7.0, -3.0, 0.0])


def walled(make, width, thickness=0.3):
    """A floor with a wall across, and an opening of a width in it."""
    half, side = 0.5 * thickness, 0.5 * width
    return make.scene(
        make.floor((-10, -8), (10, 8)),
        make.box("left wall", (-half, side, 0), (half, 8, 3)),
        make.box("right wall", (-half, -8, 0), (half, -side, 3)),
        bounds=((-10, -8, -1), (10, 8, 4)),
    )


def space_of(scene, name):
    character = load_character(name)
    own = character.parameters
    return make_space(
        "ground_heading", scene, character.body, max_step=own.max_step,
        turn_radius=own.turn_radius, reverses=own.reverse > 0.0,
    )  # fmt: skip


def planned(space, **options):
    return plan(Problem(space, START, GOAL), **options)


@pytest.mark.parametrize(
    ("name", "width", "thickness"),
    [("motorbike", 0.89, 0.3), ("motorbike", 0.71, 0.3), ("car", 2.0, 6.0), ("car", 1.57, 0.3)],
)
def test_a_vehicle_passes_what_it_fits_through(make, name, width, thickness):
    scene = walled(make, width, thickness)
    space = space_of(scene, name)
    assert width > 2.0 * space.world.body.half_width + 0.05
    result = planned(space).or_raise()
    path = result.path
    np.testing.assert_array_equal(path.points[[0, -1]], [START, GOAL])
    # The posed mesh itself, all along, touches no wall: that of the body, not its capsules.
    vertices = space.world.body.mesh.vertices
    for pose in path.configurations:
        placed = rotate(pose[3:], vertices) + pose[:3]
        within = (np.abs(placed[:, 0]) < 0.5 * thickness) & (np.abs(placed[:, 1]) > 0.5 * width)
        assert not within.any()


def test_a_vehicle_is_refused_by_its_true_width(make):
    space = space_of(walled(make, 0.6), "motorbike")
    result = planned(space, planner={"name": "guided_prm", "nodes": 50})
    assert isinstance(result.error, NoPathError)
    error = explained(result.error, space, START, GOAL)
    assert "only 0.6" in str(error)
    assert "the body is 0.65 m wide" in str(error)


def test_the_corner_that_a_vehicle_is_too_long_for_is_named_with_its_width(make):
    """Its widest part goes round; the vehicle, 2 m long, does not turn in a lane of 0.9 m."""
    scene = make.scene(
        make.floor((-10, -8), (10, 8)),
        make.box("inner", (-10, -8, 0), (1.0, -0.45, 3)),
        make.box("outer", (-10, 0.45, 0), (10, 8, 3)),
        make.box("outer east", (1.9, -8, 0), (10, 0.45, 3)),
        bounds=((-10, -8, -1), (10, 8, 4)),
    )
    space = space_of(scene, "motorbike")
    start, goal = np.array([-7.0, 0.0, 0.0]), np.array([1.45, -6.0, 0.0])
    result = plan(Problem(space, start, goal), planner={"name": "guided_prm", "nodes": 20})
    found = explained(result.error, space, start, goal)
    assert found.obstacle.kind == "bend"
    assert np.linalg.norm(np.subtract(found.obstacle.position, (1.45, 0.0, 0.0))) < 1.5
    assert 0.85 < found.obstacle.measured < 1.35
    assert found.obstacle.needed == pytest.approx(2.0 * space.world.body.half_width)
    assert "leave the vehicle the least room to turn at (" in str(found)


def test_paths_turn_no_tighter_than_the_vehicle_and_never_slip(make):
    space = space_of(walled(make, 1.2), "motorbike")
    path = planned(space, seed=3).or_raise().path
    poses = path.configurations
    angle = np.unwrap(heading_angle(poses))
    offset = np.diff(poses[:, :2], axis=0)
    size = np.hypot(*offset.T)
    turn = np.diff(angle)
    # A chord of a circle is shorter than its arc by less than a thousandth at these steps.
    assert (np.abs(turn) * space.turn_radius <= 1.01 * size + 1e-6).all()
    middle = angle[:-1] + 0.5 * turn
    along = offset[:, 0] * np.cos(middle) + offset[:, 1] * np.sin(middle)
    np.testing.assert_allclose(np.abs(along), size, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(path.gear, np.where(along < 0.0, -1, 1))


def test_a_turned_vehicle_that_faces_a_wall_backs_up(make):
    """It cannot turn round in a lane of its own length: it must drive backward."""
    scene = make.scene(
        make.floor((-10, -8), (10, 8)),
        make.box("left wall", (-9, 0.6, 0), (0, 0.8, 3)),
        make.box("right wall", (-9, -0.8, 0), (0, -0.6, 3)),
        make.box("end", (-9.2, -0.8, 0), (-9, 0.8, 3)),
    )
    space = space_of(scene, "motorbike")
    facing = posed(np.array([[-7.0, 0.0, 0.0]]), np.array([np.pi]))[0]
    result = plan(Problem(space, facing, GOAL)).or_raise()
    assert result.path.gear[0] == -1
    np.testing.assert_allclose(result.path.configurations[0], facing)


def test_capsules_stay_near_the_straight_motions_that_are_proved(make):
    space = space_of(walled(make, 1.2), "motorbike")
    start = posed(np.zeros((1, 3)), np.zeros(1))
    end = posed(np.array([[0.3, 0.0, 0.0]]), np.array([space.world.largest_turn]))
    share = np.linspace(0.0, 1.0, 101)
    along = space.interpolated(np.repeat(start, 101, 0), np.repeat(end, 101, 0), share)
    places = space.world.places(along)  # (K, 101, 3)
    straight = places[:, :1] + share[None, :, None] * (places[:, -1:] - places[:, :1])
    off = np.linalg.norm(places - straight, axis=2).max()
    assert 0.1 * space.world.tolerance < off <= 0.25 * space.world.tolerance + 1e-12


def test_on_a_bridge_the_path_is_on_the_bridge(bridge, vehicle):
    space = make_space("ground_heading", bridge, vehicle, turn_radius=1.5)
    result = plan(Problem(space, np.array([-14.0, 0, 0]), np.array([0.0, 0.5, 3.0]))).or_raise()
    height = result.path.points[:, 2]
    assert height[-1] == pytest.approx(3.0)
    assert (np.abs(np.diff(height)) < 1.0).all()


def test_what_moves_in_any_direction_is_refused(make, vehicle):
    with pytest.raises(InputError, match="`ground_heading` needs a `turn_radius` above 0"):
        make_space("ground_heading", walled(make, 2.0), vehicle)


def test_the_same_seed_gives_the_same_path(make):
    open_floor = make.scene(make.floor((-10, -8), (10, 8)))
    space = space_of(open_floor, "motorbike")
    one, other = (planned(space, seed=5).configurations for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_a_vehicle_without_a_reverse_gear_takes_every_edge_forward(make):
    """Until now a path took edges the other way, backward, in either direction of this query."""
    own = load_character("motorbike")
    turn = own.parameters.turn_radius
    scene = walled(make, 3.0, 1.0)
    space = make_space("ground_heading", scene, own.body, turn_radius=turn, reverses=False)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=50), np.random.default_rng(1))
    one = posed(np.array([[-6.0, 3, 0]]), np.array([3.0]))[0]
    other = posed(np.array([[6.0, -3, 0]]), np.array([0.3]))[0]
    for start, goal in ((one, other), (other, one)):
        assert is_joined(roadmap, join_ends(roadmap, start, goal))
        points = shortest_route(roadmap, start, goal)
        heading = rotate(points[:-1, 3:], np.array([1.0, 0.0, 0.0]))
        assert ((np.diff(points[:, :3], axis=0) * heading).sum(axis=1) > -1e-9).all()
        assert (query(roadmap, start, goal, np.random.default_rng(0)).gear == 1).all()


@pytest.mark.parametrize("name", ["motorbike", "car"])
def test_which_poses_keep_so_much_clearance_is_what_the_clearance_says(make, name):
    world = space_of(walled(make, 2.0), name).world
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.uniform(-4.0, 4.0, (300, 2)), np.zeros(300)])
    poses = posed(points, rng.uniform(-np.pi, np.pi, 300))
    for least in (np.full(300, 0.1), rng.uniform(0.0, 0.6, 300)):
        kept = world.keeps(poses, least)
        np.testing.assert_array_equal(kept, world.clearance(poses) >= least)
        assert kept.any()
        assert not kept.all()
    assert len(world.keeps(poses[:0], np.zeros(0))) == 0
