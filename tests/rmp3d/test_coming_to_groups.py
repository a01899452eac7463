"""Members come to groups of every behavior, and leave them, while a run goes on."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation, simulate
from rmp3d.verification import verify

HEAD = '[scene]\nname = "plain"\n[simulation]\nduration = {}\ndt = 0.1\nlinger = 0.2\n'
WALKERS = """
[planner]
nodes = 60
[[groups]]
name = "walkers"
members = 3
start = [-6.0, -2.0, 0.0]
goal = [2.0, -2.0, 0.0]
goal_radius = 3.0
behavior = {}
{}
"""
COMING = """
[[changes]]
time = 1.0
group = "walkers"
add = [-6.0, -4.5, 0.0]
count = 2
[[changes]]
time = 2.0
group = "walkers"
remove = [{}]
"""


def made(folder, behavior, leaver, more="", seconds=20.0):
    file = folder / "a.toml"
    file.write_text(HEAD.format(seconds) + WALKERS.format(behavior, more) + COMING.format(leaver))
    return load(file)


@pytest.mark.parametrize(("behavior", "leaver", "told"), [
    ("'self_guided'", 0, None),
    ("{ name = 'leader_following', leader = 1 }", 1,
     ("leader", "leads, as the one before has left")),
    ("'narrow_passages'\nafterwards = 'hold'", 1, None),
    ("'circle_following'\nafterwards = 'hold'", 0,
     ("ward", "is surrounded, as the one before has left")),
    ("{ name = 'goal_search', nodes = 60 }", 2, None),
])  # fmt: skip
def test_newcomers_arrive_with_the_others_and_nothing_is_found(tmp_path, behavior, leaver, told):
    path = tmp_path / "a.rmp3d"
    report = simulate(made(tmp_path, behavior, leaver), recording_path=path)
    (group,) = report.groups
    assert (group.members, group.arrived, group.left) == (5, 4, 1)
    assert report.complete
    with RecordingReader.open(path) as recording:
        checked = verify(recording)
        said = [(event.kind, event.text) for event in recording.events() if event.time == 2.0]
    assert checked.findings == ()
    assert (checked.arrived, checked.expected) == (4, 4)
    assert told is None or told in said


def test_who_comes_while_the_others_go_back_goes_with_them(tmp_path):
    coming = """
