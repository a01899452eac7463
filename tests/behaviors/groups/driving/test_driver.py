"""Vehicles with a driver: they get through a gate, wait for one another, and make room."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving import driver as driving
from rmp3d.behaviors.groups.driving import trail as trails
from rmp3d.behaviors.groups.driving.driver import Driver
from rmp3d.behaviors.groups.driving.gaps import cores_of, gaps_between
from rmp3d.behaviors.groups.driving.requests import Requests
from rmp3d.behaviors.groups.driving.right_of_way import NOBODY
from rmp3d.behaviors.groups.driving.route import Route
from rmp3d.behaviors.groups.driving.routes import find_route
from rmp3d.behaviors.groups.driving.trail import Trail
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.vehicles import attainable, hug
from rmp3d.geometry.query import MeshQuery

DT = 1.0 / 30.0


def guide(position, goal):
    """Return the points ahead: the ends of the corridor, if they lie between, and the goal."""
    course = 1.0 if goal[0] > position[0] else -1.0
    between = [x for x in (-4.5 * course, 4.5 * course) if x * course > position[0] * course]
    return np.array([*([x, 0.0, 0.0] for x in between), goal])


def drive(space, flock, goals, seconds, pace=3.0, led=True):
    """Return the states of vehicles that drive to goals (n, 3), kept safe as in a run."""
    driver = Driver(lambda *_: space, np.arange(len(flock)), DT)
    solid = MeshQuery(space.world.scene.walking_obstacles[0])
    safety = SafetyConstraint(solid, None, space.surface, space.bounds, DT)
    goals, states = np.array(goals, float), [flock]
    for _ in range(round(seconds / DT)):
        left = np.linalg.norm(goals - flock.position, axis=1)
        parked = left < 0.5
        if parked.all():
            break
        points = {m: guide(flock.position[m], goals[m]) for m in range(len(flock))}
        guides = Guides(points.get, np.full(len(flock), pace), np.ones(len(flock), bool))
        intent = Intent(goals, 0.0 * goals, left, parked, guides=guides if led else None)
        intent = driver.completed(intent, flock, flock)
        none = SteeringOutput(0.0 * goals, 0.0 * goals, np.zeros(len(flock), bool))
        force = driver.steered(none, flock, intent).force
        wanted = flock.velocity + force / flock.bodies.mass[:, None] * 0.25
        proposal = attainable(flock, wanted, DT, intent.gear < 0)
        flock = hug(flock, safety.velocity(flock, proposal, wanted), space.surface, DT)
        states.append(flock)
    return states


def apart(flock):
    gaps = gaps_between(cores_of(flock), cores_of(flock))
    return gaps[~np.eye(len(flock), dtype=bool)].min()


def test_one_wedged_beside_the_gate_backs_up_and_drives_through(gate, bikes):
    states = drive(gate, bikes.at([[-5.1, -1.3, 0.0]]), [[8.0, 0.0, 0.0]], 20.0)
    assert np.linalg.norm(states[-1].position[0] - [8.0, 0.0, 0.0]) < 0.5
    along = [float(now.velocity[0] @ now.heading[0]) for now in states]
    assert min(along) < -0.3, "it backed up"
    assert max(along) > 2.0, "and drove on at its pace"


def test_one_without_guides_is_left_alone_until_it_stands(gate, bikes):
    flock = bikes.at([[-9.0, 0.0, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(1), DT)
    goal = np.array([[8.0, 0.0, 0.0]])
    intent = Intent(goal, 0.0 * goal, np.array([17.0]), np.zeros(1, bool))
    gears = [int(driver.completed(intent, flock, flock).gear[0]) for _ in range(45)]
    assert gears[:25] == [0] * 25
    assert gears[-1] != 0


def test_two_that_meet_in_the_corridor_both_get_through(gate, bikes):
    """Of two in a corridor 2 m wide, the one with the longer way to go backs out."""
    flock = bikes.at([[-9.0, 0.0, 0.0], [8.0, 0.0, np.pi]])
    goals = np.array([[9.0, 3.0, 0.0], [-12.0, -3.0, 0.0]])
    states = drive(gate, flock, goals, 60.0)
    assert (np.linalg.norm(states[-1].position - goals, axis=1) < 0.5).all()
    assert min(apart(now) for now in states[::5]) > 0.0


def test_three_go_through_one_after_another_and_the_same_again(gate, bikes):
    poses = [[-6.5, 0.0, 0.0], [-9.0, 2.0, 0.0], [-9.5, -2.0, 0.0]]
    goals = np.array([[14.0, 0.0, 0.0], [10.0, 3.0, 0.0], [9.0, -3.0, 0.0]])
    runs = [drive(gate, bikes.at(poses), goals, seconds) for seconds in (30.0, 2.0)]
    assert (np.linalg.norm(runs[0][-1].position - goals, axis=1) < 0.5).all()
    assert min(apart(now) for now in runs[0][::5]) > 0.0
    for one, other in zip(*runs, strict=False):
        assert one.position.tobytes() == other.position.tobytes()


def test_those_that_stay_drive_on_when_one_before_them_leaves(gate, bikes):
    flock = bikes.at([[-9.0, 3.0, 0.0], [-9.0, 0.0, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(2), DT)

    def intent(count):
        goal = np.tile([0.0, 0.0, 0.0], (count, 1))
        guides = Guides(lambda _: goal[:1], np.ones(count), np.ones(count, bool))
        return Intent(goal, goal, np.full(count, 9.0), np.zeros(count, bool), guides=guides)

    assert (driver.completed(intent(2), flock, flock).gear != 0).all()
    assert set(driver.road.claims) == {0, 1}
    driver.turn_over(Turnover(np.array([1]), 2), np.arange(1))
    alone = flock.select(np.array([1]))
    assert driver.completed(intent(1), alone, alone).gear.shape == (1,)
    assert set(driver.road.claims) == {0}


def test_a_maneuver_is_given_up_when_its_guide_leads_elsewhere(gate, bikes):
    flock = bikes.at([[-12.0, 0.0, np.pi]])
    driver = Driver(lambda *_: gate, np.arange(1), DT)

    def end_after(goal):
        goal = np.array([goal])
        guides = Guides(lambda _: goal, np.ones(1), np.ones(1, bool))
        intent = Intent(goal, 0.0 * goal, np.ones(1), np.zeros(1, bool), guides=guides)
        for _ in range(30):
            driver.completed(intent, flock, flock)
        route = driver._drives[0].route
        assert (route.gear < 0).any(), "it turns round"
        return route.point[-1]

    for goal in ([-8.0, 0.0, 0.0], [-9.0, -7.0, 0.0]):
        assert np.linalg.norm(end_after(goal) - goal) < 1.0


@pytest.mark.parametrize("pivots", [True, False])
def test_one_that_pivots_is_steered_instead(gate, bikes, pivots):
    flock = bikes.at([[-5.1, -1.3, 0.0]]).with_bodies(pivots=pivots)
    driver = Driver(lambda *_: gate, np.arange(1), DT)
    goal = np.array([[8.0, 0.0, 0.0]])
    guides = Guides(lambda _: goal, np.ones(1), np.ones(1, bool))
    intent = Intent(goal, 0.0 * goal, np.array([17.0]), np.zeros(1, bool), guides=guides)
    assert (driver.completed(intent, flock, flock).gear[0] == 0) == pivots


def test_one_that_makes_room_and_cannot_gives_up_and_the_other_goes_round(gate, bikes, monkeypatch):
    flock = bikes.at([[-1.2, 0.0, 0.0], [1.2, 0.0, np.pi]])
    driver = Driver(lambda *_: gate, np.arange(2), DT)
    goals = {0: np.array([[14.0, 0.0, 0.0]]), 1: np.array([[-14.0, 0.0, 0.0]])}
    guides = Guides(goals.get, np.ones(2), np.ones(2, bool))
    for member in (0, 1):
        alone = driver._driven(member, guides, flock, np.zeros((0, 6)))
        route = find_route(alone, *driver._ends(member, guides, flock))
        driver._begin(member, route, True, {}, flock).order = (1.0 - member, member)
    driver._order(np.zeros(2))
    driver._stops(flock, flock)
    assert sorted(driver.road.circle(0)) == [0, 1]
    monkeypatch.setattr(trails, "find_shelter", lambda *_: None)
    assert not driver._makes_room(0, [0, 1], guides, flock, flock)
    assert set(driver._drives) == {1}
    driver._still[1] = 9.0
    driver._dissolve(guides, np.ones(2, bool), flock, flock)
    assert not driver._drives


def test_one_that_waits_for_a_circle_without_end_gets_away_and_stays_away(gate, bikes):
    """Two stand nose to nose in the open, and the third waits close behind the first."""
    flock = bikes.at([[-9.5, 0.0, 0.0], [-7.0, 0.0, np.pi], [-11.9, 0.0, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(3), DT)
    yes, along = np.ones(3, bool), np.arange(20) * 0.1
    goals = {0: [14.0, 0.0, 0.0], 1: [-14.0, 0.0, 0.0], 2: [14.0, 0.0, 0.0]}
    guides = Guides({m: np.array([goal]) for m, goal in goals.items()}.get, np.ones(3), yes)
    for member, (place, ahead) in enumerate(zip(flock.position, flock.heading, strict=True)):
        angle = np.full(20, np.arctan2(ahead[1], ahead[0]))
        route = Route(place + along[:, None] * ahead, angle, np.ones(20, np.intp), along, along)
        driver._begin(member, route, True, {}, flock)
    driver._order(np.arange(3.0))
    driver._stops(flock, flock)
    assert sorted(driver.road.circle(0)) == [0, 1]
    assert driver.road.circle(2) == []
    driver._still[:] = [0.0, 0.0, driving.STUCK - 1.0]
    driver._dissolve(guides, yes, flock, flock)
    assert driver._drives[2].pause == 0.0
    driver._still[:] = [0.0, 0.0, driving.STUCK + 1.0]
    driver._dissolve(guides, yes, flock, flock)
    drive = driver._drives[2]
    gap = gaps_between(drive.cores[[0, -1]], cores_of(flock)[:2]).min(axis=1)
    assert gap[1] > gap[0] + 0.5
    drive.at = len(drive.route.gear) - 2
    poses = [
        [*place, angle]
        for place, angle in zip(flock.position[:, :2], [0.0, np.pi, 0.0], strict=True)
    ]
    poses[2] = [*drive.route.point[-1, :2], drive.route.angle[-1]]
    driver._follow(bikes.at(poses))
    assert 2 not in driver._drives
    assert driver._pause[2] == driving.STAYS


def two_behind_one_another(gate, bikes, by_time=False):
    """A driver of two on straight routes: the first has its nose at the wall beside the gate."""
    flock = bikes.at([[-5.1, -1.3, 0.0], [-7.2, -1.3, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(2), DT)
    goal, along = np.array([[-4.5, 0.0, 0.0]]), np.arange(20) * 0.1
    guides = Guides({0: goal, 1: goal}.get, np.ones(2), np.ones(2, bool), by_time=by_time)
    for member, place in enumerate(flock.position):
        point = place + along[:, None] * [1.0, 0.0, 0.0]
        route = Route(point, 0.0 * along, np.ones(20, np.intp), along, along)
        driver._begin(member, route, True, {}, flock)
    driver._order(np.arange(2.0))
    driver._stops(flock, flock)
    return driver, flock, guides


def test_one_that_finds_no_way_back_waits_for_the_one_behind_and_that_one_makes_room(gate, bikes):
    """The wall beside the gate holds up the first; the second is close behind it, and waits."""
    driver, flock, guides = two_behind_one_another(gate, bikes, by_time=True)
    yes = np.ones(2, bool)
    assert driver.road.waits == {0: NOBODY, 1: 0}
    driver._still[0] = 1.1
    driver._dissolve(guides, yes, flock, flock)
    driver._look_for_routes(guides, yes, yes, flock, flock, {})
    driver._order(np.arange(2.0))
    driver._stops(flock, flock)
    assert sorted(driver.road.circle(0)) == [0, 1]
    driver._still[1] = 1.1
    driver._dissolve(guides, yes, flock, flock)
    assert driver._drives[1].order is not None, "it makes room"


def test_one_that_waits_for_one_that_stands_for_good_looks_for_a_way_round_it(
    gate, bikes, monkeypatch
):
    """The first is at a wall, finds no way out, and keeps its route; the second is behind it."""
    driver, flock, guides = two_behind_one_another(gate, bikes)
    yes = np.ones(2, bool)
    monkeypatch.setattr(Requests, "find_way", lambda *_: None)
    driver._still[:] = [1.1, 1.1]
    driver._dissolve(guides, yes, flock, flock)
    assert set(driver._drives) == {1}, "it waits its turn"
    driver._look_for_routes(guides, yes, np.array([True, False]), flock, flock, {})
    driver._order(np.arange(2.0))
    driver._stops(flock, flock)
    assert set(driver._drives) == {0, 1}, "the first has taken up its route again"
    driver._still[0] = 0.0
    driver._dissolve(guides, yes, flock, flock)
    assert set(driver._drives) == {0}
    assert len(driver._standing(1, flock, flock, everyone=False).cores) == 1


@pytest.mark.parametrize(("x", "there_is_a_way"), [(-2.0, False), (4.0, True)])
def test_nobody_goes_back_against_one_that_waits_for_it(x, there_is_a_way):
    trail = Trail()
    for along in np.arange(-6.0, 0.01, 0.2):
        trail.add(np.array([along, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    claimed = np.array([[-0.5, 0.0, 8.0, 0.0, 0.4, 0.0]])
    waiting = np.array([[x, 0.0, x, 0.0, 0.4, 0.0]])
    here = np.zeros(3), np.array([1.0, 0.0, 0.0])
    route = trail.back_to_clear(*here, np.array([-0.5, 0.5]), 0.4, claimed, waiting)
    assert (route is not None) == there_is_a_way
    assert route is None or (route.point[-1, 0] < -2.0 and (route.gear < 0).all())


def test_a_vehicle_that_may_park_drives_its_last_route_to_the_end(gate, bikes):
    """Its group counts it as parked as soon as it is near its stall: it may still be aslant."""
    driver = Driver(lambda *_: gate, np.arange(1), DT)
    goal, course = np.array([[-11.5, 1.2, 0.0]]), 0.9
    flock, left = bikes.at([[-14.0, 0.0, 0.0]]), 9.0
    for _ in range(200):
        parked = np.array([left < 0.8])
        for_all = (np.full(1, 3.0), np.ones(1, bool))
        guides = Guides({0: goal}.get, *for_all, course=np.full(1, course))
        intent = Intent(goal, 0.0 * goal, np.full(1, left), parked, guides=guides)
        intent = driver.completed(intent, flock, flock)
        none = SteeringOutput(0.0 * goal, 0.0 * goal, np.zeros(1, bool))
        force = driver.steered(none, flock, intent).force
        wanted = flock.velocity + force / flock.bodies.mass[:, None] * 0.25
        flock = hug(flock, attainable(flock, wanted, DT, intent.gear < 0), gate.surface, DT)
        left = min(left, float(np.linalg.norm(flock.position - goal)))
    assert np.linalg.norm(flock.position - goal) < 0.15, "it rolls on a bit"
    angle = np.arctan2(flock.heading[0, 1], flock.heading[0, 0])
    assert abs(np.sin(angle - course)) < 0.05
