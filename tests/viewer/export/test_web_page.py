import base64
import json
import re
import threading
import zlib
from dataclasses import replace
from html import escape

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.geometry import InputError
from rmp3d.models import load_character
from rmp3d.viewer import Event, export_playback
from rmp3d.viewer.export.web_meshes import marker, tube
from rmp3d.viewer.export.web_news import first_news
from rmp3d.viewer.export.web_page import ReplayPage
from rmp3d.viewer.texts import language, speak
from rmp3d.viewer.web_server import PageServer


def unpacked(path):
    """The head of a page's recording, and its arrays as bytes."""
    text = path.read_text(encoding="utf-8")
    (code,) = re.findall(r'<script id="recording" type="text/plain">([^<]*)</script>', text)
    data = zlib.decompress(base64.b64decode(code))
    size = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + size])
    body = data[4 + size :]
    return head, {name: body[at : at + length] for name, (at, length) in head["arrays"].items()}


def integers(data, width):
    """Integers whose bytes lie in planes, lowest first."""
    planes = np.frombuffer(data, np.uint8).reshape(width, -1).astype(np.int64)
    total = sum(plane << (8 * row) for row, plane in enumerate(planes))
    return np.where(total >= 1 << (8 * width - 1), total - (1 << (8 * width)), total)


def tracks(arrays, name, axes, width):
    """Frames (k,) and integer values (k, D) of each member's keys."""
    counts = integers(arrays[f"{name}_count"], 4)
    frame = integers(arrays[f"{name}_frame"], 4)
    value = integers(arrays[f"{name}_value"], width).reshape(axes, -1).T
    for end, count in zip(np.cumsum(counts), counts, strict=True):
        rows = slice(end - count, end)
        yield np.cumsum(frame[rows]), np.cumsum(value[rows], axis=0)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def away(path, playback):
    """Largest distance [m] and angle [rad] from the playback at any frame, by SciPy."""
    head, arrays = unpacked(path)
    frames, worst = np.arange(playback.frame_count), np.zeros(2)
    for member, (at, steps) in enumerate(tracks(arrays, "move", 3, 4)):
        moved = steps * head["position_step"]
        there = np.column_stack([np.interp(frames, at, axis) for axis in moved.T])
        gap = np.linalg.norm(there - playback.drawn[:, member], axis=1)
        worst[0] = max(worst[0], gap.max())
    for member, (at, steps) in enumerate(tracks(arrays, "turn", 4, 2)):
        mixed = [np.interp(frames, at, part) for part in unit(steps).T]
        spin = Rotation.from_quat(np.column_stack(mixed))  # which scales to unit length
        ours = Rotation.from_quat(playback.orientation_wxyz[:, member], scalar_first=True)
        worst[1] = max(worst[1], (spin.inv() * ours).magnitude().max())
    return worst


@pytest.mark.parametrize("seed", range(3))
def test_decoded_motion_is_within_a_centimeter_and_a_degree(winding, tmp_path, seed):
    playback = winding(seed)
    export_playback(playback, tmp_path / "a.html")
    gap, angle = away(tmp_path / "a.html", playback)
    assert 0.005 < gap <= 0.01
    assert np.radians(0.5) < angle <= np.radians(1.0)


def test_tolerances_are_options(winding, tmp_path):
    playback = winding(7)
    options = {"tolerance": 0.001, "angle_tolerance": np.radians(0.1)}
    export_playback(playback, tmp_path / "a.html", options=options)
    gap, angle = away(tmp_path / "a.html", playback)
    assert gap <= 0.001
    assert np.degrees(angle) <= 0.1
    with pytest.raises(InputError, match="`tolerance` must be at least"):
        export_playback(playback, tmp_path / "a.html", options={"tolerance": 0.0})


