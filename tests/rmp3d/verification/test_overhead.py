"""Ground over a walker's head, or at its knees, is found in a recording, and own ground never."""

import dataclasses

import numpy as np
import pytest
from msgspec.structs import replace

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.recording import RecordingReader
from rmp3d.scenes import load_scene
from rmp3d.simulation import simulate
from rmp3d.verification import verify

DT = 1 / 32
FRAMES = 376


def sheet(corners):
    return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))


def deck(height, south=0, north=10):
    return sheet([[x, y, height] for x, y in ((7, south), (9, south), (9, north), (7, north))])


@pytest.fixture
def with_ground(world, tmp_path):
    """A function that returns a yard of 20 m x 10 m with more ground of one sheet in it."""

    def made(**parts):
        yard = type(world)(tmp_path)
        floor = sheet([[0, 0, 0], [20, 0, 0], [20, 10, 0], [0, 10, 0]])
        yard.write_obj(tmp_path / "yard.obj", {"floor": floor, **parts})
        roles = dict.fromkeys(["floor", *parts], "ground")
        yard.description.roles = roles
        yard.scene = load_scene(yard.description, tmp_path)
        return yard

    return made


def crossing(step=0.04, y=2.0):
    """One walker from x = 1 on, at 1.28 m/s, straight through where the deck is."""
    position = np.zeros((FRAMES, 1, 3))
    position[:, 0, 0] = np.minimum(1.0 + step * np.arange(FRAMES), 16.0)
    position[:, 0, 1] = y
    return position


def collisions(yard, tmp_path, position):
    path = yard.record(tmp_path / "a.rmp3d", position)
    with RecordingReader.open(path) as recording:
        return [f for f in verify(recording).findings if f.kind == "collision"]


@pytest.mark.parametrize("height", [0.3, 1.0, 1.65])
def test_a_walk_through_a_low_deck_is_found_with_part_and_time(with_ground, tmp_path, height):
    yard = with_ground(deck=deck(height))
    (finding,) = collisions(yard, tmp_path, crossing())
    assert (finding.members, finding.part) == ((0,), "deck")
    # From where the body, 0.3 m wide, comes to the edge at x = 7 until it leaves that at x = 9.
    first, last = finding.time / DT * 0.04 + 1.0, finding.until / DT * 0.04 + 1.0
    half = 0.3 if height < 1.4 else np.sqrt(0.3**2 - (height - 1.4) ** 2)
    assert 7.0 - half - 0.01 < first < 7.0 - half + 0.09
    assert 9.0 + half - 0.09 < last < 9.0 + half + 0.01


def test_a_deck_that_is_jumped_through_between_two_frames_is_found(with_ground, tmp_path):
    yard = with_ground(deck=deck(1.0))
    position = crossing()
    position[..., 0] = np.where(np.arange(FRAMES)[:, None] < 150, 6.0, 10.0)
    (finding,) = collisions(yard, tmp_path, position)
    assert 149 * DT < finding.time < 150 * DT
    assert finding.text.endswith("between frames")


def test_an_edge_that_juts_into_the_body_from_the_side_is_found(with_ground, tmp_path):
    yard = with_ground(deck=deck(1.0, south=2.25))
    assert collisions(yard, tmp_path, crossing())[0].part == "deck"
    yard = with_ground(deck=deck(1.0, south=2.31))
    assert not collisions(yard, tmp_path, crossing())


def test_ground_above_the_head_and_curbs_are_no_findings(with_ground, tmp_path):
    assert not collisions(with_ground(deck=deck(1.71)), tmp_path, crossing())
    assert not collisions(with_ground(curb=deck(0.015, south=2.1)), tmp_path, crossing())


def test_hills_ramps_and_folds_under_the_feet_are_no_findings(with_ground, tmp_path):
    """A walk over a roof, up and down at 45 degrees, and by the edge of a ridge."""
    corners = [[x, y, z] for x, z in ((5, 0), (8, 3), (11, 0), (12, 1), (13, 0)) for y in (1, 4)]
    faces = [row for a in (0, 2, 4, 6) for row in ([a, a + 2, a + 3], [a, a + 3, a + 1])]
    yard = with_ground(roof=TriangleMesh(np.array(corners, float), np.array(faces)))
    position = crossing(step=0.043)
    x = position[..., 0]
    roof = np.maximum(3 - np.abs(x - 8), 1 - np.abs(x - 12))
    position[..., 2] = np.maximum(roof, 0.0)
    assert not collisions(yard, tmp_path, position)
    # The same way on the floor leads through the roof.
    assert {f.part for f in collisions(yard, tmp_path, crossing())} == {"roof"}


CART = """mesh = "cart.obj"
[body]
radius = 1.1
capsule_axis = [1.1, 1.1]
[vehicle]
kind = "hugging"
turn_radius = 2.0
mass = 75.0
max_speed = 1.8
cruise_speed = 1.3
max_force = 300.0
max_turn_rate = 60.0
"""


@pytest.mark.parametrize(("height", "found"), [(1.0, True), (1.9, False)])
def test_a_long_body_is_as_tall_as_its_row_of_capsules(with_ground, tmp_path, height, found):
    """The round capsule that it turns in would be 2.2 m tall."""
    yard = with_ground(deck=deck(height))
    hull = yard.box([-0.9, -0.2, 0.5], [0.9, 0.2, 1.2])
    yard.write_obj(yard.folder / "cart.obj", {"body": hull})
    (yard.folder / "cart.toml").write_text(CART)
    path = yard.record(tmp_path / "a.rmp3d", crossing(), character="cart")
    with RecordingReader.open(path) as recording:
        times = [f.time for f in verify(recording).findings if f.kind == "collision"]
    # Its nose, 0.9 m ahead and hardly longer with its capsule, is at the deck at x = 7 first.
    assert times == ([pytest.approx((7.0 - 1.0 - 1.0) / 1.28, abs=0.1)] if found else [])


@pytest.mark.slow
@pytest.mark.parametrize("height", [1.0, 3.0])
def test_a_run_beside_or_under_a_deck_holds(with_ground, tmp_path, height):
    """What planner and safety made is confirmed: round a low deck, straight under a high one."""
    yard = with_ground(deck=deck(height, south=2.0))
    scenario = yard.scenario(3)
    scenario = replace(scenario, planner=dataclasses.replace(scenario.planner, nodes=60))
    path = tmp_path / "run.rmp3d"
    simulate(scenario, recording_path=path)
    with RecordingReader.open(path) as recording:
        report = verify(recording)
        position = recording.position(0, recording.frames)
    assert report.findings == ()
    assert report.arrived == 3
    beneath = np.abs(position[..., 0] - 8.0) < 1.0
    assert (position[beneath][:, 1] > 2.0).any() == (height == 3.0)
