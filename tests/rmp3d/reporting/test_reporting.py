import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from rmp3d import cli
from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.reporting import write_report
from rmp3d.reporting.course import REACH, course_of
from rmp3d.reporting.members import member_rows
from rmp3d.reporting.motion import FIGURE_TEXTS
from rmp3d.reporting.widths import width_in_use

DT = 1 / 32


def walk(frames=300):
    """Two walkers abreast along y = 1 and y = 2, from x = 1, at 1.28 m/s."""
    position = np.zeros((frames, 2, 3))
    position[..., 0] = 1.0 + 0.04 * np.arange(frames)[:, None]
    position[..., 1] = [1.0, 2.0]
    return position


@pytest.fixture
def recorded(world, tmp_path):
    return world.record(tmp_path / "a.rmp3d", walk())


def test_members_have_the_way_and_the_energy_of_a_steady_walk(recorded, world):
    with RecordingReader.open(recorded) as recording:
        rows = member_rows(recording, recording.position(), recording.load_characters(), ())
    assert [row.member for row in rows] == [0, 1]
    for row in rows:
        speed = 0.04 / DT
        assert row.distance == pytest.approx(0.04 * 299, abs=1e-4)
        assert row.mean_speed == pytest.approx(speed, abs=1e-4)
        assert row.energy == pytest.approx((2.23 + 1.26 * speed**2) * 75.0 * 299 * DT, rel=1e-4)
        # In the goal from x = 12 on: frame 275 is the first.
        assert row.arrived == pytest.approx(275 * DT)
        assert row.collisions == 0


def test_a_member_that_leaves_its_goal_again_has_not_arrived(world, tmp_path):
    back_and_forth = np.concatenate([walk(), walk()[::-1]])
    path = world.record(tmp_path / "b.rmp3d", back_and_forth)
    with RecordingReader.open(path) as recording:
        rows = member_rows(recording, recording.position(), recording.load_characters(), None)
    assert [row.arrived for row in rows] == [None, None]
    assert [row.collisions for row in rows] == [None, None]


def test_the_course_has_clearances_spread_and_speed_by_their_formulas(recorded, world):
    with RecordingReader.open(recorded) as recording:
        position, kinds = recording.position(), recording.load_characters()
        course = course_of(recording, position, world.scene, kinds)
    np.testing.assert_allclose(course.to_members, 1.0 - 2 * 0.3, atol=1e-5)
    np.testing.assert_allclose(course.spread, 0.5, atol=1e-5)
    np.testing.assert_allclose(course.speed, 0.04 / DT, atol=1e-3)
    x = 1.0 + 0.04 / DT * course.time
    # The screen's corner is at (10, 4), the nearest walker's axis at (x, 2).
    expected = np.minimum(np.hypot(x - 10.0, 2.0) - 0.3, REACH)
    near = np.abs(x - 10.0) < 1.0
    np.testing.assert_allclose(course.to_scene[near], expected[near], atol=1e-5)


def test_who_climbs_stairs_is_as_fast_and_spends_as_much_as_on_the_level(world, tmp_path):
    """A riser lies between two frames: its height over one frame would be 5 m/s."""
    up = walk()
    up[:, 0, 2] = 0.17 * np.floor((up[:, 0, 0] - 1.0) / 0.28 + 0.5)
    with RecordingReader.open(world.record(tmp_path / "c.rmp3d", up)) as recording:
        position, kinds = recording.position(), recording.load_characters()
        climbs, walks = member_rows(recording, position, kinds, None)
        course = course_of(recording, position, world.scene, kinds)
    assert climbs.mean_speed == pytest.approx(walks.mean_speed, abs=1e-3)
    assert climbs.energy == pytest.approx(walks.energy, rel=1e-3)
    np.testing.assert_allclose(course.speed, 0.04 / DT, atol=1e-3)


def test_the_width_in_use_is_that_of_the_bodies_on_a_bent_path():
    path = np.array([[0.0, 0, 0], [10.0, 0, 0], [10.0, 10, 0]])
    time = np.linspace(0.05, 0.95, 400)[:, None]
    right_of_it = np.concatenate(
        [np.hstack([10 * time, -1.0 + 0 * time]), np.hstack([11 + 0 * time, 10 * time])]
    )
    on_it = np.concatenate(
        [np.hstack([10 * time, 0 * time]), np.hstack([10 + 0 * time, 10 * time])]
    )
    position = np.zeros((800, 2, 3))
    position[:, 0, :2], position[:, 1, :2] = right_of_it, on_it
    used = width_in_use(path, position, 0.25)
    walked = ~np.isnan(used.left) & (np.abs(used.station - 10.0) > 1.5)
    assert walked.sum() > 50
    np.testing.assert_allclose(used.left[walked], 0.25, atol=1e-9)
    np.testing.assert_allclose(used.right[walked], -1.25, atol=1e-9)


