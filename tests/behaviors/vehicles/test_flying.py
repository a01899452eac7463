import numpy as np
import pytest

from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.vehicles import attainable, fly
from rmp3d.behaviors.vehicles.flying import GRAVITY, ROLL_TIME, STEEPEST_ROLL
from rmp3d.geometry.rotations import frame, matrix_from_quaternion


def circling(make, agents, radius, speed, seconds=6.0):
    """Fly level left turns of a radius; yield the flock."""
    for k in range(round(seconds / make.dt)):
        angle = speed / radius * k * make.dt
        velocity = speed * np.array([[np.cos(angle), np.sin(angle), 0.0]])
        agents = fly(agents, velocity, make.dt)
        yield agents


@pytest.mark.parametrize("banking", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("radius", "speed"), [(2.0, 1.5), (5.0, 3.0), (20.0, 5.0)])
def test_a_steady_turn_is_banked_by_v_squared_over_g_r(make, banking, radius, speed):
    agents = make.flock(np.zeros((1, 3)), [[speed, 0, 0]], banking=[banking])
    *_, agents = circling(make, agents, radius, speed)
    heading, left, up = np.moveaxis(matrix_from_quaternion(agents.orientation_wxyz)[0], 1, 0)
    roll = np.degrees(np.arctan2(-left[2], up[2]))  # to the left, into the turn
    expected = np.degrees(np.arctan(banking * speed**2 / (9.81 * radius)))
    assert roll == pytest.approx(expected, abs=2.0)
    assert heading[2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("force", [1.0, 3.0])
def test_a_flyer_steered_by_a_constant_side_force_banks_as_its_circle_says(make, force):
    """The whole chain: force, attainable velocity, roll; R is measured on the way flown."""
    agents = make.flock(np.zeros((1, 3)), [[2.0, 0, 0]], cruise_speed=[2.0], max_turn_rate=[9.0])
    track = []
    for _ in range(round(12.0 / make.dt)):
        side = np.cross([0.0, 0, 1], agents.velocity) / np.linalg.norm(agents.velocity)
        wanted = agents.velocity + force * side * RESPONSE_TIME
        wanted *= 2.0 / np.linalg.norm(wanted)
        agents = fly(agents, attainable(agents, wanted, make.dt), make.dt)
        track.append(agents.position[0])
    loop = np.array(track)[-round(2 * np.pi * 2.0 / force / make.dt) :]
    radius = 0.5 * np.ptp(loop[:, 0])
    speed = np.linalg.norm(agents.velocity)
    axes = matrix_from_quaternion(agents.orientation_wxyz)[0]
    roll = np.degrees(np.arctan2(-axes[2, 1], axes[2, 2]))
    assert roll == pytest.approx(np.degrees(np.arctan(speed**2 / (9.81 * radius))), abs=1.0)
    assert roll > 4.0


def test_the_heading_keeps_its_turn_rate(make):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.normal(size=(20, 3)), max_turn_rate=rng.uniform(0.5, 4, 20))
    for step in range(60):
        velocity = rng.normal(0, 2, (20, 3)) * (step % 7 > 0)
        after = fly(agents, velocity, make.dt)
        chord = np.linalg.norm(after.heading - agents.heading, axis=1)
        turn = 2.0 * np.arcsin(chord / 2.0)
        assert (turn <= agents.bodies.max_turn_rate * make.dt + 1e-9).all()
        agents = after
        np.testing.assert_allclose(np.linalg.norm(agents.heading, axis=1), 1.0, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(agents.up, axis=1), 1.0, atol=1e-12)
        np.testing.assert_allclose((agents.heading * agents.up).sum(axis=1), 0.0, atol=1e-9)


def test_the_up_comes_a_share_of_the_way_to_the_lift_in_each_step(make):
    rng = np.random.default_rng(2)
    heading = rng.normal(size=(30, 3))
    axes = frame(heading, rng.normal(size=(30, 3)))
    agents = make.flock(
        np.zeros((30, 3)), rng.normal(size=(30, 3)), heading=axes[:, :, 0], up=axes[:, :, 2],
        banking=rng.uniform(size=30),
    )  # fmt: skip
    velocity = agents.velocity + rng.normal(0, 0.2, (30, 3))
    after = fly(agents, velocity, make.dt)
    lift = agents.bodies.banking[:, None] * (velocity - agents.velocity) / make.dt + [0, 0, GRAVITY]
    share = 1.0 - np.exp(-make.dt / ROLL_TIME)
    up = (1.0 - share) * agents.up + share * frame(after.heading, lift)[:, :, 2]
    np.testing.assert_allclose(after.up, frame(after.heading, up)[:, :, 2], atol=1e-12)


def test_the_position_is_the_sum_of_the_velocities(make):
    rng = np.random.default_rng(1)
    agents = make.flock(np.zeros((3, 3)))
    total = np.zeros((3, 3))
    for _ in range(40):
        velocity = rng.normal(size=(3, 3))
        total += velocity * make.dt
        agents = fly(agents, velocity, make.dt)
        np.testing.assert_array_equal(agents.velocity, velocity)
    np.testing.assert_allclose(agents.position, total, atol=1e-12)


