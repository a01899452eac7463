import numpy as np
import pytest

from rmp3d.planner.paths import center, fairing
from rmp3d.planner.paths.center import centered
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces import make_space

# Through two doors, askew of one another.
WAY = np.array([[-6.0, -4, 0], [-2.5, 0, 0], [-1.5, 0, 0], [1.5, -1, 0], [2.5, -1, 0], [6, 4, 0]])
WANTED = 1.0


@pytest.fixture
def doors(make, walker):
    """A space with two walls, 0.3 m thick, with a door of 0.9 m each."""
    walls = [
        make.box(f"w{k}", (x - 0.15, y, 0), (x + 0.15, y + 6.0, 2.5))
        for k, (x, y) in enumerate([(-2.0, -6.45), (-2.0, 0.45), (2.0, -7.45), (2.0, -0.55)])
    ]
    scene = make.scene(make.floor((-8, -7), (8, 6)), *walls, bounds=((-8, -7, -1), (8, 6, 4)))
    return make_space("ground", scene, walker)


def turned(points):
    """Return all turns of a path together [degrees], whichever side they are to."""
    step = np.diff(densified(points, 0.05)[:, :2], axis=0)
    yaw = np.unwrap(np.arctan2(step[:, 1], step[:, 0]))
    return np.degrees(np.abs(np.diff(yaw)).sum())


def test_a_path_hardly_swings_to_the_wrong_side_at_doors_and_keeps_its_room(doors, monkeypatch):
    found = centered(doors, WAY, WANTED)
    assert doors.world.polylines_are_free([found]).all()
    np.testing.assert_array_equal(found[[0, -1]], WAY[[0, -1]])
    monkeypatch.setattr(center, "faired", lambda space, band, *_: band)
    pushed = centered(doors, WAY, WANTED)
    needed = turned(WAY)
    assert turned(found) - needed < 0.7 * (turned(pushed) - needed)
    room, before = (
        doors.world.clearance(densified(points, 0.05), WANTED).min() for points in (found, pushed)
    )
    assert room > 0.95 * fairing.KEPT * before  # between two points it may be a little less


def test_a_band_that_can_go_nowhere_stays_as_it_is(doors, monkeypatch):
    monkeypatch.setattr(fairing, "KEPT", 2.0)  # as if every point were too near to something
    points = np.linspace(WAY[1], WAY[2], 8)
    band = fairing.Band(points, [points[row : row + 2] for row in range(7)])
    for given in (band, fairing.Band(points[:2], band.edges[:1])):
        assert fairing.faired(doors, given, 0.14, WANTED) is given