def test_the_page_needs_nothing_else(playback, tmp_path):
    hostile = replace(
        playback,
        title="</title><script>alert(1)</script> ünï",
        events=(Event(1.0, "formation", 0, -1, "</script><img src=x onerror=alert(2)>"),),
    )
    export_playback(hostile, tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "http" not in text.replace("http-equiv", "")
    assert text.count("<script") == text.count("</script>") == 2
    assert "<img" not in text
    assert "default-src 'none'" in text
    head, _ = unpacked(tmp_path / "a.html")
    assert head["title"] == hostile.title
    (event,) = hostile.events
    assert head["events"] == [{"time": 1.0, "kind": "formation", "text": event.text, "who": ""}]


def test_formations_are_told_when_they_change(playback, tmp_path):
    export_playback(playback, tmp_path / "a.html")
    (group,) = unpacked(tmp_path / "a.html")[0]["groups"]
    assert [name for _, name in group["formations"]] == ["line", "column", "line"]
    assert [time for time, _ in group["formations"]] == pytest.approx([0.0, 5.0, 15.0])


def test_names_that_come_with_it_are_in_the_language_of_the_page(playback, tmp_path):
    speak("es")
    try:
        export_playback(playback, tmp_path / "a.html")
    finally:
        speak("en")
    (group,) = unpacked(tmp_path / "a.html")[0]["groups"]
    assert group["name"] == "visitantes"
    assert [name for _, name in group["formations"]] == ["línea", "columna", "línea"]


def test_same_playback_same_bytes(playback, tmp_path):
    for name in ("a.html", "b.html"):
        export_playback(playback, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_tube_follows_its_points():
    points = np.array([[0.0, 0, 0], [3, 0, 0], [3, 0, 0], [3, 4, 0], [3, 4, 2], [3, 4, -2]])
    corners = tube(points, 0.1).vertices
    ends = points[:-1], points[1:]
    along = np.clip(np.linspace(0, 1, 200), 0, 1)[:, None, None]
    dense = (ends[0] + along * (ends[1] - ends[0])).reshape(-1, 3)
    gap = np.linalg.norm(corners[:, None] - dense[None], axis=2).min(axis=1)
    assert gap.max() < 0.32  # arrow heads are three times as thick


def test_a_marker_lies_at_the_feet_and_points_ahead(playback):
    mesh = marker(playback.characters[0])
    assert (mesh.normals[:, 2] > 0.99).all()
    assert np.ptp(mesh.vertices[:, 2]) == 0.0
    assert mesh.vertices[:, 0].max() == pytest.approx(1.5 * playback.characters[0].body.radius)


@pytest.fixture
def page(browser, tmp_path):
    """A function that opens a playback's replay page and waits until it is shown."""

    def start(playback):
        export_playback(playback, tmp_path / "a.html")
        browser.open(f"file://{tmp_path}/a.html")
        problem = "document.getElementById('problem').textContent"
        browser.until(f"window.replay?.stale === false || {problem}")
        assert browser.run(problem) == ""
        return browser

    return start


@pytest.mark.slow
def test_a_page_goes_on_with_the_run_where_camera_and_layers_are(winding, browser):
    whole = replace(winding(2, frames=1100), characters=(load_character("pedestrian"),))
    asked = []

    def until(frames):
        cut = {name: getattr(whole, name)[:frames] for name in ("position", "orientation_wxyz")}
        cut["formation_of"] = whole.formation_of[:frames]
        return replace(whole, **cut, subgoal=None, events=whole.events[: frames > 200])

    class Run:
        simulated = 1

        def page(self):
            return ReplayPage().page(until(self.simulated), goes_on=self.simulated < 1100)

        def more(self, after):
            if after == self.simulated < 1100:
                return b""
            asked.append(first_news(after, whole.dt))
            goes_on = self.simulated < 1100
            return ReplayPage().more(until(self.simulated), asked[-1], goes_on=goes_on)

    run = Run()
    server = PageServer(run)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        browser.open(server.address)
        browser.until("window.replay?.stale === false")
        assert browser.run("[replay.playing, replay.duration]") == [True, 0]
        browser.run("replay.camera.turn(40, 0), replay.toggleLayer('trails'), null")
        camera = browser.run("replay.camera.azimuth")
        run.simulated = 90
        browser.until("replay.head.frames === 90")
        assert "simulated up to" in browser.run("byId('live').textContent")
        browser.until("replay.time > 0")
        run.simulated = 800
        browser.until("replay.head.frames === 800")
        run.simulated = 1100
        browser.until("!replay.head.goes_on && replay.stale === false")
    finally:
        server.stop()
        thread.join()
        server.close()
    assert browser.run("replay.duration") == pytest.approx(whole.duration)
    assert browser.run("[replay.camera.azimuth, replay.shown.trails]") == [camera, True]
    assert browser.run("byId('live').textContent") == ""
    assert asked == [0, 0, 512]
    text = ReplayPage().more(whole, goes_on=False).decode()
    browser.run(
        f"unpack('{text}').then(data => window.all = "
        f"new Motion({{ ...data, head: {{ ...replay.head, ...data.head }} }})), null"
    )
    browser.until("!!window.all")
    for time in (0.0, 16.0, 17.05, 17.1, 18.0, 26.0, 30.0, whole.duration):
        seen = [
            browser.run(
                f"[{each}.seek({time / whole.dt}), {each}.seekGait({time}), ...{each}.position, "
                f"...{each}.rotation.map(Math.abs), ...{each}.phase, ...{each}.speed, "
                f"...{each}.bend].slice(2)"
            )
            for each in ("replay.motion", "all")
        ]
        np.testing.assert_allclose(*seen, atol=2e-5)


@pytest.mark.slow
def test_the_browser_shows_the_same_motion(winding, page):
    playback = winding(1)
    opened = page(playback)
    for frame in (0, 17, 100, playback.frame_count - 1):
        opened.run(f"replay.seek({frame * playback.dt})")
        rows = opened.run("[[...replay.motion.position], [...replay.motion.rotation]]")
        gap = np.reshape(rows[0], (-1, 3)) - playback.drawn[frame]
        assert np.linalg.norm(gap, axis=1).max() <= 0.01
        theirs = Rotation.from_quat(np.reshape(rows[1], (-1, 4)))
        ours = Rotation.from_quat(playback.orientation_wxyz[frame], scalar_first=True)
        assert np.degrees((theirs.inv() * ours).magnitude()).max() <= 1.0


@pytest.mark.slow
def test_it_plays_and_the_members_move(playback, page):
    opened = page(playback)
    still = opened.picture()
    opened.press(" ", "Space")
    opened.until("replay.time > 0.5")
    opened.run("document.getElementById('play').click()")
    time = opened.run("replay.time")
    assert opened.run("replay.playing") is False
    opened.until("!replay.stale")
    moved = opened.picture()
    assert (moved != still)[:600].any(axis=2).sum() > 200
    assert opened.run("document.getElementById('clock').textContent").endswith("/ 0:19.9")
    for key, expected in (("End", 19.967), ("Home", 0.0), ("n", 5.0), ("ArrowRight", 5 + 1 / 30)):
        opened.press(key)
        assert opened.run("replay.time") == pytest.approx(expected, abs=0.01)
    assert time > 0.5
    opened.until("!replay.stale")
    assert opened.run("document.getElementById('event').textContent") == "0:05.0  line to column"
    assert "column" in opened.run("document.getElementById('groups').textContent")
    assert opened.problems() == []
    assert opened.requests() == [opened.run("location.href")]  # nothing but the page itself


@pytest.mark.slow
def test_the_timeline_scrubs_and_plays_to_its_end(playback, page):
    opened = page(playback)
    left, top, width, height = opened.run(
        "(r => [r.left, r.top, r.width, r.height])("
        "document.getElementById('time').getBoundingClientRect())"
    )
    middle = top + height / 2
    opened.drag((left + 9, middle), (left + width / 2, middle))
    assert opened.run("replay.time") == pytest.approx(playback.duration / 2, abs=0.3)
    marks = opened.run("[...document.querySelectorAll('#marks i')].map(i => i.style.left)")
    assert [float(mark[:-1]) for mark in marks] == pytest.approx(
        [100 * event.time / playback.duration for event in playback.events], abs=0.01
    )
    opened.run("replay.seek(replay.duration - 0.1), replay.toggle(true)")
    opened.until("!replay.playing")
    assert opened.run("replay.time") == pytest.approx(playback.duration)


@pytest.mark.slow
def test_the_camera_orbits_moves_zooms_and_follows(playback, page):
    opened = page(playback)
    look = "(c => [c.azimuth, c.elevation, c.distance, ...c.target])(replay.camera)"
    home = opened.run(look)
    opened.drag((640, 400), (740, 360))
    turned = opened.run(look)
    assert turned[:2] != home[:2]
    assert turned[2:] == home[2:]
    opened.drag((640, 400), (740, 360), button="right")
    moved = opened.run(look)
    assert moved[:3] == turned[:3]
    assert moved[3:] != home[3:]
    opened.mouse("Wheel", 640, 400, deltaX=0, deltaY=-240)
    opened.until(f"replay.camera.distance < {moved[2]}")
    opened.press("z")
    assert opened.run(look) == pytest.approx(home)
    x, y = opened.run("replay.onPage(3)")
    opened.drag((x, y), (x, y))
    assert opened.run("replay.followed") == 3
    opened.press("End")
    opened.until("!replay.stale")
    target = opened.run(look)[3:5]
    assert target == pytest.approx(playback.position[-1, 3, :2].tolist(), abs=0.02)
    assert opened.run("document.getElementById('member').textContent") == "following visitors 3"
    assert opened.problems() == []


def test_an_event_says_whom_it_is_about(playback, tmp_path):
    events = (Event(1.0, "jam", 0, 1, "in a jam"), Event(2.0, "formation", 0, -1, "column"))
    told = replace(playback, events=events)
    export_playback(told, tmp_path / "a.html")
    assert [event["who"] for event in unpacked(tmp_path / "a.html")[0]["events"]] == [
        f"{told.group_names[0]} 1", ""
    ]  # fmt: skip


PHONE = """[document.documentElement.scrollWidth <= innerWidth,
  ...['play', 'layer', 'all', 'clock', 'event'].map(id => {
    const box = document.getElementById(id).getBoundingClientRect();
    return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 0.5;
  })]"""


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "es"])
def test_all_of_the_bar_is_on_a_phone(playback, browser, tmp_path, code):
    told = replace(playback, events=(Event(0.0, "jam", 0, 0, "in a jam"),))
    before = language()
    speak(code)
    try:
        export_playback(told, tmp_path / "a.html")
    finally:
        speak(before)
    size = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", width=390, **size)
    try:
        browser.open(f"file://{tmp_path}/a.html")
        browser.until("Boolean(window.replay)")
        assert all(browser.run(PHONE)), browser.run(PHONE)
        assert browser.run("document.documentElement.lang") == code
    finally:
        size["height"] = 720
        browser.call("Emulation.setDeviceMetricsOverride", width=1280, **size)


