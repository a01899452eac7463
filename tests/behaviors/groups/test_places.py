import numpy as np
import pytest
from scipy.spatial.distance import pdist

from behaviors.groups.places import places_in, scattered
from geometry import InputError

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


def test_no_room_is_said_with_how_many_there_are(ways):
    region = ways.Region.box("closet", [-0.5, -0.5, -1], [0.5, 0.5, 1])
    message = (
        r"region `closet` has room for \d+ members of radius 0.3 m, not for 40; make it larger"
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
