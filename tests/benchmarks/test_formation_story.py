"""What the groups' benchmark sees in a recording, against motions whose faults are known."""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.formation_story import story

DT, SPEED, RADIUS = 1 / 30, 1.3, 0.25
LINE = np.array([[0, 0, 0], [0, 1, 0], [0, -1, 0]], float)
FILE = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], float)


def recorded(position, formation, room, line=LINE):
    """A recording of three walkers along +x through a passage from 20 to 30 m."""
    station = np.linspace(0.0, 60.0, 301)
    free = room(station)
    plan = {
        "station": station,
        "room_left": free,
        "room_right": free,
        "formation": np.array(["line", "column"], "S32"),
        "slots": np.stack([line, FILE]),
        "choice": np.where((station > 18) & (station < 32), 1, 0),
    }
    header = SimpleNamespace(
        plans=[plan],
        paths=[np.array([[0.0, 0, 0], [60, 0, 0]])],
        group_of=np.zeros(3, int),
        character_of=np.zeros(3, int),
        formations=("line", "column"),
    )
    walker = SimpleNamespace(body=SimpleNamespace(radius=RADIUS), grounded=True)
    return SimpleNamespace(
        header=header, dt=DT, position=lambda: position, events=list,
        formation_of=lambda: formation[:, None], load_characters=lambda: (walker,),
    )  # fmt: skip


def march(aside=0.0, sway=0.0, line=LINE):
    """In line, in file from 18 to 34 m, in line: positions, and formations."""
    time = np.arange(0.0, 38.0, DT)
    leader = 5.0 + SPEED * time
    in_file = (leader > 18.0) & (leader < 34.0)
    slots = np.where(in_file[:, None, None], FILE, line)
    position = np.stack([leader[:, None] - slots[..., 0], slots[..., 1], 0 * slots[..., 2]], axis=2)
    position[:, 1, 1] += aside
    position[..., 1] += sway * np.sin(5.0 * time)[:, None]
    return recorded(
        position, in_file.astype(int), lambda s: np.where((s > 20) & (s < 30), 0.2, 5.0), line
    )


def test_a_perfect_march_has_no_faults():
    told = story(march())
    assert told.error == pytest.approx(0.0, abs=1e-9)
    assert told.aside == pytest.approx(0.0, abs=1e-9)
    assert told.abreast == 0.0
    assert told.turning == pytest.approx(0.0, abs=1e-6)
    # The line is there again with the leader at 34 m, 4 m behind the passage: 8 lengths of 0.5 m.
    assert told.back == pytest.approx(8.0, abs=0.8)


def test_the_depth_of_the_formation_is_not_counted_as_way_behind_the_passage():
    """Ranks 1 m apart instead of a line: complete again at the same place of the foremost."""
    deep = march(line=LINE + np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]]))
    assert story(deep).back == pytest.approx(8.0 - 2.0 / 0.5, abs=0.8)


def test_one_who_keeps_aside_is_told_in_lengths_of_the_body():
    told = story(march(aside=0.15))
    assert told.error == pytest.approx(0.15 / 3 / 0.5, rel=0.1)
    assert told.aside == pytest.approx(0.15 / 3 / 0.5, rel=0.15)


def test_swaying_shows_in_the_acceleration_across():
    told = story(march(sway=0.02))
    assert told.turning == pytest.approx(0.02 * 25.0 / np.sqrt(2.0), rel=0.1)


def test_who_never_falls_into_file_is_seen_abreast_in_the_passage():
    recording = march()
    time = np.arange(0.0, 38.0, DT)
    abreast = np.stack(
        [(5.0 + SPEED * time)[:, None] + 0 * LINE[:, 0], np.tile(LINE[:, 1], (len(time), 1)),
         np.zeros((len(time), 3))], axis=2,
    )  # fmt: skip
    told = story(SimpleNamespace(**{**vars(recording), "position": lambda: abreast}))
    assert told.abreast == 1.0
    assert told.aside == pytest.approx(2 / 3 / 0.5)
