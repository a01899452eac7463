"""Activities: where members go after they have arrived, in a room that a wall parts in two."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import ACTIVITIES, ExploreAll, PatrolPosts, RoamAbout, WanderAbout
from rmp3d.behaviors.groups.afterwards.activity import PlaceChooser
from rmp3d.behaviors.groups.afterwards.area import Area
from rmp3d.behaviors.groups.afterwards.rounds import _Posts
from rmp3d.behaviors.groups.afterwards.travel import Travel, driven_directions
from rmp3d.behaviors.groups.afterwards.wandering import course_weights
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError
from rmp3d.models import load_character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.building import build_roadmap, with_nodes
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space

WALL = ([-0.2, -10, 0], [0.2, 7, 2])


@pytest.fixture(scope="module")
def parted(ways):
    """The space, and a roadmap of it."""
    space = ways.space(walls=[WALL])
    settings = RoadmapSettings(nodes=120)
    return space, build_roadmap(space, settings, np.random.default_rng(0))


@pytest.fixture
def area(walkers, parted):
    space, roadmap = parted
    task = replace(walkers, space=space, roadmap=roadmap, rng=np.random.default_rng(3))
    home = np.array([[-15.0, y, 0.0] for y in (-4, -2, 0, 2, 4)])
    return Area(task, home)


def at(area, position):
    count = len(position)
    bodies = Bodies.of([area.task.character] * count)
    return Flock.at_rest(bodies, np.array(position, float), np.tile([1.0, 0, 0], (count, 1)))


def in_goal(area):
    return at(area, [[15.0 + k % 3, k - 2.0, 0.0] for k in range(5)])


def places_gone_to(area, chooser, flock, turns=40):
    """Let every member go to its next place at once, for some turns; return the places."""
    going, gone = np.full(len(flock), -1), []
    for turn in range(turns):
        chooser.look(flock, float(turn))
        for member in range(len(flock)):
            going[member] = chooser.next_place(member, flock, going)
        assert len(set(going.tolist())) == len(going), "two members go to one place"
        flock = at(area, chooser.places[going])
        gone.append(flock.position)
    return np.array(gone)


def test_who_wanders_keeps_to_the_goal_and_does_not_stay(area):
    chooser = WanderAbout().chooser(area)
    gone = places_gone_to(area, chooser, in_goal(area))
    assert area.task.goal.contains(gone.reshape(-1, 3)).all()
    assert (np.linalg.norm(np.diff(gone, axis=0), axis=2) > 0.5).all()


def test_who_roams_everywhere_comes_to_both_sides_of_the_wall(area):
    gone = places_gone_to(area, RoamAbout().chooser(area), in_goal(area))
    for member in range(5):
        side = np.sign(gone[:, member, 0])
        assert (side < 0).sum() > 8
        assert (side > 0).sum() > 8


def test_who_explores_sees_every_place_before_any_for_the_second_time(area):
    chooser = ExploreAll().chooser(area)
    count = len(chooser.places)
    gone = places_gone_to(area, chooser, in_goal(area), turns=-(-count // 5))
    assert count > 60
    been = np.concatenate([in_goal(area).position, gone.reshape(-1, 3)])
    near = np.linalg.norm(been[:, None] - chooser.places, axis=2).min(axis=0)
    assert near.max() < 2.0


def test_a_patrol_goes_round_its_posts(area):
    chooser = PatrolPosts().chooser(area)
    going = np.full(5, -1)
    ends = []
    for _ in range(4):
        going[2] = chooser.next_place(2, in_goal(area), going)
        ends.append(chooser.places[going[2], 0])
    assert ends == [-15.0, 15.0, -15.0, 15.0]


def test_a_goal_without_room_to_go_about_is_stayed_in(area, ways):
    area.task = replace(area.task, goal=ways.Region.box("goal", [14.4, -0.6, -1], [15.6, 0.6, 2]))
    assert WanderAbout().chooser(area) is None


def test_the_path_joins_what_samples_have_not_joined(area, monkeypatch):
    corners = np.array([[-15.0, 0, 0], [-2.0, 8.5, 0], [2.0, 8.5, 0], [15.0, 0, 0]])
    path = CertifiedPath(corners, np.ones(4), grounded=True)
    apart = with_nodes(Roadmap.empty(area.task.space), corners[[0, 3]])
    monkeypatch.setattr("rmp3d.behaviors.groups.afterwards.area.NODES", 2)
    joined = Area(replace(area.task, roadmap=apart, path=path), area.home).routes
    assert joined.route(corners[3], corners[0]) is not None


def test_who_is_wedged_beside_a_wall_has_a_route_all_the_same(area):
    beside, place = np.array([-0.25, 0.0, 0.0]), np.array([-15.0, 0.0, 0.0])
    assert area.routes.route(beside, place) is None
    route = area.routes.route(beside, place, wedged=True)
    assert route[-1].tolist() == place.tolist()
    assert area.task.space.connects(route[:-1], route[1:]).all()
    assert np.linalg.norm(route[0] - beside) < 5.0


def test_vehicles_roam_rather_ahead_and_walkers_in_all_directions(area):
    shares = []
    for turn_radius in (0.0, 2.5):
        chooser = RoamAbout().chooser(_Turning(area, turn_radius))
        flock = at(area, np.zeros((1, 3)))
        rows = [chooser.next_place(0, flock, np.array([-1])) for _ in range(300)]
        shares.append((chooser.places[rows, 0] > 0.0).mean())
    on_foot, driving = shares
    assert 0.35 < on_foot < 0.65
    assert driving > 0.75


class _Turning:
    """An area for members of another turn radius."""

    def __init__(self, area, turn_radius):
        self.task, self.places, self.turn_radius = area.task, area.places, turn_radius

    def first_drivable(self, flock, member, places, rows):
        return int(rows[0])


@pytest.fixture
def parked(area, ways):
    """An area of motorbikes, and two of them at rest, side by side."""
    rider = load_character("motorbike")
    scene = area.task.space.world.scene
    space = make_space("ground_heading", scene, rider.body, turn_radius=2.5, reverses=True)
    task = replace(area.task, character=rider, count=2, driving=lambda: space)
    at = np.array([[-8.0, 0.0, 0.0], [-8.0, -6.0, 0.0]])
    flock = Flock.at_rest(Bodies.of([rider] * 2), at, np.tile([1.0, 0, 0], (2, 1)))
    return Area(task, at), flock


def test_a_vehicle_goes_to_the_first_place_that_it_need_not_turn_back_to(parked):
    area, flock = parked
    places = np.array([[-2.0, 6, 0], [-2.0, -6, 0]])
    orders = np.array([0, 1]), np.array([1, 0])
    assert [area.first_drivable(flock, 0, places, rows) for rows in orders] == [0, 1]
    # The other one stands where it would drive.
    in_the_way = np.array([[-8.0, 0.0, 0.0], [-5.0, 3.0, 0.0]])
    flock = Flock.at_rest(flock.bodies, in_the_way, np.tile([1.0, 0, 0], (2, 1)))
    assert [area.first_drivable(flock, 0, places, rows) for rows in orders] == [1, 1]


@pytest.mark.parametrize(("moves", "changes"), [(0.0, True), (1.0, False)])
def test_a_vehicle_that_is_held_up_goes_elsewhere(parked, moves, changes):
    area, flock = parked
    travel = Travel(area, _Anywhere(np.array([[8.0, 0, 0], [-2, 6, 0], [-2, -6, 0]])), flock, 0.0)
    flock = replace(flock, velocity=np.tile([moves, 0.0, 0.0], (2, 1)))
    before = travel.step(flock, 0.0).waypoint
    for step in range(round(1.0 / area.task.dt)):
        intent = travel.step(flock, (step + 1) * area.task.dt)
    assert np.abs(intent.waypoint - before).any() == changes


@pytest.mark.parametrize(("other", "taken"), [([-8.0, -6.0, 0.0], True), ([-5, 3, 0], False)])
def test_a_vehicle_goes_on_early_only_to_what_it_drives_ahead_to(parked, other, taken):
    area, flock = parked
    near, following = [-5.0, 0.0, 0.0], [-2.0, 6.0, 0.0]
    here = np.array([[-8.0, 0.0, 0.0], other])
    flock = Flock.at_rest(flock.bodies, here, np.tile([1.0, 0, 0], (2, 1)))
    travel = Travel(area, _Anywhere(np.array([following, near, following])), flock, 0.0)
    assert travel.step(flock, 0.0).waypoint[0].tolist() == (following if taken else near)


@pytest.mark.parametrize(("other", "taken"), [([-8.0, -6.0, 0.0], 1), ([-5, 3, 0], 0)])
def test_a_patrol_by_vehicle_goes_on_early_only_to_a_post_ahead(parked, other, taken):
    """Cars turned back on the ramp before their post, and backed over all of the bridge."""
    area, flock = parked
    posts = np.array([[-5.0, 0.0, 0.0], [-2.0, 6.0, 0.0]])
    here = np.array([[-8.0, 0.0, 0.0], other])
    flock = Flock.at_rest(flock.bodies, here, np.tile([1.0, 0, 0], (2, 1)))
    travel = Travel(area, _Posts(area, posts), flock, 0.0)
    assert travel.step(flock, 0.0).waypoint[0].tolist() == posts[taken].tolist()


def test_who_joins_those_that_go_back_gets_a_free_place_beside_theirs(area):
    came = np.array([[15.0, 0.0, 0.0], [15.0, 1.0, 0.0]])
    found = area.beside(area.home, came)
    both = np.concatenate([area.home, found])
    apart = np.linalg.norm(both[:, None] - both, axis=2) + 9.0 * np.eye(len(both))
    assert apart[5:].min() > 2.0 * area.task.radius
    assert area.task.space.is_free(found).all()
    assert np.linalg.norm(found - area.home.mean(axis=0), axis=1).max() < 5.0
    assert area.beside(area.home[:0], came).tolist() == came.tolist()


class _Anywhere(PlaceChooser):
    """One place after another, whatever is there."""

    any_will_do = True

    def __init__(self, places):
        self.places, self._turn = places, 0

    def next_place(self, member, flock, going):
        self._turn += 1
        return self._turn % len(self.places)


@pytest.mark.parametrize(
    ("degrees", "driven"), [(0, 0), (45, 45), (90, 60), (170, 60), (-120, -60)]
)
def test_a_vehicle_aims_ahead_of_it_as_it_turns(degrees, driven):
    bodies = Bodies.of([load_character("motorbike"), load_character("pedestrian")])
    flock = Flock.at_rest(bodies, np.array([[0.0, 0, 0], [5, 0, 0]]), np.tile([0.0, 1, 0], (2, 1)))
    angle = np.deg2rad(90.0 + degrees)
    aim = np.tile([np.cos(angle), np.sin(angle), 0.0], (2, 1))
    found = driven_directions(flock, aim)
    turned = np.deg2rad(90.0 + driven)
    assert found[0] == pytest.approx([np.cos(turned), np.sin(turned), 0.0], abs=1e-9)
    assert found[1] == pytest.approx(aim[1], abs=1e-12)


@pytest.mark.parametrize(
    ("activity", "said"),
    [
        ({"name": "wonder"}, "no activity named `wonder`; did you mean `wander`"),
        ({"name": "wander", "leg": 0.0}, "`leg` must be positive"),
        ({"name": "explore", "sight": -1.0}, "`sight` must be positive"),
        ({"name": "patrol", "posts": ["a"]}, "`posts` must name two regions or more"),
        ({"name": "hold", "within": "goal"}, "within`: unknown key"),
    ],
)
def test_wrong_options_are_refused(activity, said):
    with pytest.raises(InputError, match=said):
        choose(ACTIVITIES, activity, "`groups[0].afterwards`")


def test_an_unknown_region_is_refused_with_those_there_are(area):
    with pytest.raises(InputError, match="`within`: no region named `garden`"):
        RoamAbout(within="garden").chooser(area)
    with pytest.raises(InputError, match=r"`posts\[1\]`: no region named `gate`"):
        PatrolPosts(("goal", "gate")).chooser(area)


def test_vehicles_rather_go_where_they_need_not_turn_back(area):
    rider = load_character("motorbike")
    flock = Flock.at_rest(Bodies.of([rider]), np.zeros((1, 3)), np.array([[1.0, 0, 0]]))
    ahead, near, behind = np.array([[8.0, 1, 0], [0.5, 2.5, 0], [-8.0, 1, 0]])
    weights = course_weights(flock, 0, np.array([ahead, near, behind]))
    assert weights.sum() == pytest.approx(1.0)
    assert weights[0] > 20.0 * weights[1:].max()  # beside it, within its turning circle, is far
    walker = at(area, [[0.0, 0, 0]])
    kept = course_weights(walker, 0, np.array([ahead, behind]))
    assert 1.0 < kept[0] / kept[1] < 25.0


def test_vehicles_leave_out_corners_and_the_border_of_the_scene(area, parted):
    places = area.places("everywhere")
    rider = load_character("motorbike")
    driven = Area(replace(area.task, character=rider), area.home).places("everywhere")
    bounds = parted[0].bounds

    def inside(points):
        return np.minimum(points - bounds[0], bounds[1] - points)[:, :2].min()

    assert inside(driven) > inside(places)
    assert len(driven) >= 6


def test_more_posts_than_a_patrol_may_have_are_refused():
    with pytest.raises(InputError, match="`posts`: at most 200, given 201"):
        PatrolPosts(("a", "b") * 100 + ("a",))