def test_hovering_and_flying_straight_up_keep_a_frame(make):
    agents = make.flock(np.zeros((2, 3)), banking=[1.0, 0.0])
    hovering = fly(agents, np.zeros((2, 3)), make.dt)
    np.testing.assert_allclose(hovering.heading, agents.heading)
    np.testing.assert_allclose(hovering.up, agents.up, atol=1e-12)
    for velocity in ([0.0, 0, 2], [0.0, 0, -2]):
        for _ in range(60):
            agents = fly(agents, np.tile(velocity, (2, 1)), make.dt)
            frames = matrix_from_quaternion(agents.orientation_wxyz)
            np.testing.assert_allclose(np.linalg.det(frames), 1.0, atol=1e-9)


def test_roll_is_damped_when_the_turn_ends(make):
    agents = make.flock(np.zeros((1, 3)), [[3.0, 0, 0]])
    *_, agents = circling(make, agents, 2.0, 3.0, 3.0)
    assert agents.up[0, 2] < 0.95
    for _ in range(60):
        agents = fly(agents, agents.velocity, make.dt)
    assert agents.up[0, 2] > 0.9999


def test_the_nose_follows_a_descent_up_to_the_largest_pitch(make):
    limit = np.radians([20.0, 90.0])
    agents = make.flock(np.zeros((2, 3)), max_pitch=limit)
    dive = np.tile([1.0, 0.0, -2.0], (2, 1))
    for _ in range(120):
        agents = fly(agents, dive, make.dt)
    pitch = -np.degrees(np.arcsin(agents.heading[:, 2]))
    np.testing.assert_allclose(pitch, [20.0, np.degrees(np.arctan2(2.0, 1.0))], atol=0.1)
    level = fly(agents, np.tile([0.0, 0.0, -2.0], (2, 1)), make.dt)
    np.testing.assert_allclose(level.heading[0], agents.heading[0], atol=1e-12)


def test_a_flyer_that_turns_back_stays_upright_and_keeps_its_pitch(make):
    # From climbing ahead to climbing back: the shortest turn would lead over its tail.
    limit = np.radians(50.0)
    agents = make.flock(np.zeros((1, 3)), max_pitch=limit, banking=0.25)
    for direction in ([1.0, 0.0, 1.5], [-1.0, 0.01, 1.5], [1.0, 0.0, -1.5], [-1.0, 0.01, -1.5]):
        for _ in range(120):  # the last of the way it turns slowly
            before, agents = agents, fly(agents, np.array([direction]), make.dt)
            turn = np.arccos(np.clip((before.heading * agents.heading).sum(), -1.0, 1.0))
            assert turn <= 3.0 * make.dt + 1e-9
            assert abs(np.arcsin(agents.heading[0, 2])) <= limit + 1e-9
            assert agents.up[0, 2] > 0.0
        aim = np.arctan2(direction[1], direction[0])
        yaw = np.arctan2(agents.heading[0, 1], agents.heading[0, 0])
        assert abs(np.angle(np.exp(1j * (aim - yaw)))) < 0.05


def test_a_bird_that_drops_faster_than_it_falls_does_not_roll_over(make):
    agents = make.flock(
        np.zeros((1, 3)), [[6.0, 0, 0]], max_pitch=np.radians(40.0), banking=1.0
    )  # fmt: skip
    for step in range(1, 60):
        down = -12.0 * step * make.dt  # more than gravity, so that its lift points down
        agents = fly(agents, np.array([[6.0, 0.3 * step * make.dt, down]]), make.dt)
        roll = np.arctan2(
            agents.up[0, 0] * agents.heading[0, 1] - agents.up[0, 1] * agents.heading[0, 0],
            agents.up[0, 2],
        )
        assert abs(roll) <= STEEPEST_ROLL + 1e-9
    assert abs(roll) == pytest.approx(STEEPEST_ROLL)


def test_a_flyer_without_limits_may_loop(make):
    agents = make.flock(np.zeros((1, 3)), [[1.0, 0, 0]], max_turn_rate=20.0)
    seen = []
    for angle in np.linspace(0.0, 2.0 * np.pi, 120):
        agents = fly(agents, np.array([[np.cos(angle), 0.0, np.sin(angle)]]), make.dt)
        seen.append(agents.heading[0, 2])
    assert max(seen) > 0.99
    assert min(seen) < -0.99


@pytest.mark.parametrize(("radius", "turns"), [(0.0, True), (1.0, False)])
def test_a_flyer_looks_where_it_is_about_to_go_unless_it_only_goes_where_it_looks(
    make, radius, turns
):
    east = np.array([[3.0, 0, 0]])
    agents = make.flock(
        [[0.0, 0, 0]], velocity=east, heading=[[1.0, 0, 0]], turn_radius=radius, max_turn_rate=9.0
    )
    velocity, aside = np.array([[2.8, 0.5, 0.2]]), np.array([[-1.0, 3.0, 0.2]])
    looks = fly(agents, velocity, make.dt, wanted=aside)
    goes = fly(agents, velocity, make.dt)
    assert (looks.heading[0, 1] > goes.heading[0, 1] + 0.05) == turns
    np.testing.assert_array_equal(looks.position, goes.position)
    np.testing.assert_array_equal(looks.velocity, goes.velocity)
