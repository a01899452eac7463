"""A body holds every pose that its vehicle takes: built in, own, and at random."""

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rmp3d.geometry.errors import InputError
from rmp3d.models import Body, Character, builtin_models, envelope, load_character
from rmp3d.models.character import attitudes_of
from rmp3d.models.poses import SUNK, Attitudes, capsule_row, tilted
from rmp3d.scenes.build.shapes import box

DRIVEN = ("car", "motorbike")


def attitudes(character):
    return attitudes_of(character.vehicle, character.parameters)


def outside(capsules, points):
    """How far (P,) points (P, 3) are outside of all upright capsules (K, 4)."""
    nearest = np.zeros((len(points), len(capsules), 3))
    nearest[..., 0] = capsules[:, 0]
    nearest[..., 2] = np.clip(points[:, None, 2], capsules[:, 2], capsules[:, 3])
    far = np.linalg.norm(points[:, None] - nearest, axis=2) - capsules[:, 1]
    return far.min(axis=1)


def sampled(mesh, rng, count=400):
    """Points on the faces of a mesh, and its corners."""
    share = rng.dirichlet([1.0, 1.0, 1.0], count)
    picked = mesh.triangles[rng.integers(len(mesh.faces), size=count)]
    return np.concatenate([mesh.vertices, np.einsum("pi,pij->pj", share, picked)])


def worst(character, rng, count=30):
    """How far the mesh reaches out of its body at random attitudes, the largest ones among them."""
    points, limits = sampled(character.body.mesh, rng), attitudes(character)
    tilts = rng.uniform(-1.0, 1.0, (count, 2))
    tilts[:8] = np.sign(tilts[:8])
    tilts = tilts * limits
    turned = tilted(points, tilts[:, 0], tilts[:, 1]).reshape(-1, 3)
    return outside(character.body.capsules, turned).max()


@pytest.mark.parametrize("name", builtin_models())
def test_the_body_of_a_built_in_character_holds_every_pose(name):
    character = load_character(name)
    rng = np.random.default_rng(1)
    assert worst(character, rng) <= 1e-9
    if not character.grounded:  # a ball: however it turns
        points = sampled(character.body.mesh, rng)
        turns = Rotation.random(20, rng=rng).as_matrix()
        turned = np.einsum("tij,pj->tpi", turns, points).reshape(-1, 3)
        assert outside(character.body.capsules, turned).max() <= 1e-9


@st.composite
def wheeled(draw):
    """A block or a bent one on wheels: sizes, attitudes."""
    length, width = draw(st.floats(0.5, 4.0)), draw(st.floats(0.2, 1.5))
    low, high = draw(st.floats(0.1, 0.8)), draw(st.floats(0.1, 1.5))
    pitch, roll = draw(st.floats(0.0, 0.35)), draw(st.floats(0.0, 0.2))
    mesh = box((-0.4 * length, -width / 2, low), (0.6 * length, width / 2, low + high))
    return mesh, Attitudes(pitch, roll)


@settings(max_examples=20)
@given(wheeled(), st.integers(0, 2**32))
def test_a_row_of_capsules_holds_every_pose_of_a_block(case, seed):
    mesh, attitudes = case
    rng = np.random.default_rng(seed)
    row = capsule_row(mesh, attitudes)
    tilts = rng.uniform(-1.0, 1.0, (12, 2)) * attitudes
    tilts[:4] = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * attitudes
    turned = tilted(sampled(mesh, rng, 200), tilts[:, 0], tilts[:, 1]).reshape(-1, 3)
    assert outside(row, turned).max() <= 1e-9
    assert len(set(row[:, 1])) == 1, "one radius, so that the hull in plan is a capsule"
    assert (np.diff(row[:, 0]) >= 0.0).all()


def test_tilting_is_rolling_and_then_pitching():
    points = np.random.default_rng(0).normal(size=(5, 3))
    for pitch, roll in ((0.3, 0.0), (0.0, -0.2), (0.25, 0.15)):
        turned = Rotation.from_euler("xy", [roll, -pitch]).apply(points)
        np.testing.assert_allclose(tilted(points, pitch, roll)[0], turned, atol=1e-12)


