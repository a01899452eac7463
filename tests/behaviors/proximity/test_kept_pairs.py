"""Kept pairs, against a search for each question."""

import numpy as np
import pytest

from rmp3d.behaviors.proximity import kept_pairs
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.proximity.kept_pairs import (
    FEW,
    SORTED,
    KeptPairs,
    PairsInOrder,
    PartTooSmallError,
)
from rmp3d.geometry.parallel import using_threads


@pytest.mark.parametrize("speed", [0.0, 0.04, 0.5])
@pytest.mark.parametrize("count", [FEW - 1, FEW + 200])
def test_every_question_has_the_answer_of_a_search_of_its_own(speed, count, monkeypatch):
    rng, kept, searches = np.random.default_rng(1), KeptPairs(), []
    monkeypatch.setattr(
        kept_pairs, "near_pairs", lambda *asked: searches.append(1) or near_pairs(*asked)
    )
    share, over = rng.uniform(0.5, 1.0, count), rng.uniform(-0.2, 0.2, count)
    position, heading = rng.uniform(0, 15, (count, 3)), rng.normal(size=(count, 3))
    for step in range(8):
        count_now = count - 3 * (step > 5)  # three leave
        position = position[:count_now] + speed * heading[:count_now]
        for reach in (0.3, 0.9, 0.6):
            half, height = reach * share[:count_now], over[:count_now]
            raised = position + np.stack([0 * height, 0 * height, height], axis=1)
            np.testing.assert_array_equal(kept.within(position, half), near_pairs(position, half))
            with using_threads(3):
                found = kept.within(position, half, height)
            np.testing.assert_array_equal(found, near_pairs(raised, half))
    if count > FEW and speed < 0.1:
        assert len(searches) < 24  # of 48 questions


def test_pairs_in_the_order_of_places_are_the_same_pairs():
    rng, kept = np.random.default_rng(4), KeptPairs()
    position, half = rng.uniform(0, 30, (SORTED, 3)), rng.uniform(0.3, 0.9, SORTED)
    assert kept.order(position[1:]) is None  # few
    for step in range(6):
        position = position + 0.2 * step
        order = kept.order(position)
        pairs = PairsInOrder(kept, order).within(position[order], half[order])
        assert (np.diff(pairs[:, 0]) >= 0).all()
        rows = order[pairs]
        assert (rows[:, 0] < rows[:, 1]).all()
        found = rows[np.lexsort(rows.T[::-1])]
        np.testing.assert_array_equal(found, near_pairs(position, half))
    assert len(kept.order(position[: SORTED - 1]) or []) == 0


def test_a_place_that_is_nowhere_is_refused():
    position = np.zeros((FEW + 5, 3))
    kept = KeptPairs()
    kept.within(position, np.full(len(position), 0.1))
    position[7, 1] = np.nan
    with pytest.raises(ValueError, match="must be finite"):
        kept.within(position, np.full(len(position), 0.1))


@pytest.mark.parametrize("count", [FEW - 1, SORTED])
def test_candidates_have_all_pairs_that_are_within_in_their_order(count):
    rng, kept = np.random.default_rng(5), KeptPairs()
    position, half = rng.uniform(0, 20, (count, 3)), rng.uniform(0.2, 0.6, count)
    for _ in range(3):
        position = position + rng.uniform(-0.1, 0.1, (count, 3))
        for asked, rows in ((kept, None), (None, kept.order(position))):
            if rows is None and asked is None:
                continue  # so few have no order of their own
            asked = asked or PairsInOrder(kept, rows)
            place, reach = (position, half) if rows is None else (position[rows], half[rows])
            found = asked.candidates(place, reach)
            apart = np.linalg.norm(place[found[:, 0]] - place[found[:, 1]], axis=1)
            near = found[apart <= reach[found].sum(axis=1)]
            np.testing.assert_array_equal(near, asked.within(place, reach))


def test_pairs_of_which_both_rest_are_left_out_and_a_part_knows_those_among_its_rows():
    rng, kept = np.random.default_rng(2), KeptPairs()
    count = FEW + 300
    position, half = rng.uniform(0, 12, (count, 3)), np.full(count, 0.7)
    resting = rng.random(count) < 0.8
    every = near_pairs(position, half)
    kept.renew(position, half, ~resting)
    kept.leave_out(resting)
    awake = every[~resting[every].all(axis=1)]
    assert 0 < len(awake) < len(every)
    np.testing.assert_array_equal(kept.within(position, half), awake)
    rows = np.unique(np.concatenate([awake.ravel(), np.flatnonzero(~resting)]))
    part = kept.part(rows)
    np.testing.assert_array_equal(rows[part.within(position[rows], half[rows])], awake)
    with pytest.raises(PartTooSmallError):
        part.candidates(position[rows], half[rows] + 5.0)
    kept.leave_out(None)
    np.testing.assert_array_equal(kept.within(position, half), every)


def test_a_part_says_when_its_pairs_are_those_of_another_search():
    rng, kept = np.random.default_rng(3), KeptPairs()
    position, half = rng.uniform(0, 12, (FEW + 50, 3)), np.full(FEW + 50, 0.7)
    kept.renew(position, half, np.ones(len(half), np.bool_))
    part, rows = kept.part(np.arange(100)), np.arange(100)
    kept.within(position, half + 3.0)  # searches
    with pytest.raises(PartTooSmallError):
        part.candidates(position[rows], half[rows])


def test_where_few_move_a_search_lasts_longer_and_the_answers_are_the_same(monkeypatch):
    rng, searches = np.random.default_rng(6), []
    monkeypatch.setattr(
        kept_pairs, "near_pairs", lambda *asked: searches.append(1) or near_pairs(*asked)
    )
    start, half = rng.uniform(0, 20, (FEW + 600, 3)), np.full(FEW + 600, 0.7)
    moving = np.arange(len(half)) < 50
    step = 0.05 * moving[:, None] * np.array([1.0, 0.0, 0.0])
    made = []
    for known in (moving, np.ones(len(half), np.bool_)):
        kept, position = KeptPairs(), start
        searches.clear()
        for _ in range(20):
            position = position + step
            kept.renew(position, half, known)
            np.testing.assert_array_equal(kept.within(position, half), near_pairs(position, half))
        made.append(len(searches))
    assert made[0] < made[1]


def test_positions_that_change_in_place_are_looked_at_again():
    rng, kept = np.random.default_rng(7), KeptPairs()
    position, half = rng.uniform(0, 12, (FEW + 50, 3)), np.full(FEW + 50, 0.7)
    for _ in range(3):
        np.testing.assert_array_equal(kept.within(position, half), near_pairs(position, half))
        position[:40] += 1.0
