"""The tutorial's avoidance, and Millington's behaviors, against their formulas."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import (
    Align,
    Attraction,
    Flee,
    Friction,
    Seek,
    SphereAvoidance,
    Wander,
)
from rmp3d.behaviors.steering_behavior import KnownAgent
from rmp3d.behaviors.vehicles.spinning import spun
from rmp3d.geometry.errors import InputError


def bevilacqua(position, velocity, radius, max_speed, spheres, sight, strength):
    """The tutorial's rule for one agent, line by line."""
    dynamic_length = np.linalg.norm(velocity) / max_speed
    ahead = position + velocity / np.linalg.norm(velocity) * dynamic_length * sight
    ahead2 = position + 0.5 * (ahead - position)
    threat = None
    for x, y, z, size in spheres:
        center = np.array([x, y, z])
        blocks = any(
            np.linalg.norm(center - point) <= size + radius for point in (ahead, ahead2, position)
        )
        nearer = threat is None or np.linalg.norm(center - position) < np.linalg.norm(
            threat - position
        )
        if blocks and nearer:
            threat = center
    if threat is None:
        return np.zeros(3)
    return strength * (ahead - threat) / np.linalg.norm(ahead - threat)


def test_sphere_avoidance_is_the_tutorials(make):
    rng = np.random.default_rng(0)
    spheres = np.column_stack([rng.uniform(-4, 4, (12, 3)), rng.uniform(0.3, 1.2, 12)])
    agents = make.flock(rng.uniform(-4, 4, (60, 3)), rng.normal(size=(60, 3)))
    rule = SphereAvoidance(spheres.tolist(), sight=3.0, strength=2.5)
    force = rule.steering_force(agents, make.surroundings(agents))
    bodies = agents.bodies
    expected = [
        bodies.mass[k] * bevilacqua(
            agents.position[k], agents.velocity[k], bodies.radius[k], bodies.max_speed[k], spheres,
            3.0, 2.5,
        )
        for k in range(60)
    ]  # fmt: skip
    np.testing.assert_allclose(force, expected, atol=1e-12)
    assert 10 < (np.abs(force).max(axis=1) > 0).sum() < 60


def test_sphere_avoidance_sees_no_farther_than_its_speed_takes_it(make):
    for speed, acts in ((0.2, False), (1.4, True)):
        agents = make.flock([[0.0, 0, 0]], [[speed, 0, 0]])
        rule = SphereAvoidance([[3.0, 0.5, 0, 1.0]], sight=4.0)
        force = rule.steering_force(agents, make.surroundings(agents))
        assert (np.abs(force).max() > 0.0) == acts


def test_a_walker_goes_round_spheres_of_any_height(make):
    for height in (-3.0, 0.0, 4.0):
        agents = make.flock([[0.0, 0, 0]], [[1.4, 0, 0]], grounded=True)
        rule = SphereAvoidance([[1.5, 0.3, height, 1.0]])
        force = rule.steering_force(agents, make.surroundings(agents))
        assert force[0, 1] < 0.0
        assert force[0, 2] == 0.0


def test_friction_lets_a_velocity_decay_and_makes_a_final_speed(make):
    agents = make.flock([[0.0, 0, 0]], [[1.2, 0.4, 0.0]])
    dt, start = 1e-3, agents.velocity
    for _ in range(1000):
        force = Friction(1.5).steering_force(agents, make.surroundings(agents))
        agents = agents.moved(velocity=agents.velocity + force / agents.bodies.mass[:, None] * dt)
    np.testing.assert_allclose(agents.velocity, np.exp(-1.5) * start, rtol=2e-3)
    push = np.array([[3.0, 0, 0]])
    for _ in range(8000):
        force = push + Friction(1.5).steering_force(agents, make.surroundings(agents))
        agents = agents.moved(velocity=agents.velocity + force / agents.bodies.mass[:, None] * dt)
    np.testing.assert_allclose(agents.velocity, push / (2.0 * 1.5), atol=1e-4)  # 2 kg


