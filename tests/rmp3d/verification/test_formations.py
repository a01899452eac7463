"""A recorded formation is looked for where the group has time and way to take it."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.verification.formations import LEAST_WAY, FormationCheck

DT = 0.1


def findings(position, name="column"):
    """Findings for members (F, n, 3) that claim one formation in all frames."""
    frames, count = position.shape[:2]
    check = FormationCheck((name,), np.zeros(count, np.intp), DT)
    block = SimpleNamespace(
        there=np.ones((frames, count), bool), motions=frames - 1, position=position, first=0
    )
    found = list(check.findings(block, np.zeros((frames, 1), np.intp)))
    return found + list(check.rest(frames))


def side_by_side(speed, seconds):
    """Five members 2 m apart in a line across their motion (F, 5, 3)."""
    time = np.arange(round(seconds / DT))[:, None, None] * DT
    return np.arange(5)[:, None] * [0.0, 2.0, 0.0] + time * [speed, 0.0, 0.0]


@pytest.mark.parametrize(
    ("speed", "seconds", "found"),
    [
        (1.0, 8.0, 1),
        (1.0, 4.0, 0),  # too short a time
        (0.25, 8.0, 0),  # too short a way
        (0.25, 14.0, 1),
    ],
)
def test_a_column_that_is_a_line_is_found_where_it_had_time_and_way(speed, seconds, found):
    assert (speed * seconds > LEAST_WAY) or not found
    assert len(findings(side_by_side(speed, seconds))) == found


def test_a_shape_that_is_there_is_no_finding():
    assert findings(side_by_side(1.0, 8.0), name="line") == []
