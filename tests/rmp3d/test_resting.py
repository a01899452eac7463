"""Members that stand cost nothing, wake when somebody comes, and rest again."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors import step as stepping
from rmp3d.behaviors.groups import Crowd
from rmp3d.geometry.parallel import using_threads
from rmp3d.simulation import Simulation

APART = 0.75  # [m] of those that stand: nearer than they like
LOOSE = 1.3  # so that somebody comes through


def floor(half):
    corners = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    return rp.Scene.from_mesh((corners, [[0, 1, 2], [0, 2, 3]]), roles={"*": "ground"})


def standing(side, apart):
    rows = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return np.concatenate([apart * (rows - 0.5 * (side - 1)), np.zeros((side * side, 1))], axis=1)


def crowd_at_rest(side, walkers=(), apart=APART, **settings):
    """Return the arguments of a run with side x side that stand, and walkers from start to goal."""
    starts, goals = standing(side, apart), standing(side, apart)
    for start, goal in walkers:
        starts, goals = np.vstack([starts, start]), np.vstack([goals, goal])
    half = 0.5 * apart * side + 4.0
    group = rp.Group(members=len(starts), behavior=Crowd.between(starts, goals, nodes=60))
    return (floor(half), group), {"seed": 0, "duration": 60.0, "linger": 50.0, **settings}


def simulation(*args, **options):
    args, settings = crowd_at_rest(*args, **options)
    return Simulation(*args, **settings)


def counted(monkeypatch):
    """Note how many rows the stages of each step work on."""
    rows, moved = [], stepping._moved
    monkeypatch.setattr(
        stepping, "_moved", lambda flock, *rest: rows.append(len(flock)) or moved(flock, *rest)
    )
    return rows


def test_a_crowd_at_rest_costs_no_work_though_its_members_stand_near_one_another(monkeypatch):
    run = simulation(16)
    for _ in range(8):
        run.step()
    rows, here = counted(monkeypatch), run.flock.position
    for _ in range(5):
        run.step()
        assert len(run._members._world.awake.rows) == 0
        assert len(run._members._world.close.i) == 0
    assert rows == [0] * 5
    assert np.array_equal(run.flock.position, here)
    assert not run.flock.velocity.any()


@pytest.mark.slow
def test_those_that_rest_step_aside_for_who_walks_through_and_rest_again(monkeypatch):
    side, lane = 15, 0.5 * LOOSE  # between two rows of them
    far = 0.5 * LOOSE * side + 2.0
    run = simulation(side, [([-far, lane, 0.0], [far, lane, 0.0])], LOOSE)
    start, woken, rows = run.flock.position, set(), counted(monkeypatch)
    walker = int(np.argmin(start[:, 0]))
    crowd = run._members._units[0].run
    while not crowd._arrived.all():
        run.step()
        assert run.time < 40.0
        if run.time > 1.0:
            woken |= set(np.flatnonzero(~run._members._world.awake.resting).tolist())
    for _ in range(90):
        run.step()
    off = np.linalg.norm(run.flock.position - start, axis=1)
    beside = np.abs(start[:, 1] - lane) < LOOSE
    beside[walker], off[walker] = False, 0.0
    assert woken == {walker, *np.flatnonzero(beside).tolist()}
    assert off[beside].max() > 0.0  # they made room
    assert not off[~beside].any()  # nobody else has moved
    assert max(rows[60:]) < 0.2 * side * side
    assert rows[-1] == 0


def test_only_who_is_awake_moves_and_looks_whether_others_leave_it_room(monkeypatch):
    far = 0.5 * LOOSE * 16 + 2.0
    run = simulation(16, [([-far, 0.0, 0.0], [far, 0.0, 0.0])], LOOSE)
    moved, move = [], stepping.move

    def noted(flock, motion, only=None):
        after = move(flock, motion, only)
        moved.append((len(flock), len(after)))
        return after

    monkeypatch.setattr(stepping, "move", noted)
    for _ in range(90):
        awake = run._members.perceive(run.flock, run.time).awake
        turned = run.flock.orientation_wxyz
        run.step()
        if awake.rows is not None and run.frames > 12:
            part = len(run.flock) if awake.part is None else len(awake.part)
            assert moved[-1] in ((part, len(awake.rows)), (len(run.flock), len(awake.rows)))
            same = (run.flock.orientation_wxyz == turned).all(axis=1)
            assert same[awake.resting].all()
    assert any(count < part for part, count in moved[12:])  # somebody was looked at only


@pytest.mark.parametrize(("apart", "wakes"), [(1.24, True), (1.5, False)])
def test_only_who_is_nearly_in_the_way_of_one_that_walks_by_wakes(apart, wakes):
    run = simulation(4, [([-6.0, 0.0, 0.0], [6.0, 0.0, 0.0])], apart)
    start, woken = run.flock.position, set()
    walker = int(np.argmin(start[:, 0]))
    while not run._members._units[0].run._arrived[walker]:
        run.step()
        assert run.time < 20.0
        if run.time > 0.5:
            woken |= set(np.flatnonzero(~run._members._world.awake.resting).tolist())
    assert (woken != {walker}) == wakes
    assert walker in woken


def test_who_has_somewhere_else_to_go_wakes_at_once():
    run = simulation(15)
    for _ in range(8):
        run.step()
    crowd = run._members._units[0].run
    crowd._until[7] = run.time  # as if its stay was over
    crowd._trips.leaves[:] = False
    run._members._world = None
    assert run._members.perceive(run.flock, run.time).awake.resting[7]
    crowd._there[7] = False
    run._members._world = None
    assert not run._members.perceive(run.flock, run.time).awake.resting[7]


@pytest.mark.slow
def test_any_number_of_threads_gives_the_same_bytes_of_a_crowd_of_which_most_rest():
    rng, side = np.random.default_rng(0), 26
    far = 0.5 * APART * side + 2.0
    walkers = [([s * far, y, 0.0], [-s * far, y, 0.0]) for s, y in zip(
        np.tile([-1.0, 1.0], 10), np.linspace(-8.0, 8.0, 20) + 0.1 * rng.random(20), strict=True
    )]  # fmt: skip
    found = []
    for threads in (1, 2, 3):
        with using_threads(threads):
            run = simulation(side, walkers)
            for _ in range(120):
                run.step()
            found.append([getattr(run.flock, name).tobytes() for name in run.flock.arrays])
            assert 100 < run._members._world.awake.resting.sum() < side * side
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_a_run_in_which_members_rest_and_wake_is_proved():
    far = 0.5 * LOOSE * 15 + 2.0
    ways = [([s * far, s * 0.65, 0.0], [-s * far, s * 0.65, 0.0]) for s in (-1.0, 1.0)]
    (scene, group), settings = crowd_at_rest(15, ways, LOOSE, duration=40.0, linger=0.1)
    with rp.run(scene, group, **settings) as recording:
        assert [event.kind for event in recording.events()].count("arrived") == 15 * 15 + 2
        assert recording.verify().ok


def test_nobody_rests_where_parts_move():
    standing_there = Crowd.between([[0.0, -3.0, 0.0]], [[0.0, -3.0, 0.0]], nodes=20)
    group = rp.Group(members=1, behavior=standing_there)
    assert Simulation("station", group)._members._resting is None
    assert Simulation("plain", group)._members._resting is not None
