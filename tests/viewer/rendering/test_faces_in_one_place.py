"""Faces of different colors in one place: pictures have no stripes of both."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Part, Scene
from rmp3d.viewer import Camera, Layers, Offscreen

pytestmark = pytest.mark.usefixtures("opengl")
SIZE = (320, 180)
PLAIN = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)
RED, BLUE = [0.9, 0.1, 0.1], [0.1, 0.1, 0.9]


def wall(name, color, *, x=0.0, half=5.0, pieces=1, faces_east=True, shift=0.0):
    """An upright sheet in the plane of x, cut into pieces along y."""
    ends = np.linspace(-half, half, pieces + 1) + shift
    ends[[0, -1]] = -half, half
    vertices, faces = [], []
    for low, high in itertools.pairwise(ends):
        at = len(vertices)
        vertices += [[x, low, 0], [x, high, 0], [x, high, 4], [x, low, 4]]
        faces += [[at, at + 1, at + 2], [at, at + 2, at + 3]]
    faces = np.array(faces)
    mesh = TriangleMesh(np.array(vertices, float), faces if faces_east else faces[:, ::-1])
    return Part(name, "decor", mesh, np.tile(color, (len(faces), 1)))


def shares(playback, parts, azimuth):
    """Which share of the wall's pixels is red, and which is blue."""
    bounds = [[-20, -20, 0], [20, 20, 5]]
    shown = replace(playback, scene=Scene("walls", tuple(parts), {}, bounds))
    camera = Camera(target=[0, 0, 2], azimuth=azimuth, elevation=0.2, distance=25.0)
    with Offscreen(shown, SIZE) as offscreen:
        picture = offscreen.picture(0.0, camera, layers=PLAIN).astype(float)
    red = picture[..., 0] > 1.6 * picture[..., 2]
    blue = picture[..., 2] > 2.0 * picture[..., 0]
    assert (red | blue).sum() > 1500
    return red.sum() / (red | blue).sum(), blue.sum() / (red | blue).sum()


@pytest.fixture
def lonely(make):
    return make(members=0)


@pytest.mark.parametrize("turn", [0.0, 0.7, -0.9])
@pytest.mark.parametrize("order", [1, -1])
def test_of_walls_back_to_back_the_one_that_faces_the_eye_is_seen(lonely, turn, order):
    east = wall("east", RED, pieces=3)
    west = wall("west", BLUE, pieces=4, faces_east=False, shift=0.3)
    both = [east, west][::order]
    assert shares(lonely, both, turn) == pytest.approx((1.0, 0.0), abs=0.005)
    assert shares(lonely, both, np.pi + turn) == pytest.approx((0.0, 1.0), abs=0.005)


@pytest.mark.parametrize("order", [1, -1])
def test_a_small_part_is_seen_upon_a_large_one(lonely, order):
    behind = wall("large", BLUE, half=12.0, pieces=5, shift=0.4)
    picture = wall("small", RED, half=3.0, pieces=4)
    red, blue = shares(lonely, [behind, picture][::order], 0.3)
    assert red == pytest.approx(0.25, abs=0.06), "all of the small one, not stripes of it"
    assert blue > 0.6
