import numpy as np
import pytest

from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import GoalError, StartError
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import TranslationSpace, make_space
from rmp3d.scenes import Region

START, GOAL = np.array([-8.0, 4.0, 0]), np.array([8.0, 4.0, 0])


@pytest.fixture
def roadmap(rooms, walker):
    space = make_space("ground", rooms, walker)
    return build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(0))


def find(roadmap, start=START, goal=GOAL, **options):
    return query(roadmap, start, goal, np.random.default_rng(0), **options)


def test_the_shortened_path_is_nearly_the_shortest(roadmap):
    """Taut around the door's upper corners, to which the body keeps its radius."""
    path = find(roadmap)
    corner = np.array([0.0, 0.6 - 0.28])
    shortest = 2 * np.linalg.norm(START[:2] - corner)
    assert shortest - 0.05 < path.length < shortest + 0.15


def test_the_path_is_free_by_the_other_backend(roadmap, rooms, walker):
    fcl = CollisionWorld(rooms, walker, backend="fcl")
    for wanted in (0.0, 0.8):
        path = find(roadmap, clearance_wanted=wanted)
        assert fcl.is_free(densified(path.points, 0.02)).all()
        np.testing.assert_array_equal(path.points[[0, -1]], [START, GOAL])
        np.testing.assert_allclose(path.clearance, roadmap.space.world.clearance(path.points, 2.8))
        assert np.diff(path.station).max() < 0.1


@pytest.mark.parametrize("wanted", [0.5, 1.0, 2.0])
def test_a_centered_path_goes_straight_through_the_middle_of_the_door(roadmap, wanted):
    path = find(roadmap, clearance_wanted=wanted)
    at_door = path.points[np.abs(path.points[:, 0]) < 0.3]
    assert np.abs(at_door[:, 1]).max() < 0.03
    heading = path.frames(np.interp([0.0], path.points[:, 0], path.station), window=0.3)[0, :, 0]
    assert heading[0] > 0.995


def test_a_centered_path_is_straight_where_there_is_room(make, walker):
    scene = make.scene(make.floor((-10, -5), (10, 5)), make.box("far", (-1, 4, 0), (1, 5, 2)))
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=100), np.random.default_rng(0))
    start, goal = np.array([-8.0, -2, 0]), np.array([8.0, 1, 0])
    path = find(roadmap, start, goal, clearance_wanted=1.0)
    assert path.length == pytest.approx(np.linalg.norm(goal - start), abs=1e-6)


def test_a_centered_path_keeps_the_clearance_wanted_where_there_is_room(roadmap):
    path = find(roadmap, clearance_wanted=0.8)
    away = np.abs(path.points[:, 0]) > 2.0
    assert path.clearance[away].min() > 0.7


def centered_past_a_recess(make, body, turn_radius):
    scene = make.scene(
        make.floor((-8, -2), (8, 3)),
        make.box("right", (-8, -1.7, 0), (8, -0.7, 2)),
        make.box("left before", (-8, 0.7, 0), (-1, 2.7, 2)),
        make.box("left behind", (1, 0.7, 0), (8, 2.7, 2)),
    )
    space = make_space("ground", scene, body, turn_radius=turn_radius)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(0))
    return find(roadmap, np.array([-7.0, 0, 0]), np.array([7.0, 0, 0]), clearance_wanted=0.8)


def test_a_centered_path_does_not_bend_to_a_recess(make, walker):
    path = centered_past_a_recess(make, walker, turn_radius=0.0)
    assert np.abs(path.points[:, 1]).max() < 0.02


def test_a_path_that_leads_a_vehicle_keeps_to_the_middle_where_it_has_room_to_turn(make, walker):
    """Cut short round a corner, it led no car through a door 6 cm wider than it is."""
    path = centered_past_a_recess(make, walker, turn_radius=3.0)
    assert path.points[:, 1].max() > 0.1


