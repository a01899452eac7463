"""The way of a recorded member as the motion of a part."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.scenario.loading import from_table
from rmp3d.scenes.build.shapes import box


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of two people on a plain, and its file."""
    group = rp.Group(name="walkers", members=2, start="west", goal="east", behavior="self_guided")
    made = rp.run(rp.Scenario("plain", [group], nodes=30, duration=4.0))
    made.save(tmp_path_factory.mktemp("track") / "walk.rmp3d")
    return made


def scene(motion):
    hinge = np.array(motion.hinge)
    cart = box(hinge + np.array([-0.5, -0.3, 0.1]), hinge + np.array([0.5, 0.3, 1.0]))
    floor = box((-60, -60, -1), (60, 60, 0))
    made = rp.Scene.from_mesh({"floor": floor, "cart": cart}, roles={"floor": "ground"})
    return made.with_motions([motion])


def test_the_part_is_where_the_member_was_in_every_frame(run):
    motion = scene(run.track("cart", member=1)).part("cart").motion
    turn, move = motion.poses(run.time)
    place, quaternion = run.position()[:, 1], run.orientation_wxyz()[:, 1]
    np.testing.assert_allclose(turn @ place[0] + move, place, atol=0.003)
    ahead = rp.geometry.rotations.rotate(quaternion, np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(turn @ ahead[0], ahead, atol=0.006)


def table(file, **stated):
    motion = {"part": "booth*", "recording": str(file), "member": 1, "repeat": "stay", **stated}
    return {
        "scene": {"name": "parking", "motions": [motion]},
        "groups": [{"members": 1, "start": "cars", "goal": "motorcycles"}],
    }


def test_a_scenario_reads_the_recording_once_and_has_its_key_frames(run, tmp_path):
    file = run.save(tmp_path / "walk.rmp3d")
    motion = from_table(table(file)).scene.motions[0]
    assert motion.keys == run.track("booth*", member=1).keys
    assert motion.repeat == "stay"


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"member": 2}, r"`booth\*`: .*`walkers` has no member 2; it has 2"),
        ({"group": "cars"}, r"no group named `cars` \(choose from walkers\)"),
        ({"recording": "gone.rmp3d"}, "gone.rmp3d"),
        ({"member": "first"}, "`member` is a whole number"),
        ({"keys": []}, "`keys` is given beside `recording`"),
    ],
)
def test_what_is_no_track_is_refused_with_the_part(run, tmp_path, stated, said):
    file = run.save(tmp_path / "walk.rmp3d")
    with pytest.raises(InputError, match=said):
        from_table(table(file, **stated))


def test_a_run_that_is_longer_than_the_track_is_refused_with_part_and_time(run):
    made = scene(run.track("cart"))
    group = rp.Group(members=1, start=(0.0, 20.0, 0.0), goal=(5.0, 20.0, 0.0))
    with pytest.raises(InputError, match="`cart` runs out of its key frames at 4 s"):
        rp.run(rp.Scenario(made, [group], nodes=20, duration=9.0))
