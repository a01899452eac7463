"""How members stand and turn: upright, rolling within reason, never on the spot if they cannot."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.recording import RecordingReader
from rmp3d.verification import verify
from rmp3d.verification.slopes_around import SlopesAround

DT = 1 / 32


def turns(axis, angle):
    """Quaternions (T, 1, 4) of turns (T,) [rad] about an axis."""
    half = 0.5 * np.asarray(angle, float)[:, None, None]
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, float)], axis=-1)


def product(p, q):
    scalar, vector = p[..., :1], p[..., 1:]
    w = scalar * q[..., :1] - np.sum(vector * q[..., 1:], axis=-1, keepdims=True)
    v = scalar * q[..., 1:] + q[..., :1] * vector + np.cross(vector, q[..., 1:])
    return np.concatenate([w, v], axis=-1)


def kinds(world, tmp_path, position, orientation, character="walker"):
    path = world.record(tmp_path / "a.rmp3d", position, orientation, character)
    with RecordingReader.open(path) as recording:
        return {finding.kind for finding in verify(recording).findings} - {"not_arrived"}


def standing(frames=80, height=0.0):
    return np.tile([3.0, 2.0, height], (frames, 1, 1))


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0]])
@pytest.mark.parametrize("angle", [np.pi, np.pi / 2, 0.3, 0.01])
def test_a_walker_that_does_not_stand_upright_is_found(world, tmp_path, axis, angle):
    tilted = turns(axis, np.full(80, angle))
    assert "upright" in kinds(world, tmp_path, standing(), tilted)
    assert not kinds(world, tmp_path, standing(), turns([0, 0, 1], np.full(80, angle)))


def test_a_walker_that_falls_over_in_one_frame_is_found(world, tmp_path):
    falling = turns([0, 1, 0], np.where(np.arange(80) < 40, 0.0, np.pi / 2))
    assert {"upright", "turn_rate"} <= kinds(world, tmp_path, standing(), falling)


def test_one_that_leans_stays_upright_on_level_ground(world, tmp_path):
    text = (world.folder / "walker.toml").read_text()
    (world.folder / "leaner.toml").write_text(f"{text}lean = 1.0\nmax_pitch = 0.5\n")
    tilted = turns([1, 0, 0], np.full(80, 0.02))
    assert "upright" in kinds(world, tmp_path, standing(), tilted, "leaner")


@pytest.mark.parametrize(("rate", "found"), [(1.0, False), (4.0, False), (7.0, True), (60.0, True)])
def test_a_flyer_that_rolls_faster_than_it_can_is_found(world, tmp_path, rate, found):
    """A turn about any axis is limited by the turn rate, 2 pi; a roll by the time it takes."""
    rolling = turns([1, 0, 0], rate * DT * np.arange(80))
    assert ("roll_rate" in kinds(world, tmp_path, standing(height=2.0), rolling, "flyer")) == found


@pytest.mark.parametrize("rate", [-6.0, 2.0, 6.0])
def test_a_flyer_that_only_yaws_or_pitches_does_not_roll(world, tmp_path, rate):
    for axis in ([0, 1, 0], [0, 0, 1], [0, 0.6, 0.8]):
        turning = turns(axis, rate * DT * np.arange(80))
        assert not kinds(world, tmp_path, standing(height=2.0), turning, "flyer")


@pytest.fixture
def car(world):
    """A function that writes a car: the walker with wheels and a turn radius of 2 m."""

    def made(more=""):
        text = (world.folder / "walker.toml").read_text()
        (world.folder / "wheels.toml").write_text(f"{text}turn_radius = 2.0\n{more}")
        return "wheels"

    return made


def test_a_car_that_turns_on_the_spot_is_found_unless_it_can(world, tmp_path, car):
    turning = turns([0, 0, 1], 0.5 * DT * np.arange(80))
    assert kinds(world, tmp_path, standing(), turning, car()) == {"pivot"}
    assert not kinds(world, tmp_path, standing(), turning, car("pivots = true\n"))
    assert not kinds(world, tmp_path, standing(), turning)


@pytest.mark.parametrize("motion", [0, 30, 63, 64, 78])
def test_one_turn_on_the_spot_is_found_wherever_it_is(world, tmp_path, car, motion):
    turning = turns([0, 0, 1], np.where(np.arange(80) <= motion, 0.0, 0.05))
    path = world.record(tmp_path / "a.rmp3d", standing(), turning, car())
    with RecordingReader.open(path) as recording:
        found = [f for f in verify(recording).findings if f.kind == "pivot"]
    assert [f.time for f in found] == [motion * DT]
    assert "turns by 2.86" in found[0].text
    assert "degrees on a way of 0 m, but cannot pivot" in found[0].text


def test_a_car_that_turns_on_the_spot_within_the_rounding_of_each_step_is_found(
    world, tmp_path, car
):
    turning = turns([0, 0, 1], 2e-4 * np.arange(80))
    assert kinds(world, tmp_path, standing(), turning, car()) == {"pivot"}
    rounded = turns([0, 0, 1], 1e-4 * (np.arange(80) % 2))
    assert not kinds(world, tmp_path, standing(), rounded, car())


def test_a_winged_flyer_that_hovers_and_turns_is_found(world, tmp_path):
    text = (world.folder / "flyer.toml").read_text()
    (world.folder / "wing.toml").write_text(f"{text}turn_radius = 2.0\n")
    turning = turns([0, 0, 1], 0.5 * DT * np.arange(80))
    assert "pivot" in kinds(world, tmp_path, standing(height=2.0), turning, "wing")


def test_roll_is_told_from_turns_of_the_heading():
    from rmp3d.verification.attitude import _twist

    rng = np.random.default_rng(5)
    start = turns([0, 0, 1], rng.uniform(-3, 3, 40))
    start = product(start, turns([0, 1, 0], rng.uniform(-1, 1, 40)))
    angle, axis = rng.uniform(-1, 1, 40), rng.normal(size=(40, 1, 3)) * [0, 1, 1]
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    swing = np.concatenate([np.cos([[[0.2]]]) + 0 * axis[..., :1], np.sin(0.2) * axis], axis=-1)
    end = product(product(start, swing), turns([1, 0, 0], angle))
    np.testing.assert_allclose(_twist(start, end)[:, 0], np.abs(angle), atol=1e-12)


def test_a_member_that_begins_at_full_speed_is_found(world, tmp_path):
    position = standing()
    position[:, 0, 0] += 1.2 * DT * np.arange(80)
    upright = turns([0, 0, 1], np.zeros(80))
    assert kinds(world, tmp_path, position, upright) == {"start"}
    position[:, 0, 0] = 3.0 + 0.12 * DT * np.arange(80)
    assert not kinds(world, tmp_path, position, upright)


@pytest.mark.parametrize(("axis", "degrees", "found"), [
    (0, 74.0, False), (0, 76.0, True), (0, 180.0, True), (1, 39.0, False), (1, -41.0, True),
    (2, 180.0, False),
])  # fmt: skip
def test_flyers_pitch_and_roll_no_farther_than_they_can(world, tmp_path, axis, degrees, found):
    text = (world.folder / "flyer.toml").read_text()
    (world.folder / "bird.toml").write_text(text + "max_pitch = 40.0\n")
    turn = turns(np.eye(3)[axis], np.full(5, np.radians(degrees)))
    kinds_found = kinds(world, tmp_path, standing(5, 4.0), turn, "bird")
    assert ("upright" in kinds_found) == found


def walking(frames=160):
    """From rest along x, with 1.2 m/s."""
    steps = 1.2 * DT * np.minimum(np.arange(frames) / 20, 1.0)
    return np.stack([2.0 + np.cumsum(steps), np.full(frames, 2.0), np.zeros(frames)], 1)[:, None]


@pytest.mark.parametrize(("degrees", "found"), [(0, False), (60, False), (90, True), (180, True)])
def test_whoever_goes_on_steadily_faces_where_it_goes(world, tmp_path, degrees, found):
    turned = turns([0, 0, 1], np.full(160, np.radians(degrees)))
    assert ("facing" in kinds(world, tmp_path, walking(), turned)) == found


def test_half_a_turn_takes_its_time(world, tmp_path):
    """It faces back for the first 1.3 s of its way: as long as a turn of 180 degrees may take."""
    back = np.where(np.arange(160) < 44, np.pi, 0.0)
    assert "facing" not in kinds(world, tmp_path, walking(), turns([0, 0, 1], back))


class TestSlopesAround:
    """A plane of 10 m, behind it a ramp of 10 degrees."""

    @pytest.fixture
    def slopes(self):
        rise = 10.0 * np.tan(np.radians(10.0))
        places = [[0, 0, 0], [10, 0, 0], [10, 9, 0], [0, 9, 0], [20, 0, rise], [20, 9, rise]]
        faces = [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]
        ground = TriangleMesh(np.array(places, float), np.array(faces))
        return SlopesAround(SimpleNamespace(walkable=ground), DT, 1)

    @staticmethod
    def bounds(slopes, x, first=0):
        position = np.stack([x, np.full(len(x), 5.0), np.zeros(len(x))], 1)[:, None]
        block = SimpleNamespace(first=first, motions=len(x) - 1, position=position)
        return np.degrees(slopes.lean(block, np.array([0]))[:, 0])

    def test_on_level_ground_nobody_leans(self, slopes):
        assert self.bounds(slopes, np.full(5, 3.0)) == pytest.approx(1.0)

    def test_near_the_ramp_and_shortly_after_it_bodies_may_lean(self, slopes):
        steep = np.degrees(np.arccos(np.cos(np.radians(10.0)) ** 2))
        away = self.bounds(slopes, 10.0 - 2.0 * DT * np.arange(65))
        assert away[:16] == pytest.approx(steep)
        assert away[64] == pytest.approx(steep * np.exp(-48 * DT), rel=0.1)
        goes_on = self.bounds(slopes, 6.0 - 2.0 * DT * np.arange(65), first=64)
        assert goes_on[0] == pytest.approx(away[64])
        assert goes_on[64] == pytest.approx(1.0, rel=0.3)

    def test_who_stands_beside_the_ramp_keeps_its_nose_up(self, slopes):
        x = np.concatenate([10.0 - 2.0 * DT * np.arange(24), np.full(200, 8.53)])
        bound = self.bounds(slopes, x)
        assert bound[-1] > 8.0
