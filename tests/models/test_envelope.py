"""The envelope of several characters holds each of them, and does nothing that one cannot."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.models import Body, builtin_models, envelope, load_character
from rmp3d.models.envelope import enclosing
from rmp3d.scenes.build.shapes import box

WALKERS = ("pedestrian", "child", "dog", "sheep", "wolf")


def body(radius, low, height):
    """A walker's or a flyer's capsule, with a speck of a mesh."""
    middle = low + 0.5 * height
    return Body(box((-0.01, -0.01, middle - 0.01), (0.01, 0.01, middle + 0.01)),
                radius, (low, low + height))  # fmt: skip


capsules = st.builds(
    lambda radius, step, height: body(radius, radius + step, height),
    st.floats(0.1, 2.0), st.floats(0.0, 1.0), st.floats(0.0, 2.0),
)  # fmt: skip


def surface(body, rng, count=400):
    """Points all over the surface of a capsule."""
    way = rng.normal(size=(count, 3))
    way *= body.radius / np.linalg.norm(way, axis=1, keepdims=True)
    way[:, 2] += np.where(way[:, 2] > 0.0, body.capsule_axis[1], body.capsule_axis[0])
    return way


@given(st.lists(capsules, min_size=2, max_size=4))
def test_its_capsule_is_the_smallest_that_holds_all_capsules(bodies):
    around = enclosing(bodies)
    rng = np.random.default_rng(0)
    points = np.concatenate([surface(each, rng) for each in bodies])
    assert around.overhang(TriangleMesh(points, np.arange(3).reshape(1, 3))) < 1e-9
    assert around.radius == max(each.radius for each in bodies)
    foot = min(each.capsule_axis[0] - each.radius for each in bodies)
    top = max(each.capsule_axis[1] + each.radius for each in bodies)
    assert around.capsule_axis[0] - around.radius == pytest.approx(foot, abs=1e-9)
    assert around.capsule_axis[1] + around.radius == pytest.approx(top, abs=1e-9)


def test_walkers_stay_above_the_ground_and_flyers_keep_a_ball():
    walkers = envelope([load_character(name) for name in WALKERS])
    assert walkers.body.capsule_axis[0] >= walkers.body.radius
    flyers = envelope([load_character(name) for name in ("drone", "bird", "fish")])
    assert flyers.body.capsule_axis == (0.0, 0.0)
    assert flyers.body.radius == load_character("drone").body.radius


def test_every_collision_mesh_is_in_it():
    characters = [load_character(name) for name in WALKERS]
    around = envelope(characters).body
    assert all(around.overhang(each.body.mesh) < 1e-9 for each in characters)
    count = sum(len(each.body.mesh.faces) for each in characters)
    assert len(around.mesh.faces) == count


@pytest.mark.parametrize("names", [WALKERS, ("drone", "bird", "fish"), ("car", "motorbike")])
def test_it_can_do_what_all_can_and_nothing_more(names):
    characters = [load_character(name) for name in names]
    own, least = [each.parameters for each in characters], envelope(characters).parameters
    for name in ("max_speed", "cruise_speed", "max_turn_rate"):
        assert getattr(least, name) == min(getattr(each, name) for each in own)
    for name in ("max_force", "max_braking"):
        expected = min(getattr(each, name) / each.mass for each in own)
        assert getattr(least, name) / least.mass == pytest.approx(expected)
    side = min((each.max_side_force or each.max_force) / each.mass for each in own)
    assert least.max_side_force / least.mass == pytest.approx(side)
    assert least.turn_radius == max(each.turn_radius for each in own)


def test_it_turns_as_slowly_as_the_slowest():
    drone, bird = load_character("drone"), load_character("bird")
    heavy = replace(drone, parameters=replace(drone.parameters, max_torque=0.5))
    assert envelope([drone, bird]).turn_acceleration == np.inf
    found = envelope([bird, heavy]).turn_acceleration
    assert found == pytest.approx(heavy.turn_acceleration)


@pytest.mark.parametrize("name", builtin_models())
def test_a_single_character_is_its_own_envelope(name):
    character = load_character(name)
    assert envelope([character]) is character


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("pedestrian", "drone"), "`pedestrian` stays on the ground and `drone` moves in space"),
        (("box", "dog"), "`box` is carried and `dog` stays on the ground"),
        (("pedestrian", "car"), "`car` has a `turn_radius` and `pedestrian` moves in any direct"),
    ],
)
def test_characters_that_move_in_different_ways_are_refused(names, message):
    with pytest.raises(InputError, match=message + r".*make a group of each"):
        envelope([load_character(name) for name in names])


def test_what_is_carried_is_of_one_character():
    crate = load_character("box")
    with pytest.raises(InputError, match="carried are all of one character, given `box`, `tall`"):
        envelope([crate, replace(crate, name="tall")])
