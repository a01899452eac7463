"""What `[[changes]]` does to a running group, whatever its behavior."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.scenario.saving import scenario_text
from rmp3d.simulation import simulate

CHANGED_AT = 1.0
KINDS = {
    "self_guided": {"sensor_range": 1.0},
    "leader_following": {"distance": 2.5},
    "circle_following": {"radius": 2.0},
    "narrow_passages": {"formation": "column"},
    "goal_search": {"sensor_range": 0.5},
}


def scenario(name, more, changes=""):
    options = "".join(f'{key} = "{value}"\n' if isinstance(value, str) else f"{key} = {value}\n"
                      for key, value in more.items())  # fmt: skip
    return f"""
[scene]
name = "plain"
regions.here = {{ lower = [-12, -3, 0], upper = [-6, 3, 2] }}
regions.there = {{ lower = [8, -3, 0], upper = [14, 3, 2] }}
[planner]
nodes = 60
[simulation]
duration = 4.0
linger = 0.0
[[groups]]
name = "walkers"
character = "pedestrian"
members = 4
start = "here"
goal = "there"
[groups.behavior]
name = "{name}"
{options}{changes}"""


def change(name, more):
    options = ", ".join(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
                        for key, value in more.items())  # fmt: skip
    behavior = f'{{ name = "{name}", {options} }}'
    return f'[[changes]]\ntime = {CHANGED_AT}\ngroup = "walkers"\nbehavior = {behavior}\n'


def positions(folder, text):
    file, run = folder / "a.toml", folder / "a.rmp3d"
    file.write_text(text)
    simulate(load(file), recording_path=run)
    with RecordingReader.open(run) as recording:
        return np.asarray(recording.position())


@pytest.mark.parametrize("name", KINDS)
def test_a_group_goes_on_in_another_way_from_then_on(name, tmp_path):
    before = positions(tmp_path, scenario(name, {}))
    after = positions(tmp_path, scenario(name, {}, change(name, KINDS[name])))
    frame = round(CHANGED_AT * 30)
    np.testing.assert_array_equal(before[: frame + 1], after[: frame + 1])
    assert len(after) > 60, "a run without linger goes on until all have arrived"
    if name != "self_guided":
        both = min(len(before), len(after))
        assert np.abs(before[:both] - after[:both]).max() > 0.05
    ways = np.linalg.norm(after[-1] - after[frame], axis=1)
    assert (ways > 1.0).all(), "everybody goes on, the last of a new column too"


def test_searchers_keep_their_map_and_rule(tmp_path):
    for more in ({"rule": "random_walk"}, {"nodes": 80}):
        text = scenario("goal_search", {}, change("goal_search", more))
        with pytest.raises(InputError, match=f"`{next(iter(more))}` cannot be changed"):
            positions(tmp_path, text)


@pytest.fixture
def meadow(tmp_path):
    """A few sheep and dogs, as text."""
    changes = ["simulation.duration=3.0", "groups.1.members=3"]
    return scenario_text(load("meadow", changes, members=6))


def dogs_change(behavior):
    return f'[[changes]]\ntime = {CHANGED_AT}\ngroup = "dogs"\nbehavior = {behavior}\n'


def test_shepherds_take_another_shape_on_the_way(meadow, tmp_path):
    before = positions(tmp_path, meadow)
    (tmp_path / "a.rmp3d").unlink()
    other = '{ name = "herding", formation = "arc", fear_distance = 9.0 }'
    after = positions(tmp_path, meadow + dogs_change(other))
    frame = round(CHANGED_AT * 20)
    np.testing.assert_array_equal(before[: frame + 1], after[: frame + 1])
    assert np.abs(before[-1] - after[-1]).max() > 0.05


def test_shepherds_keep_their_task(meadow, tmp_path):
    with pytest.raises(InputError, match="`mode` cannot be changed"):
        positions(tmp_path, meadow + dogs_change('{ name = "herding", mode = "cover" }'))


def test_what_a_group_cannot_do_is_refused_when_it_is_said_and_harms_nothing():
    group = rp.Group("pedestrian", 3, start="west", goal="east", name="a")
    simulation = rp.Simulation("plain", [group], seed=1, duration=1.0)
    simulation.step()
    simulation.remove_member("a", 0)
    with pytest.raises(rp.InputError, match="`a` go where `narrow_passages` leads them"):
        simulation.send("a", (0.0, 0.0, 0.0))
    with pytest.raises(rp.InputError, match="`to`: a point is"):
        simulation.send("a", "east")
    with pytest.raises(rp.InputError, match="that of `a` is `narrow_passages` until the end"):
        simulation.change("a", behavior=rp.SelfGuided())
    simulation.change("a", behavior=rp.NarrowPassages("line", spacing=0.1))
    with pytest.raises(rp.InputError, match="`spacing` 0\\.1 m is too small"):
        simulation.step()
    kinds = [event.kind for event in simulation.step().events]
    assert kinds == ["change", "left"]
    assert [frame.position.shape for frame in simulation][-1] == (2, 3)
    with pytest.raises(rp.InputError, match="the run is over"):
        simulation.change("a", speed_limit=1.0)