@pytest.mark.parametrize("name", DRIVEN)
def test_vehicles_on_wheels_are_hardly_wider_than_their_meshes_and_over_the_ground(name):
    character = load_character(name)
    capsules = character.body.capsules
    corners = np.array([[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    tilts = corners * attitudes(character)
    turned = tilted(character.body.mesh.vertices, tilts[:, 0], tilts[:, 1])
    assert character.body.half_width <= np.abs(turned[..., 1]).max() + 0.05
    ends = capsules[-1, 0] - capsules[0, 0] + 2.0 * character.body.half_width
    assert ends <= np.ptp(turned[..., 0]) + 0.5
    assert (capsules[:, 2] - capsules[:, 1]).min() >= -SUNK, "into the ground"


def test_who_can_turn_on_the_spot_has_a_round_body():
    for name in sorted(set(builtin_models()) - set(DRIVEN)):
        body = load_character(name).body
        np.testing.assert_array_equal(body.capsules, [[0.0, body.radius, *body.capsule_axis]])
    block = trimesh.creation.box((2.0, 0.4, 0.5))
    block.apply_translation((0, 0, 0.6))
    assert not Character(block).body.elongated
    assert not Character(block, turn_radius=2.0, pivots=True).body.elongated


def test_an_own_walker_that_leans_out_of_its_capsule_is_refused_with_numbers_that_do():
    post = trimesh.creation.cylinder(0.2, 1.4)
    post.apply_translation((0, 0, 0.8))
    mesh = Character(post, vehicle="flying").mesh
    body = Body(mesh, 0.3, (0.3, 1.5))
    with pytest.raises(InputError, match=r"sticks 0\.\d+ m out of its capsule") as error:
        Character(post, body=body, lean=1.0, max_pitch=np.radians(8.0), name="post")
    said = str(error.value)
    pitch = float(said.split("`max_pitch` ")[1].split(",")[0])
    radius = float(said.split("(`radius` ")[2].split(" ")[0])
    low, high = (float(x) for x in said.split("with `capsule_axis` [")[1].split("]")[0].split(","))
    assert 0.0 < pitch < 8.0
    Character(post, body=body, lean=1.0, max_pitch=np.radians(pitch))
    Character(post, body=Body(mesh, radius, (low, high)), lean=1.0, max_pitch=np.radians(8.0))


def block(length, width, height, clear, back):
    """A block with its front ``length - back`` before the origin, ``clear`` over the floor."""
    mesh = trimesh.creation.box((length, width, height))
    mesh.apply_translation((0.5 * length - back, 0.0, clear + 0.5 * height))
    return mesh


@pytest.mark.parametrize("size", [(6.0, 1.6, 2.0, 0.4, 4.2), (0.5, 0.6, 0.4, 0.1, 0.2)])
def test_a_row_holds_an_own_vehicle_that_no_capsule_over_the_floor_does(tmp_path, size):
    """A lorry with its trailer, and a cart wider than long: from Python, and from an STL file."""
    block(*size).export(tmp_path / "block.stl")
    limits = {"turn_radius": 6.0, "lean": 1.0, "max_roll": 4.0, "max_turn_rate": 80.0}
    vehicle = {"kind": "hugging", "mass": 900.0, "max_force": 900.0, "cruise_speed": 1.0, **limits}
    lines = [f"{key} = {value!r}".replace("'", '"') for key, value in vehicle.items()]
    text = 'mesh = "block.stl"\n[body]\n[vehicle]\nmax_speed = 2.0\n' + "\n".join(lines)
    (tmp_path / "own.toml").write_text(text)
    for degrees in ("max_roll", "max_turn_rate"):
        limits[degrees] = np.radians(limits[degrees])
    built, read = Character(block(*size), **limits), load_character(tmp_path / "own.toml")
    np.testing.assert_allclose(built.body.capsules, read.body.capsules, atol=1e-6)
    assert read.body.elongated
    assert worst(read, np.random.default_rng(0)) <= 1e-9
    assert read.body.half_width < 0.5 * size[1] + 0.4, "it leans; round it would be 5 m"
    (tmp_path / "walker.toml").write_text(text.replace("turn_radius = 6.0", "turn_radius = 0.0"))
    with pytest.raises(InputError, match=r"`body\.radius` is missing"):
        load_character(tmp_path / "walker.toml")


def test_the_envelope_of_vehicles_holds_the_row_of_each():
    both = envelope([load_character(name) for name in DRIVEN])
    assert both.body.elongated
    for name in DRIVEN:
        points, limits = load_character(name).body.mesh.vertices, attitudes(both)
        turned = tilted(points, limits.pitch, limits.roll)[0]
        assert outside(both.body.capsules, turned).max() <= 1e-9