@pytest.mark.slow
def test_nobody_and_a_single_frame_can_be_shown(make, page):
    for playback in (make(members=0), make(members=1, seconds=0.03)):
        opened = page(playback)
        opened.press(" ", "Space")
        assert opened.picture().std() > 10
        assert opened.problems() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "lacking",
    ["delete window.DecompressionStream", "HTMLCanvasElement.prototype.getContext = () => null"],
)
def test_a_browser_that_cannot_show_it_says_so(playback, browser, tmp_path, lacking):
    export_playback(playback, tmp_path / "a.html")
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=lacking)["identifier"]
    try:
        browser.open(f"file://{tmp_path}/a.html")
        browser.until("document.getElementById('problem').textContent")
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    said = browser.run("document.getElementById('problem').innerText")  # only what is displayed
    assert said.startswith("This replay cannot be shown")
    assert "WebGL 2" in said


FRAME = """<!DOCTYPE html><body style="margin: 0; height: 3000px">
<iframe width="600" height="260" style="border: 0; display: none" srcdoc="{page}"></iframe>"""


@pytest.mark.slow
def test_it_fits_the_frame_of_a_notebook_and_lets_the_wheel_scroll_it(playback, browser, tmp_path):
    export_playback(playback, tmp_path / "a.html")
    page = escape((tmp_path / "a.html").read_text(encoding="utf-8"))
    outer = tmp_path / "notebook.html"
    outer.write_text(FRAME.format(page=page), encoding="utf-8")
    browser.open(f"file://{outer}")
    browser.run("frame = document.querySelector('iframe'), null")
    browser.until("Boolean(frame.contentWindow.replay)")
    browser.run("frame.style.display = 'block'")
    inner = "frame.contentWindow.replay"
    browser.until(f"{inner}.stale === false && {inner}.canvas.clientWidth === 600")
    assert browser.run(f"{inner}.canvas.clientHeight") == 260 - 70
    camera = browser.run(f"[{inner}.camera.distance, ...{inner}.camera.target]")
    assert np.isfinite(camera).all()
    assert browser.picture()[:190, :600].std() > 10
    seen = browser.run(f"[0, 1, 2].map(member => {inner}.onPage(member))")
    assert (np.array(seen) > 0).all()
    assert (np.array(seen) < [600, 190]).all()
    browser.mouse("Wheel", 300, 100, deltaX=0, deltaY=240)
    browser.until("document.documentElement.scrollTop > 0")
    assert browser.run(f"{inner}.camera.distance") == camera[0]
    assert browser.problems() == []
    assert browser.requests() == [browser.run("location.href")]
