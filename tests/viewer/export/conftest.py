"""What exports are opened with: headless Chromium and npm packages, where this machine has them."""

import base64
import contextlib
import functools
import http.server
import io
import itertools
import json
import os
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from rmp3d.viewer import export_playback

PACKAGES = Path(__file__).parents[3] / "out" / "web" / "node_modules"
NPM = "npm install --prefix out/web gltf-validator three"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 300.0  # [s] for one answer; without one, on however busy a machine, it hangs


class Browser:
    """Headless Chromium with one page, spoken to over a pipe (Chrome DevTools Protocol)."""

    def __init__(self, program, profile, size=(1280, 720)):
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()

        def connect():  # Chromium reads from 3 and writes to 4
            held = os.dup(to_child), os.dup(from_child)
            for number, pipe in zip((3, 4), held, strict=True):
                os.dup2(pipe, number)

        where = f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"
        self._process = subprocess.Popen(
            [program, *FLAGS, *where],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self._rest, self._numbers, self.events = b"", itertools.count(1), []
        target = self._call("Target.createTarget", url="about:blank", session=None)["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True, session=None)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        width, height = size
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.call("Page.bringToFront")

    def call(self, method, **parameters):
        return self._call(method, session=self._session, **parameters)

    def open(self, url):
        """Go to an address and wait until the page is loaded; forget what was before."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script):
        """Return the value of a JavaScript expression; promises are waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def until(self, condition):
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(condition):
            assert time.monotonic() < end, f"{condition}\n{self.problems()}"
            time.sleep(0.02)

    def picture(self, path=None):
        """Return the page as pixels (H, W, 3); also save it."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            Path(path).write_bytes(data)
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def drag(self, start, end, button="left"):
        held = {"left": 1, "right": 2, "middle": 4}[button]
        self.mouse("Pressed", *start, button=button, buttons=held, clickCount=1)
        for share in (0.5, 1.0):
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            self.mouse("Moved", x, y, button=button, buttons=held)
        self.mouse("Released", *end, button=button, buttons=0, clickCount=1)

    def problems(self):
        """Return what the page complained about: exceptions, errors of the console."""
        bad = ("Runtime.exceptionThrown", "Log.entryAdded")
        found = [event["params"] for event in self.events if event["method"] in bad]
        return [json.dumps(each)[:600] for each in found]

    def requests(self):
        """Return the addresses that the page asked for."""
        sent = [e["params"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        return [each["request"]["url"] for each in sent]

    def close(self):
        with contextlib.suppress(BrokenPipeError, OSError, AssertionError):
            self._call("Browser.close", session=None)
        os.close(self._write)
        os.close(self._read)
        self._process.wait(timeout=PATIENCE)

    def _call(self, method, session, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def _next(self):
        while b"\0" not in self._rest:
            data = os.read(self._read, 1 << 20)
            assert data, "Chromium has ended"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@pytest.fixture
def winding(make):
    """A function that makes a playback in which members wind about in space, banking."""

    def build(seed, members=4, frames=300):
        rng = np.random.default_rng(seed)
        base = make(members=members, seconds=frames / 30 - 0.01)
        steps = np.cumsum(rng.normal(size=(base.frame_count, members, 6)), axis=0)
        steps[60:120] = steps[60]  # they stand for a while
        spins = Rotation.from_euler("zyx", 0.05 * steps[..., 3:].reshape(-1, 3))
        turns = spins.as_quat(scalar_first=True).reshape(base.frame_count, members, 4)
        turns *= rng.choice([-1.0, 1.0], size=(base.frame_count, members, 1))  # the same rotations
        position = 0.03 * steps[..., :3] + [100.0, -200.0, 5.0]
        return replace(base, position=position, orientation_wxyz=turns, subgoal=None)

    return build


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless browser; one for all tests."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("no Chromium here to open web pages with (apt install chromium)")
    opened = Browser(program, tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()


@pytest.fixture
def opened_replay(browser, tmp_path):
    """A function that writes the page of a playback, and returns the browser that shows it."""

    def opened(shown):
        export_playback(shown, tmp_path / "a.html")
        browser.open(f"file://{tmp_path}/a.html")
        browser.until("window.replay?.stale === false")
        return browser

    return opened


@pytest.fixture(scope="session")
def npm_packages():
    """The folder of the npm packages that judge a .glb; never part of the repository."""
    if shutil.which("node") is None:
        pytest.skip("no node here (apt install nodejs npm)")
    if not all((PACKAGES / name).is_dir() for name in ("gltf-validator", "three")):
        pytest.skip(f"npm packages are missing; run `{NPM}`")
    return PACKAGES


@pytest.fixture
def serve():
    """A function that serves a folder to the browser and returns its address."""
    servers = []

    def start(folder):
        handler = functools.partial(_Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