class Outline(HTMLParser):
    """Notes captions and tables, and that every opened element is closed in order."""

    VOID = frozenset({"meta", "link", "img", "br"})

    def __init__(self):
        super().__init__()
        self.open, self.captions, self.rows = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.rows += tag == "tr"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "figcaption":
            self.captions.append(data)


@pytest.mark.slow
def test_the_page_is_whole_and_the_same_every_time(world, tmp_path):
    header = world.header(2, frames=len(walk()))
    plan = {
        "station": np.linspace(0, 14, 30), "choice": np.repeat([0, 1], 15),
        "formation": np.array([b"line", b"column"]), "spacing": np.array([1.2, 0.9]),
        "room_left": np.full(30, 2.0), "room_right": np.full(30, 0.5),
        "nodes": np.array([[1.0, 1, 0], [8.0, 2, 0], [15.0, 1, 0]]),
        "edges": np.array([[0, 1], [1, 2]]),
    }  # fmt: skip
    header = replace(header, plans=(plan,), series=({"flock_spread": (), "weights": (2,)},))
    path = tmp_path / "a.rmp3d"
    with RecordingWriter(path, header) as writer:
        steady = walk()
        # From rest: the first steps are shorter.
        steady[:12, :, 0] = 1.48 - 0.04 / 13 * np.cumsum(np.arange(12, 0, -1))[::-1, None]
        for k, position in enumerate(steady):
            writer.append(
                position=position, orientation_wxyz=np.tile([1.0, 0, 0, 0], (2, 1)),
                subgoal=position, formation_of=[k // 150],
            )  # fmt: skip
            if k % 32 == 0:
                writer.add_measures(k * DT, 0, {"flock_spread": k, "weights": [1.0, k]})
        writer.add_event(2.0, "found", 0, 1, "<the goal> & more")
        writer.add_event(150 * DT, "formation", 0, -1, "line -> column")
        writer.add_event((len(steady) - 1) * DT, "end", -1, -1, "")
        writer.put_figures(0, {"found_by": 1, "shares": [0.5, 0.25]})
    pages = []
    for name in ("one.html", "two.html"):
        with RecordingReader.open(path) as recording:
            write_report(recording, tmp_path / name)
        pages.append((tmp_path / name).read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    page = Outline()
    page.feed(pages[0])
    assert page.open == []
    for word in ("Map", "Formation over", "Free width along", "Least clearance", "Arrivals",
                 "Spread", "Speed", "Flock spread", "Search weights"):  # fmt: skip
        assert any(caption.startswith(word) for caption in page.captions), word
    assert page.rows >= 1 + 1 + 1 + 2 + 1 + 1
    assert "&lt;the goal&gt; &amp; more" in pages[0]
    assert "found by: 1; shares: 0.5, 0.25" in pages[0]
    assert "No findings." in pages[0]
    assert "jerk [m/s³]" in pages[0]
    assert not re.search(r"(src|href)=\"(?!data:|#)", pages[0])  # nothing from elsewhere


@pytest.mark.slow
def test_the_verb_writes_the_page_and_refuses_what_is_no_page(recorded, tmp_path, capfd):
    assert cli.main(["report", str(recorded), "--no-verify"]) == 0
    assert "Not verified." in (tmp_path / "a-report.html").read_text(encoding="utf-8")
    assert cli.main(["report", str(recorded), "-o", str(tmp_path / "a.pdf")]) == 2
    assert "name it .html" in capfd.readouterr().err
    assert cli.main(["report", str(recorded), "--no-verify", "--json"]) == 0
    figures = json.loads(capfd.readouterr().out)["figures"]
    (own,) = figures.values()
    assert set(own) == set(FIGURE_TEXTS)
    assert 0.0 <= own["aside"]["median"] <= own["aside"]["worst"] <= 100.0
    with (
        RecordingReader.open(recorded) as recording,
        pytest.raises(InputError, match="cannot be written"),
    ):
        write_report(recording, tmp_path / "none" / "a.html", check=False)