def test_a_centered_path_keeps_to_the_middle_of_a_bridge_over_an_arch(make, walker):
    """The arch is nearer than the walls, also to a walker that goes beside one of them."""
    scene = make.scene(
        make.floor((-8, -5), (8, 5)),
        make.box("arch", (-4, -1, -1), (4, 1, -0.4)),
        make.box("left", (-4, 1, 0), (4, 5, 2)),
        make.box("right", (-4, -5, 0), (4, -1, 2)),
    )
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(0))
    path = find(roadmap, np.array([-7.0, -2, 0]), np.array([7.0, 2, 0]), clearance_wanted=2.0)
    on_bridge = np.abs(path.points[:, 0]) < 3.5
    assert np.abs(path.points[on_bridge, 1]).max() < 0.05


def test_a_flyer_passes_the_middle_of_a_window(make, flyer):
    scene = make.scene(
        make.box("below", (-0.1, -5, -5), (0.1, 5, 0.4)),
        make.box("above", (-0.1, -5, 2.0), (0.1, 5, 5)),
        make.box("left", (-0.1, -5, 0.4), (0.1, -1.0, 2.0)),
        make.box("right", (-0.1, 0.6, 0.4), (0.1, 5, 2.0)),
        bounds=((-8, -4, -4), (8, 4, 4)),
    )
    space = make_space("translation", scene, flyer)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=2000), np.random.default_rng(0))
    start, goal = np.array([-6.0, 3, -3]), np.array([6.0, 2, 3])
    path = find(roadmap, start, goal, clearance_wanted=0.8)
    at_window = path.at(np.interp([0.0], path.points[:, 0], path.station))[0]
    np.testing.assert_allclose(at_window[1:], [-0.2, 1.2], atol=0.06)


def test_a_planar_space_stays_in_its_plane(make, flyer):
    scene = make.scene(make.box("wall", (-0.1, -3, 0), (0.1, 3, 2)))
    space = TranslationSpace(
        CollisionWorld(scene, flyer, flying=True), np.array([[-9, -9, 1.0], [9, 9, 1.0]])
    )
    roadmap = build_roadmap(space, RoadmapSettings(nodes=150), np.random.default_rng(0))
    path = find(roadmap, np.array([-5.0, 0, 1]), np.array([5.0, 0, 1]), clearance_wanted=0.5)
    assert (path.points[:, 2] == 1.0).all()
    assert path.points[:, 1].max() > 3.4 or path.points[:, 1].min() < -3.4


def test_the_same_seed_gives_the_same_path(roadmap):
    first, again = (find(roadmap, clearance_wanted=0.6).points for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_start_and_goal_in_one_place(roadmap):
    path = find(roadmap, START, START)
    assert path.points.tolist() == [START.tolist()]


def test_many_queries_do_not_change_the_roadmap(roadmap):
    before = roadmap.graph.number_of_edges(), len(roadmap.edges)
    find(roadmap)
    find(roadmap, GOAL, START)
    assert (roadmap.graph.number_of_edges(), len(roadmap.edges)) == before


def test_bad_ends_say_which_and_why(roadmap):
    with pytest.raises(
        StartError, match=r"the start \[0.0, 3.0, 0.0\] is in collision with `right"
    ):
        find(roadmap, start=np.array([0.0, 3, 0]))
    with pytest.raises(GoalError, match=r"the goal \[30.0, 0.0, 0.0\] is not on walkable ground"):
        find(roadmap, goal=np.array([30.0, 0, 0]))
    with pytest.raises(GoalError, match="the goal must be a point"):
        find(roadmap, goal=np.array([np.nan, 0, 0]))
    with pytest.raises(GoalError, match="must be a point"):
        find(roadmap, goal=np.zeros(2))


def test_a_region_gives_its_free_point_nearest_to_the_center(roadmap):
    # centered on the wall, wider than it
    region = Region.box("yard", [-2, 1, 0], [2, 4, 2])
    path = find(roadmap, goal=region)
    assert region.contains(path.points[-1:])[0]
    assert roadmap.space.is_free(path.points[-1:])[0]
    assert abs(path.points[-1, 0]) < 0.6


def test_a_region_without_room_is_refused(roadmap):
    region = Region.box("slot", [-0.05, 1, 0], [0.05, 4, 2])
    with pytest.raises(
        GoalError, match=r"goal region `slot` has no free configuration.*right wall"
    ):
        find(roadmap, goal=region)
