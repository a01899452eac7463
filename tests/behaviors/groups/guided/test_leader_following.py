"""Following a leader: who sees it, who leads, and who has the right of way."""

from pathlib import Path as File

import numpy as np
import pytest

from rmp3d.behaviors import Flock, GroupTask
from rmp3d.behaviors.groups import LeaderFollowing
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry import InputError
from rmp3d.models import load_character

DT = 1 / 30


@pytest.fixture
def task(ways):
    """Five pedestrians on a straight path of 20 m beside a wall."""
    character = load_character("pedestrian", File())
    space = ways.space(radius=character.body.radius, walls=[([-2, 1, 0], [2, 1.2, 2.5])])
    path = ways.straight(20.0)
    path = type(path)(path.points - [10.0, 0, 0], path.clearance, True)
    return GroupTask(
        space=space, path=path, roadmap=None, count=5, character=character, dt=DT,
        start=ways.Region.box("start", [-15, -4, -1], [-7, 4, 2]),
        goal=ways.Region.box("goal", [8, -3, -1], [14, 3, 2]), rng=np.random.default_rng(0),
    )  # fmt: skip


def flock_of(task, position, velocity=None):
    heading = np.tile([1.0, 0, 0], (task.count, 1))
    flock = Flock.at_rest([task.character] * task.count, position, heading, np.full(task.count, 0))
    return flock if velocity is None else flock.moved(velocity=velocity)


def looked(run, flock):
    """Step often enough for everyone to have looked once."""
    for k in range(5):
        intent = run.step(flock, k * DT)
    return intent


def row(*x, y=0.0):
    return np.array([[each, y, 0.0] for each in x])


def test_the_first_along_the_path_leads(task):
    run = LeaderFollowing().begin(task)
    assert run.start[run.figures["leader"], 0] == run.start[:, 0].max()
    assert run.events[0].kind == "leader"


def test_followers_want_the_leader_and_the_leader_goes_first(task):
    run = LeaderFollowing().begin(task)
    leader = run.figures["leader"]
    x = np.full(5, -9.0) - 1.2 * np.arange(5)
    x[leader], x[0] = x[0], x[leader]
    intent = looked(run, flock_of(task, row(*x)))
    others = np.arange(5) != leader
    assert intent.subgoal[others] == pytest.approx(np.tile(row(*x)[leader], (4, 1)))
    assert intent.subgoal[leader, 0] > x[leader]
    assert (intent.remaining[others] > intent.remaining[leader]).all()
    assert run.measures()["seeing"] == 5.0


def test_who_does_not_see_the_leader_goes_by_the_path_and_tells_so(task):
    run = LeaderFollowing().begin(task)
    leader = run.figures["leader"]
    position = row(*np.full(5, -9.0) - 1.2 * np.arange(5))
    position[leader] = [1.5, 0.0, 0.0]
    hidden = (leader + 1) % 5
    position[hidden] = [0.0, 2.2, 0.0]  # behind the wall
    flock = flock_of(task, position)
    for k in range(40):
        intent = run.step(flock, k * DT)
    assert ("lost_leader", hidden) in [(event.kind, event.member) for event in run.events]
    assert np.linalg.norm(intent.subgoal[hidden] - position[leader]) > 0.5
    position[hidden] = [0.0, 0.0, 0.0]
    looked(run, flock_of(task, position))
    assert ("found_leader", hidden) in [(event.kind, event.member) for event in run.events]


def test_the_leader_slows_down_when_the_last_falls_behind(task):
    speeds = []
    for gap in (1.0, 9.0):
        run = LeaderFollowing(patience=1.0).begin(task)
        leader = run.figures["leader"]
        position = row(*np.full(5, -9.5))
        position[:, 1] = 0.9 * np.arange(5) - 2.0
        for ahead in np.arange(0.0, gap + 0.1):
            position[leader] = [-9.5 + ahead, 0.0, 0.0]
            intent = looked(run, flock_of(task, position))
        speeds.append(np.linalg.norm(intent.subgoal_velocity[leader]))
        assert run.measures()["behind"] == pytest.approx(gap, abs=1.0)
    assert 0.0 < speeds[1] < 0.5 * speeds[0]


def test_who_followed_past_its_subgoal_does_not_go_back_to_it(task):
    run = LeaderFollowing().begin(task)
    leader = run.figures["leader"]
    position = run.start.copy()
    for _ in range(12):  # aside of the path, out of range of its subgoals
        position[:, 0] += 1.0
        position[:, 1] = -5.0 - 0.7 * np.arange(5)
        looked(run, flock_of(task, position))
    position[leader] = [11.0, 0.0, 0.0]
    intent = looked(run, flock_of(task, position))
    others = np.arange(5) != leader
    assert (intent.subgoal[others, 0] > position[others, 0]).all()


def test_followers_are_steered_to_behind_the_leader(task):
    run = LeaderFollowing().begin(task)
    leader = run.figures["leader"]
    position = row(*np.full(5, -6.0))
    position[:, 1] = 0.8 * np.arange(5) - 1.6
    position[leader] = [0.0, 0.0, 0.0]
    flock = flock_of(task, position)
    intent = looked(run, flock)
    world = WorldState(flock, np.zeros(5, np.intp), ("group",), dt=DT)
    steering = run.steer(world, np.arange(5), intent)
    others = np.arange(5) != leader
    assert (steering.force[others, 0] > 0.0).all()
    assert np.isfinite(steering.force).all()


def test_parameters_are_checked_in_the_users_words():
    with pytest.raises(InputError, match="`sight` must be positive, got 0"):
        LeaderFollowing(sight=0)
    with pytest.raises(InputError, match="`spacing` must be 0 or more, got -1"):
        LeaderFollowing(spacing=-1)


@pytest.mark.parametrize(
    ("leader", "expected"),
    [
        ("first", lambda start: np.argmax(start[:, 0])),
        ("central", lambda start: np.argmin(np.linalg.norm(start - start.mean(axis=0), axis=1))),
        (3, lambda start: 3),
        ("pedestrian", lambda start: np.argmax(start[:, 0])),
    ],
)
def test_the_leader_is_who_the_rule_says(task, leader, expected):
    run = LeaderFollowing(leader=leader).begin(task)
    assert run.figures["leader"] == expected(run.start)


@pytest.mark.parametrize(
    ("leader", "said"),
    [
        (5, "no member 5; members are numbered from 0 to 4"),
        (-1, "numbered from 0, got -1"),
        ("frist", "no rule or character named `frist`; did you mean `first`"),
        ("", "`leader` must be `first`, `nearest`, `central`"),
    ],
)
def test_a_leader_that_cannot_be_is_refused(task, leader, said):
    with pytest.raises(InputError, match=said):
        LeaderFollowing(leader=leader).begin(task)


def test_another_one_leads_when_the_leader_is_stuck_for_good(task):
    run = LeaderFollowing(leader="first").begin(task)
    run._leave_jam = lambda *_: None  # there is no way round in this task
    leader = run.figures["leader"]
    x = np.full(5, -9.0) - 1.2 * np.arange(5)
    x[leader], x[0] = x[0], x[leader]
    flock = flock_of(task, row(*x))
    for k in range(0, 400):
        run.step(flock, k * DT)
    assert run.figures["leader"] == leader
    for k in range(400, 500):
        run.step(flock, k * DT)
    behind = int(np.argmax(np.where(np.arange(5) == leader, -np.inf, x)))
    assert run.figures["leader"] == behind
    assert [event.member for event in run.events if event.kind == "leader"] == [leader, behind]
