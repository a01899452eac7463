import numpy as np
import pytest

from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.profile import measure_profile
from rmp3d.planner.spaces import make_space


def test_a_door_is_seen_in_the_profile(rooms, walker):
    space = make_space("ground", rooms, walker)
    points = np.array([[-8.0, 0, 0], [0, 0, 0], [8, 0, 0]])
    profile = measure_profile(space, CertifiedPath(points, np.ones(3), grounded=True))
    assert profile.station[0] == 0.0
    assert profile.station[-1] == 16.0
    assert (np.diff(profile.station) <= 0.5 * walker.radius + 1e-9).all()
    tightest = int(np.argmin(profile.clearance))
    assert profile.station[tightest] == pytest.approx(8.0, abs=0.2)
    assert profile.clearance[tightest] == pytest.approx(0.6 - 0.28, abs=1e-3)
    # The door's jambs leave 0.32 m to each side; lanes are 0.07 m apart, the margin is 0.014 m.
    for side in (profile.left, profile.right):
        assert 0.2 < side[tightest] <= 0.32
        assert side.max() <= profile.most == pytest.approx(2.8)
        assert side[len(side) // 4] > 2.0


def test_a_path_of_no_length_has_a_profile(rooms, walker):
    space = make_space("ground", rooms, walker)
    profile = measure_profile(
        space, CertifiedPath(np.array([[-8.0, 0, 0]]), np.ones(1), grounded=True)
    )
    assert np.isfinite(profile.clearance).all()
    assert (profile.station == 0.0).all()
