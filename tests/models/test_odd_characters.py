"""Odd characters of one's own: each is refused in clear words, or its body holds every pose."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from rmp3d.geometry.errors import InputError
from rmp3d.models import Body, Character
from tests.models.test_poses import block, outside, sampled, worst


def solid(mesh):
    """The collision mesh of a trimesh."""
    return Character(mesh, vehicle="flying").mesh


def aside(mesh, *offset):
    mesh.apply_translation(offset)
    return mesh


def leaning(pitch=10.0, roll=0.0):
    return {"lean": 1.0, "max_pitch": np.radians(pitch), "max_roll": np.radians(roll)}


POLE = (0.3, 0.3, 2.0, -1.0, 0.15)
KEPT = {
    "lorry": (block(12, 2.5, 3, 0.5, 9), {"turn_radius": 9.0}),
    "leaning lorry": (block(12, 2.5, 3, 0.5, 9), {"turn_radius": 9.0, **leaning(8, 4)}),
    "flat cart": (block(2, 1.5, 0.06, 0.05, 1), {"turn_radius": 2.0, **leaning(10, 5)}),
    "flat walker": (block(0.8, 0.8, 0.001, 0, 0.4), {}),
    "mast that walks": (block(0.2, 0.2, 6, 0, 0.1), {}),
    "mast on wheels": (block(1.5, 0.2, 6, 0.1, 0.7), {"turn_radius": 2.0, **leaning()}),
    "one axle, wider than long": (block(0.02, 0.5, 1.5, 0, 0.01), {"turn_radius": 0.5}),
    "trailer behind its axle": (
        block(3, 1, 0.5, 0.2, 3),
        {"turn_radius": 3.0, **leaning(roll=3)},
    ),
    "all ahead of its axle": (block(3, 1, 0.5, 0.2, 0), {"turn_radius": 3.0, **leaning(roll=3)}),
    "beside its middle": (aside(block(2, 0.5, 1, 0.2, 1), 0, 0.8, 0), {"turn_radius": 3.0}),
    "ahead of its origin": (block(1, 0.5, 1, 0.2, -2), {"turn_radius": 3.0}),
    "leans by 90 degrees": (block(2, 0.6, 1, 0.2, 1), {"turn_radius": 2.0, **leaning(90, 90)}),
    "turns on the spot": (block(3, 0.5, 1, 0.2, 1.5), {"turn_radius": 1.0, "pivots": True}),
    "hangs below the floor": (block(1, 0.5, 1, -0.3, 0.5), {"turn_radius": 1.0}),
    "tiny": (block(0.01, 0.01, 0.01, 0, 0.005), {}),
    "long flyer": (block(5, 0.1, 0.1, -0.05, 2.5), {"vehicle": "flying"}),
    "flyer off its origin": (block(5, 0.1, 0.1, 4, 2.5), {"vehicle": "flying"}),
    "sheet on wheels": (
        trimesh.Trimesh([[-1, -0.2, 0.5], [1, -0.2, 0.5], [0, 0.4, 0.5]], [[0, 1, 2]]),
        {"turn_radius": 2.0, **leaning()},
    ),
    "shape of an L": (
        trimesh.util.concatenate([block(4, 0.3, 0.3, 0.3, 1), block(0.3, 3, 0.3, 0.3, 1)]),
        {"turn_radius": 3.0, **leaning(roll=5)},
    ),
    "flyer in a ball, with an axis": (
        block(*POLE),
        {"vehicle": "flying", "body": Body(solid(block(*POLE)), 1.1, (-0.2, 0.2))},
    ),
}
REFUSED = {
    "mast that leans": (block(0.2, 0.2, 6, 0, 0.1), leaning(), "leans with the ground"),
    "pivots and leans": (
        block(3, 0.5, 1, 0.2, 1.5),
        {"turn_radius": 1.0, "pivots": True, **leaning()},
        "leans with the ground",
    ),
    "pole that flies": (
        block(*POLE),
        {"vehicle": "flying", "body": Body(solid(block(*POLE)), 0.4, (-0.9, 0.9))},
        r"may turn any way round.*sticks 0\.622 m out.*`radius` 1\.023",
    ),
    "pole that is carried": (
        block(*POLE),
        {"vehicle": "carried", "body": Body(solid(block(*POLE)), 0.4, (-0.9, 0.9))},
        r"may turn any way round.*sticks 0\.622 m out.*`radius` 1\.023",
    ),
    "line": (trimesh.Trimesh([[-1, 0, 0.5], [1, 0, 0.5], [0, 0, 0.5]], [[0, 1, 2]]), {}, "area"),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_body_of_an_odd_character_holds_every_pose(name):
    mesh, limits = KEPT[name]
    character = Character(mesh, name=name, **limits)
    rng = np.random.default_rng(0)
    assert worst(character, rng) <= 1e-9
    if not character.grounded:
        turns = Rotation.random(30, rng=rng).as_matrix()
        turned = np.einsum("tij,pj->tpi", turns, sampled(character.body.mesh, rng))
        assert outside(character.body.capsules, turned.reshape(-1, 3)).max() <= 1e-9


@pytest.mark.parametrize("name", REFUSED)
def test_an_odd_character_that_leaves_its_body_is_refused(name):
    mesh, limits, reason = REFUSED[name]
    with pytest.raises(InputError, match=reason):
        Character(mesh, name=name, **limits)


def test_the_ball_that_the_error_names_is_enough():
    with pytest.raises(InputError) as error:
        Character(block(*POLE), **REFUSED["pole that flies"][1])
    radius = float(str(error.value).split("with `radius` ")[1].split(" ")[0])
    body = Body(solid(block(*POLE)), radius, (0.0, 0.0))
    assert Character(block(*POLE), vehicle="flying", body=body).body.radius == radius
