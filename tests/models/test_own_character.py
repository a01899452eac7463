"""Characters from Python: what follows from little, what is refused, and files of them."""

import math

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.errors import InputError
from rmp3d.models import Body, Character, load_character
from rmp3d.models.saving import save_character, settled

COLUMN = trimesh.creation.cylinder(0.3, 1.7)
COLUMN.apply_translation([0, 0, 0.85])
BALL = trimesh.creation.icosphere(radius=0.4)


def test_a_walker_follows_from_its_mesh():
    walker = Character(COLUMN, name="post", max_speed=2.0)
    low, high = walker.body.capsule_axis
    assert low >= walker.body.radius >= 0.3
    assert high + walker.body.radius == pytest.approx(1.7)
    assert walker.body.overhang(walker.body.mesh) <= 1e-9
    assert walker.body.mesh.is_watertight
    assert walker.parameters.cruise_speed == pytest.approx(1.4)
    assert walker.parameters.max_force == pytest.approx(4.0 * 75.0)


def test_a_flyer_has_a_ball_around_its_mesh():
    flyer = Character(BALL, vehicle="flying", max_speed=6.0, mass=2.0)
    assert flyer.body.radius == pytest.approx(0.4)
    assert flyer.body.capsule_axis == (0.0, 0.0)
    assert flyer.body.mesh is flyer.mesh


def test_a_body_may_be_a_mesh_or_a_body():
    small = trimesh.creation.icosphere(radius=0.1)
    assert Character(BALL, body=small, vehicle="flying").body.radius == pytest.approx(0.1)
    body = Body(Character(BALL, vehicle="flying").mesh, 0.5, (0.0, 0.0))
    assert Character(BALL, body=body, vehicle="flying").body is body


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        (
            {"max_sped": 1.0},
            "named `max_sped`; did you mean `max_speed`",
        ),
        ({"max_speed": "fast"}, "`max_speed` must be a number"),
        ({"max_speed": -1.0}, "`max_speed` must be positive"),
        ({"mesh": 3}, "`mesh`: `mesh` is 3"),
        ({"mesh": BALL}, "a walker stands on z = 0"),
    ],
)
def test_a_wrong_argument_is_named(keywords, said):
    with pytest.raises(InputError, match=said):
        Character(keywords.pop("mesh", COLUMN), **keywords)


@pytest.mark.parametrize("mesh", [COLUMN, BALL])
def test_a_file_of_a_settled_character_reads_back_to_the_same_bits(mesh, tmp_path):
    vehicle = "flying" if mesh is BALL else "hugging"
    own = Character(mesh, name="my one", vehicle=vehicle, max_turn_rate=1.1, max_pitch=0.7)
    kept = settled(own)
    again = load_character(save_character(kept, tmp_path))
    assert again.parameters == kept.parameters
    assert again.body.radius == kept.body.radius
    for one, other in ((again.mesh, kept.mesh), (again.body.mesh, kept.body.mesh)):
        np.testing.assert_array_equal(one.vertices, other.vertices)
        np.testing.assert_array_equal(one.faces, other.faces)
    np.testing.assert_array_equal(again.colors, kept.colors)
    assert settled(kept).parameters == kept.parameters
    assert kept.parameters.max_turn_rate == pytest.approx(1.1)


def test_every_angle_comes_back_from_its_degrees():
    from rmp3d.models.saving import _degrees

    for angle in np.random.default_rng(0).uniform(0.01, 7.0, 2000).tolist():
        snapped = math.radians(math.degrees(angle))
        assert math.radians(_degrees(snapped)) == snapped


def test_legs_step_up_an_eighth_of_the_height_and_wheels_roll_over_two_centimeters():
    assert Character(COLUMN).parameters.max_step == pytest.approx(0.2)
    small = COLUMN.copy().apply_scale(0.5)
    assert Character(small).parameters.max_step == pytest.approx(0.85 / 8)
    assert Character(COLUMN, turn_radius=1.0).parameters.max_step == pytest.approx(0.02)
    assert Character(COLUMN, max_step=0.35).parameters.max_step == pytest.approx(0.35)


@pytest.mark.parametrize("step", [-0.1, float("nan"), 0.9])
def test_a_step_that_no_body_takes_is_refused(step):
    with pytest.raises(InputError, match="`max_step`"):
        Character(COLUMN, max_step=step)


def test_the_built_in_people_climb_stairs_and_the_car_does_not():
    steps = {name: load_character(name).parameters.max_step for name in ("pedestrian", "car")}
    assert steps == {"pedestrian": 0.2, "car": 0.02}


def test_an_own_walker_in_a_file_steps_as_one_from_python(tmp_path):
    settled_walker = settled(Character(COLUMN, name="post"))
    path = save_character(settled_walker, tmp_path)
    kept = load_character(path).parameters.max_step
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("max_step")), "utf-8")
    assert load_character(path).parameters.max_step == pytest.approx(kept)