[[changes]]
time = 9.0
group = "walkers"
add = [2.0, -1.0, 0.0]
"""
    file = tmp_path / "a.toml"
    file.write_text(
        HEAD.format(20.0).replace("0.2", "14.0")
        + WALKERS.format("'self_guided'", "afterwards = 'return'")
        + coming
    )
    path = tmp_path / "a.rmp3d"
    simulate(load(file), recording_path=path)
    with RecordingReader.open(path) as recording:
        began = [event.time for event in recording.events() if event.kind == "afterwards"]
        position = recording.position()[-1]
        assert verify(recording).findings == ()
    assert began[0] < 9.0
    assert np.linalg.norm(position[3, :2] - [-6.0, -2.0]) < 4.0


def test_a_formation_has_slots_for_those_that_are_there(tmp_path):
    scenario = made(tmp_path, "'narrow_passages'\nafterwards = 'hold'", 1, seconds=5.0)
    simulation = Simulation.of(scenario)
    lags = {}
    for frame in simulation:
        if "place" in frame.measures[0]:
            lags[round(frame.time, 1)] = frame.measures[0]["place"]
            assert frame.measures[0]["slot"].shape == (5,)
    sides = lags[5.0][:, 1]
    assert sides[1] == 0.0, "of who has left nothing is measured"
    assert len(set(np.round(sides[[0, 2, 3, 4]], 6))) == 4, "a line has four places abreast"


def test_a_goal_without_room_refuses_newcomers_and_the_run_goes_on(tmp_path):
    made(tmp_path, "'self_guided'", 0, "", seconds=1.2)
    file = tmp_path / "a.toml"
    file.write_text(file.read_text().replace("radius = 3.0", "radius = 1.2"))
    text = file.read_text().replace("count = 2", "count = 20")
    file.write_text(text)
    events = [event for frame in Simulation.of(load(file)) for event in frame.events]
    (refused,) = [event.text for event in events if event.kind == "refused"]
    assert refused.startswith("region `goal of walkers` has room for ")


def test_a_run_waits_for_members_that_are_still_to_come(tmp_path):
    made(tmp_path, "'self_guided'", 0)
    file = tmp_path / "a.toml"
    text = file.read_text()
    file.write_text(text.replace("time = 1.0", "time = 9.0").replace("time = 2.0", "time = 9.2"))
    frames = list(Simulation.of(load(file)))
    assert frames[-1].time > 12.0
    assert len(frames[-1].position) == 4


HERDING = """
[planner]
nodes = 40
[[groups]]
name = "sheep"
character = "sheep"
members = 3
start = [-4.0, 0.0, 0.0]
goal = [8.0, 0.0, 0.0]
goal_radius = 3.0
behavior = { name = "herded", behaviors = ["wander"] }
[[groups]]
name = "dogs"
character = "dog"
members = 2
start = [-9.0, 0.0, 0.0]
behavior = { name = "herding", flock = "sheep" }
[[changes]]
time = 0.6
group = "sheep"
add = [-5.0, 2.0, 0.0]
count = 2
[[changes]]
time = 1.2
group = "sheep"
remove = [0]
[[changes]]
time = 1.8
group = "dogs"
remove = 0
[[changes]]
time = 2.4
group = "dogs"
add = [-9.0, -2.0, 0.0]
[[changes]]
time = 3.0
group = "sheep"
remove = [1, 2, 3, 4]
[[changes]]
time = 3.6
group = "sheep"
add = [-2.0, 0.0, 0.0]
"""


def test_animals_come_into_a_herd_and_leave_it_and_so_do_shepherds(tmp_path):
    file, path = tmp_path / "a.toml", tmp_path / "a.rmp3d"
    file.write_text(HEAD.format(5.0) + HERDING)
    left = []

    def each_step(simulation):
        left.append((round(simulation.time, 1), simulation.runs[1].measures()["left"]))

    simulate(load(file), recording_path=path, each_step=each_step)
    known = dict(left)
    assert (known[0.5], known[1.1], known[1.7]) == (3.0, 5.0, 4.0)
    assert known[4.6] == 1.0
    with RecordingReader.open(path) as recording:
        found = {each.kind for each in verify(recording).findings}
        told = [event.kind for event in recording.events()]
    assert found <= {"not_arrived"}
    assert (told.count("came"), told.count("left"), told.count("refused")) == (4, 6, 0)


FOLLOWERS = """
[[groups]]
name = "guides"
members = 2
start = [-6.0, 2.0, 0.0]
behavior = { name = "steering", behaviors = ["wander", "containment"] }
[[groups]]
name = "tourists"
members = 2
start = [-9.0, 0.0, 0.0]
behavior = { name = "BEHAVIOR", group = "guides" }
[[changes]]
time = 0.4
group = "guides"
remove = 0
[[changes]]
time = 0.6
group = "tourists"
add = [-8.0, -3.0, 0.0]
[[changes]]
time = 0.8
group = "guides"
remove = 1
[[changes]]
time = 1.6
group = "guides"
add = [-6.0, 4.0, 0.0]
"""


@pytest.mark.parametrize("behavior", ["leader_following", "circle_following"])
def test_those_that_go_with_others_take_another_one_when_theirs_leaves(tmp_path, behavior):
    file = tmp_path / "a.toml"
    file.write_text(HEAD.format(2.0) + FOLLOWERS.replace("BEHAVIOR", behavior))
    simulation = Simulation.of(load(file))
    kind = "leader" if behavior == "leader_following" else "ward"
    told = [
        (round(event.time, 1), event.text)
        for frame in simulation for event in frame.events if event.kind == kind
    ]  # fmt: skip
    assert told[-1] == (1.6, "member 2 of guides, as the one before has left")
    assert {text.split(",")[0] for time, text in told if time < 0.8} >= {"member 1 of guides"}
    assert len(simulation.look().position) == 4


def test_members_that_are_carried_neither_come_nor_leave(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(
        HEAD.format(1.0)
        + '[[groups]]\nname = "walkers"\ncharacter = "box"\nmembers = 1\nstart = [0, 0, 0]\n'
        + 'goal = [3.0, 0.0, 0.0]\nbehavior = "carried"\n'
    )
    file.write_text(file.read_text() + COMING.format(0))
    with pytest.raises(InputError, match="not for members that are carried"):
        Simulation.of(load(file))
