"""The contract of every registered formation."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from rmp3d.behaviors.formations import (
    FORMATIONS,
    Arrow,
    Circle,
    Column,
    Diamond,
    Line,
    Slots,
    SphereFormation,
    Wedge,
    formation_of,
)
from rmp3d.geometry import InputError

COUNTS = (0, 1, 2, 3, 4, 5, 9, 20, 37)
CROSS = [[0, 0, 0], [1, 1, 0], [1, -1, 0], [2, 0, 0]]
OPTIONS = {"slots": {"offsets": [[k // 7, k % 7 - 3, 0] for k in range(80)]}}


@pytest.fixture(params=list(FORMATIONS))
def formation(request):
    return formation_of({"name": request.param, **OPTIONS.get(request.param, {})})


@pytest.mark.parametrize("count", COUNTS)
def test_slots_are_finite_and_keep_their_spacing(formation, count):
    slots = formation.slots(count, 1.3)
    assert slots.shape == (count, 3)
    assert slots.dtype == np.float64
    assert np.isfinite(slots).all()
    if count > 1:
        assert pdist(slots).min() >= 1.3 - 1e-9


@pytest.mark.parametrize("count", COUNTS[1:])
def test_the_first_slot_leads(formation, count):
    slots = formation.slots(count, 0.8)
    assert slots[0, 0] == slots[:, 0].min() == 0.0, "nobody is ahead of the leader"


@pytest.mark.parametrize("name", ["line", "column", "arrow", "wedge", "diamond", "circle"])
@pytest.mark.parametrize("count", COUNTS[1:])
def test_formations_are_symmetric_and_led_from_the_middle(name, count):
    formation = formation_of(name)
    slots = formation.slots(count, 1.0)
    assert abs(slots[:, 1].max() + slots[:, 1].min()) <= 1.0 / np.sqrt(2.0) + 1e-9
    assert abs(slots[0, 1]) <= 0.5 + 1e-9
    if name != "column":  # its last rank fills the files one by one
        odd = formation.slots(2 * count - 1, 1.0)[:, 1]
        np.testing.assert_allclose(np.sort(odd), np.sort(-odd), atol=1e-9)


def test_slots_scale_with_the_spacing(formation):
    np.testing.assert_allclose(formation.slots(7, 2.6), 2 * formation.slots(7, 1.3), atol=1e-12)


def test_a_line_is_abreast_and_a_column_in_file():
    line, column = Line().slots(5, 1.0), Column().slots(5, 1.0)
    np.testing.assert_allclose(line[:, 0], 0.0)
    np.testing.assert_allclose(np.sort(line[:, 1]), [-2, -1, 0, 1, 2])
    np.testing.assert_allclose(column, [[k, 0, 0] for k in range(5)])


@pytest.mark.parametrize("angle", [15.0, 30.0, 45.0, 75.0, 90.0])
def test_the_arms_of_an_arrow_make_its_angle_and_keep_the_spacing(angle):
    slots = Arrow(angle).slots(9, 1.0)
    found = np.degrees(np.arctan2(np.abs(slots[1:, 1]), slots[1:, 0]))
    np.testing.assert_allclose(found, angle)
    assert pdist(slots).min() >= 1.0 - 1e-9


def test_a_wedge_of_ten_is_a_triangle_of_four_ranks():
    slots = Wedge().slots(10, 2.0)
    lag, size = np.unique(slots[:, 0].round(9), return_counts=True)
    assert size.tolist() == [1, 2, 3, 4]
    np.testing.assert_allclose(np.diff(lag), np.sqrt(3.0))
    # Each rank's ends are on the sides of an equilateral triangle.
    np.testing.assert_allclose([np.ptp(slots[slots[:, 0].round(9) == x, 1]) for x in lag],
                               [0, 2, 4, 6])  # fmt: skip


def test_four_in_a_diamond_stand_on_its_corners():
    slots = Diamond().slots(4, np.sqrt(2.0))
    np.testing.assert_allclose(slots, [[0, 0, 0], [1, 1, 0], [1, -1, 0], [2, 0, 0]], atol=1e-12)


@pytest.mark.parametrize("count", [3, 8, 21])
def test_a_circle_is_round_with_the_chord_as_spacing(count):
    slots = Circle().slots(count, 1.4)
    radius = 0.7 / np.sin(np.pi / count)
    np.testing.assert_allclose(np.hypot(slots[:, 0] - radius, slots[:, 1]), radius)


@pytest.mark.parametrize("count", [4, 30, 200])
def test_a_sphere_is_round_and_evenly_covered(count):
    slots = SphereFormation().slots(count, 1.0)
    middle = np.array([0.5 * slots[:, 0].max(), 0, 0])
    away = np.linalg.norm(slots - middle, axis=1)
    radius = away[0]
    np.testing.assert_allclose(away, radius)
    # Caps with the spacing as their diameter cover at most 91 % of a large sphere.
    assert count * (1 - np.cos(np.arcsin(0.5 / radius))) / 2 > 0.5
    assert (np.ptp(slots, axis=0) > radius).all()


def test_stated_slots_are_taken_in_spacings_the_last_ones_left_empty():
    formation = formation_of({"name": "slots", "offsets": CROSS})
    np.testing.assert_allclose(formation.slots(4, 1.5), np.array(CROSS) * 1.5)
    np.testing.assert_allclose(formation.slots(2, 1.5), np.array(CROSS[:2]) * 1.5)
    tight = formation_of({"name": "slots", "offsets": [[0, 0, 0], [0.5, 0, 0]]})
    np.testing.assert_allclose(tight.slots(2, 1.5), [[0, 0, 0], [1.5, 0, 0]])


@pytest.mark.parametrize(
    ("offsets", "count", "message"),
    [
        (CROSS, 5, "`offsets` has 4 places, the group 5 members; state a place for each"),
        ([], 0, "at least one"),
        ([[0, 0, 0], [0, 0, 0]], 2, "two places in one"),
        ([[1, 0, 0], [0, 0, 0]], 2, "put the foremost place first"),
        ([[0, 0, np.inf]], 1, "must be a list of"),
    ],
)
def test_stated_slots_are_checked_in_the_users_words(offsets, count, message):
    with pytest.raises(InputError, match=message):
        Slots(tuple(map(tuple, offsets))).slots(count, 1.0)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("lime", "no formation named `lime`; did you mean `line`"),
        ("slots", "`formation.offsets`: is missing"),
        ({"name": "arrow", "angle": 3}, "unknown key; did you mean `angle_deg`"),
        ({"offsets": CROSS}, "needs a `name`; choose from arrow, circle"),
        ({"name": "slots", "offsets": [[0, 0]]}, "offsets"),
    ],
)
def test_a_wrong_choice_is_refused_by_name(choice, message):
    with pytest.raises(InputError, match=message):
        formation_of(choice)


@pytest.mark.parametrize("name", ["line", "column", "arrow", "wedge"])
@pytest.mark.parametrize("count", [1, 9, 20, 37, 60, 200])
def test_in_ranks_shapes_become_narrower_and_narrower_and_keep_their_spacing(name, count):
    shape = formation_of(name)
    width = np.ptp(shape.slots(count, 1.0)[:, 1])
    for narrower in shape.narrower(count):
        slots = narrower.slots(count, 1.0)
        assert slots.shape == (count, 3)
        assert np.ptp(slots[:, 1]) < width
        assert slots[0, 0] == slots[:, 0].min() == 0.0
        assert pdist(slots).min() >= 1.0 - 1e-9
        width = np.ptp(slots[:, 1])


def test_a_line_of_twenty_by_seven_has_ranks_of_seven_seven_and_six():
    slots = Line(abreast=7).slots(20, 1.0)
    lag, size = np.unique(slots[:, 0], return_counts=True)
    assert lag.tolist() == [0.0, 1.0, 2.0]
    assert size.tolist() == [7, 7, 6]


@pytest.mark.parametrize(("count", "files"), [(1, 1), (10, 1), (11, 2), (20, 2), (60, 6)])
def test_a_column_has_a_file_for_every_ten(count, files):
    slots = Column().slots(count, 1.0)
    assert np.unique(slots[:, 1]).size == files
    assert slots[:, 0].max() <= 9.0


def test_a_negative_number_abreast_is_refused():
    with pytest.raises(InputError, match=r"`abreast` must be 0 .* or more, got -1"):
        Line(abreast=-1)