def test_full_acceleration_does_not_depend_on_the_velocity(make):
    rng = np.random.default_rng(0)
    position = rng.normal(size=(20, 3))
    goal = np.array([5.0, 1.0, 2.0])
    forces = []
    for seed in range(2):
        velocity = np.random.default_rng(seed).normal(size=(20, 3))
        agents = make.flock(position, velocity)
        around = make.surroundings(agents, subgoal=goal)
        forces.append(Seek(full_acceleration=True).steering_force(agents, around))
    np.testing.assert_array_equal(*forces)
    offset = goal - position
    direction = offset / np.linalg.norm(offset, axis=1, keepdims=True)
    np.testing.assert_allclose(forces[0], agents.bodies.max_force[:, None] * direction)
    threat = KnownAgent.row_of(make.flock(np.tile(goal, (20, 1))), np.arange(20))
    around = make.surroundings(agents, others={"threat": threat})
    away = Flee(full_acceleration=True).steering_force(agents, around)
    np.testing.assert_allclose(away, -forces[0])
    near = Flee(panic_distance=1e-6, full_acceleration=True).steering_force(agents, around)
    np.testing.assert_array_equal(near, 0.0)


@pytest.mark.parametrize(("angle", "share"), [(10.0, 0.25), (40.0, 1.0), (170.0, 1.0), (2.0, 0.05)])
def test_align_slows_down_within_its_slow_radius(make, angle, share):
    """Millington's formula: maxRotation * rotationSize / slowRadius, over timeToTarget."""
    agents = make.flock([[0.0, 0, 0]], max_turn_rate=np.full(1, 2.0), grounded=True)
    turned = [[np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0]]
    other = make.flock([[1.0, 0, 0]], heading=turned, grounded=True)
    around = make.surroundings(
        agents, others={"quarry": KnownAgent.row_of(other, np.zeros(1, int))}
    )
    turning, oriented = Align(slow_angle_deg=40.0).steering_turn(agents, around)
    np.testing.assert_allclose(turning, [[0, 0, 2.0 * share / 0.1]], atol=1e-9)
    assert oriented.all()


def test_a_wander_that_turns_pushes_along_the_heading_and_faces_its_point(make):
    headings = [[0.6, 0.8, 0]]
    agents = make.flock([[0.0, 0, 0]], [[1.0, 0, 0]], heading=headings, grounded=True)
    rule = Wander(offset=2.0, radius=1.0, output="heading")
    around = make.surroundings(agents)
    around = around.remembering(np.array([[0.0, 1.0, 0]]))  # the point at the left of the circle
    force = rule.steering_force(agents, around)
    np.testing.assert_allclose(force, agents.bodies.max_force[:, None] * headings)
    turning, oriented = rule.steering_turn(agents, around)
    assert oriented.all()
    assert turning[0, 2] > 0.0
    for _ in range(200):
        turning, _ = rule.steering_turn(agents, around)
        spin, heading, up = spun(agents, turning, 0.01)
        agents = agents.moved(spin=spin, heading=heading, up=up)
    # The point goes round with the heading, so it turns on at the rate of the angle to it.
    assert np.cross([0.6, 0.8, 0], agents.heading[0])[2] != 0.0
    plain, nothing = Wander().steering_turn(agents, around)
    np.testing.assert_array_equal(plain, 0.0)
    assert not nothing.any()


def test_attraction_is_the_sum_of_what_its_sources_do(make):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.uniform(-3, 3, (30, 3)))
    attractors, repulsors = [[1.0, 0, 0, 4.0], [0, 2, 1, 1.5]], [[-1.0, 0, 0, 2.0]]
    rule = Attraction(attractors, repulsors, strength=1.5)
    force = rule.steering_force(agents, make.surroundings(agents))
    for k, x in enumerate(agents.position):
        pull = np.zeros(3)
        for sign, sources in ((1, attractors), (-1, repulsors)):
            for *c, reach in sources:
                d = np.linalg.norm(np.array(c) - x)
                pull += sign * max(0.0, 1.0 - d / reach) * (np.array(c) - x) / d
        np.testing.assert_allclose(force[k], 2.0 * 1.5 * pull, atol=1e-12)


@pytest.mark.parametrize(("make_rule", "said"), [
    (lambda: SphereAvoidance(sight=0.0), "`sight` must be positive"),
    (lambda: SphereAvoidance([[0, 0, 0, -1.0]]), "`spheres` must be a list"),
    (lambda: Friction(-1.0), "`coefficient` must be 0 or more"),
    (lambda: Attraction([[0, 0, 0, 0.0]]), "`attractors` must be a list of"),
    (lambda: Align(slow_angle_deg=200.0), "`slow_angle_deg` must be from 0 to 180"),
])  # fmt: skip
def test_senseless_parameters_are_refused(make_rule, said):
    with pytest.raises(InputError, match=said):
        make_rule()
