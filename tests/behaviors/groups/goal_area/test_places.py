import numpy as np
import pytest
from scipy.spatial.distance import pdist

from rmp3d.behaviors.groups.goal_area.places import APART, Standing, anywhere, places_in, scattered
from rmp3d.geometry import InputError

CENTER = np.zeros(3)


@pytest.mark.parametrize("kind", ["ground", "translation"])
def test_places_are_free_apart_inside_and_nearest_first(ways, kind):
    center = CENTER if kind == "ground" else np.array([0.0, 0, 2.0])
    space = ways.space(kind, walls=[([1, -3, 0], [1.2, 3, 3])])
    region = ways.Region.box("hall", [-4, -4, -1], [4, 4, 4])
    places = places_in(space, region, 6, 1.2, center)
    assert len(places) >= 6
    assert pdist(places).min() >= 1.2 - 1e-6
    assert space.is_free(places).all()
    assert region.contains(places).all()
    far = np.linalg.norm(places - center, axis=1)
    assert (np.diff(far) >= -1e-12).all()
    assert (places[np.abs(places[:, 1]) < 1, 0] < 1.0 - 0.3 + 1e-9).all(), "in sight of the center"


def test_the_grid_gets_tighter_until_there_is_room(ways):
    space = ways.space()
    region = ways.Region.box("nook", [-1, -1, -1], [1, 1, 1])
    loose = places_in(space, region, 1, 1.5, CENTER)
    tight = places_in(space, region, 7, 1.5, CENTER)
    assert len(loose) < 7 <= len(tight)
    assert pdist(tight).min() > 2 * 0.3


@pytest.mark.parametrize("kind", ["ground", "translation"])
@pytest.mark.parametrize("reach", [2e3, 1e11])
def test_of_a_region_of_any_size_places_near_the_center_are_found(ways, kind, reach):
    """Its grid had more points than there is memory for."""
    center = CENTER if kind == "ground" else np.array([0.0, 0, 2.0])
    region = ways.Region.box("all", [-reach] * 3, [reach] * 3)
    space = ways.space(kind)
    places = places_in(space, region, 40, 0.8, center)
    assert len(places) >= 40
    assert space.is_free(places).all()
    hall = ways.Region.box("hall", space.bounds[0] - 1.0, space.bounds[1] + 1.0)
    assert places.tobytes() == places_in(space, hall, 40, 0.8, center).tobytes()


def test_where_the_air_is_wide_only_what_is_near_is_looked_at(ways, monkeypatch):
    monkeypatch.setattr("rmp3d.behaviors.groups.goal_area.places.MOST_POINTS", 1000)
    region = ways.Region.box("all", [-1e6] * 3, [1e6] * 3)
    center = np.array([0.0, 0.0, 2.0])
    places = places_in(ways.space("translation"), region, 40, 0.8, center)
    assert 40 <= len(places) <= 1000
    assert np.abs(places - center).max() < 0.8 * 5


def test_no_room_is_said_with_how_many_there_are(ways):
    region = ways.Region.box("closet", [-0.5, -0.5, -1], [0.5, 0.5, 1])
    message = (
        r"region `closet` has room for \d+ members? of radius 0.3 m, not for 40; make it larger"
    )
    with pytest.raises(InputError, match=message):
        places_in(ways.space(), region, 40, 1.0, CENTER)


def test_scattered_places_are_distinct_and_the_same_for_the_same_seed(ways):
    region = ways.Region.sphere("round", [0.0, 0, 0], 4.0)
    space = ways.space()
    first, second = (
        scattered(space, region, 9, 1.0, CENTER, np.random.default_rng(5)) for _ in range(2)
    )
    assert first.tobytes() == second.tobytes()
    assert first.shape == (9, 3)
    assert pdist(first).min() >= 1.0 - 1e-6
    assert region.contains(first).all()


def gaps(points, radius, capsule_axis, others):
    """Gaps (K, M) between upright bodies at points and others, by the segments' closest points."""
    plan = np.linalg.norm(points[:, None, :2] - others.position[None, :, :2], axis=2)
    low = (
        points[:, None, 2] + capsule_axis[0],
        others.position[None, :, 2] + others.capsule_axis[None, :, 0],
    )
    high = (
        points[:, None, 2] + capsule_axis[1],
        others.position[None, :, 2] + others.capsule_axis[None, :, 1],
    )
    height = np.maximum(0.0, np.maximum(low[0] - high[1], low[1] - high[0]))
    return np.hypot(plan, height) - radius - others.radius


def test_room_left_by_others_is_that_between_upright_bodies():
    rng = np.random.default_rng(4)
    others = Standing()
    for count, radius, capsule_axis in ((30, 0.3, (0.3, 1.4)), (20, 0.5, (0.0, 0.0))):
        others = others.joined_by(rng.uniform(-4, 4, (count, 3)), radius, capsule_axis)
    points = rng.uniform(-4, 4, (500, 3))
    found = others.admit(points, 0.25, (0.2, 0.9))
    expected = (gaps(points, 0.25, (0.2, 0.9), others) >= APART).all(axis=1)
    np.testing.assert_array_equal(found, expected)
    assert 0.1 < found.mean() < 0.9
    assert Standing().admit(points, 0.25, (0.2, 0.9)).all()


@pytest.mark.parametrize("place", ["scattered", "anywhere"])
def test_who_comes_later_starts_between_those_who_are_there(ways, place):
    space, region = ways.space(), ways.Region.box("yard", [-3, -3, -1], [3, 3, 2])
    body, rng = space.world.body, np.random.default_rng(2)
    others = Standing()
    for _ in range(3):
        if place == "scattered":
            found = scattered(space, region, 9, 1.0, CENTER, rng, others)
        else:
            found = anywhere(space, region, 9, 1.0, rng, others)
        assert gaps(found, body.radius, body.capsule_axis, others).min(initial=9.0) >= APART - 1e-9
        others = others.joined_by(found, body.radius, body.capsule_axis)
    with pytest.raises(InputError, match="has room for"):
        scattered(space, region, 60, 1.0, CENTER, rng, others)
