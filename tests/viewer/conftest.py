"""A small playback made in code, and whether pictures can be made on this machine."""

import subprocess
import sys

import numpy as np
import pytest

from rmp3d.geometry.mesh import join
from rmp3d.geometry.rotations import frame, quaternion_from_matrix
from rmp3d.models import Body, Character, VehicleParameters
from rmp3d.scenes import Part, Region, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.playback.playback import Event, Playback

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs


def part(name, role, mesh, color):
    return Part(name, role, mesh, np.tile(color, (len(mesh.faces), 1)))


def walker():
    """A torso, a head and a nose that shows the heading; origin between the feet."""
    torso, head = (
        box([-0.12, -0.2, 0.0], [0.12, 0.2, 1.4]),
        box([-0.1, -0.1, 1.42], [0.1, 0.1, 1.7]),
    )
    nose = box([0.1, -0.04, 1.5], [0.2, 0.04, 1.6])
    mesh = join([torso, head, nose])
    colors = np.repeat([[0.4, 0.4, 0.45], [0.85, 0.65, 0.5], [0.85, 0.65, 0.5]], 12, axis=0)
    parameters = VehicleParameters(
        mass=75, max_speed=1.8, cruise_speed=1.3, max_force=300, max_braking=300, max_turn_rate=3
    )
    body = Body(box([-0.1, -0.1, 0.1], [0.1, 0.1, 1.6]), 0.3, (0.3, 1.45))
    return Character(
        mesh, name="walker", vehicle="hugging", colors=colors, body=body, parameters=parameters
    )


def make_scene():
    """Two 12 m yards joined by a corridor 2 m wide between walls 2.5 m high."""
    stone, grey = [0.72, 0.66, 0.58], [0.55, 0.56, 0.57]
    parts = (
        part("floor", "ground", box([-16, -8, -0.2], [16, 8, 0.0]), grey),
        part("wall north", "obstacle", box([-3, 1, 0], [3, 8, 2.5]), stone),
        part("wall south", "obstacle", box([-3, -8, 0], [3, -1, 2.5]), stone),
    )
    regions = [
        Region.box("start", [-14, -4, -0.1], [-8, 4, 2.2]),
        Region.box("goal", [8, -4, -0.1], [14, 4, 2.2]),
    ]
    return Scene("yards", parts, {r.name: r for r in regions}, [[-16, -8, -0.2], [16, 8, 5]])


def make_playback(members=9, dt=1 / 30, seconds=20.0, scene=None):
    """Members march from yard to yard: abreast, in column through the corridor, abreast again."""
    time = np.arange(0.0, seconds, dt)
    lead = -10.0 + time * 20.0 / seconds
    row = np.arange(members) - (members - 1) / 2
    share = np.clip((np.abs(lead) - 3.0) / 4.0, 0.0, 1.0)[:, None]
    column = np.stack([-row, 0.0 * row, 0 * row], -1) * 0.7
    abreast = np.stack([0.0 * row, row, 0 * row], -1) * 0.8
    slots = share[..., None] * abreast + (1 - share[..., None]) * column
    position = slots + np.stack([lead, 0 * lead, 0 * lead], -1)[:, None]
    velocity = np.diff(position, axis=0, append=position[-1:]) / dt
    orientation = quaternion_from_matrix(frame(velocity + np.array([1e-6, 0, 0]), [0, 0, 1.0]))
    quarter = len(time) // 4
    formation = np.zeros((len(time), 1), int)
    formation[quarter : 3 * quarter] = 1
    at = [0.0, quarter * dt, 3 * quarter * dt, time[-1]]
    texts = ["start", "line to column", "column to line", "all arrived"]
    kinds = ["start", "formation", "formation", "end"]
    events = tuple(Event(t, k, 0, -1, s) for t, k, s in zip(at, kinds, texts, strict=True))
    return Playback(
        scene=scene or make_scene(),
        characters=(walker(),),
        character_of=np.zeros(members, int),
        group_of=np.zeros(members, int),
        group_names=("visitors",),
        dt=dt,
        position=position,
        orientation_wxyz=orientation,
        subgoal=position + np.array([1.5, 0, 0]),
        formation=("line", "column"),
        formation_of=formation,
        events=events,
        paths=(np.array([[-10.0, 0, 0], [0, 0, 0], [10, 0, 0]]),),
        title="yards",
    )


@pytest.fixture
def playback():
    return make_playback()


@pytest.fixture
def make():
    """The function that makes playbacks, for tests that want other ones."""
    return make_playback


@pytest.fixture(scope="session")
def opengl():
    """Skip where pictures cannot be made; tried in a process of its own, as drivers may abort."""
    code = (
        "from rmp3d.viewer.gpu.platforms import open_window\n"
        "open_window((8, 8), title='', visible=False)\n"
    )
    tried = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG
    )
    if tried.returncode != 0:
        lines = tried.stderr.strip().splitlines()
        pytest.skip(f"no OpenGL 3.3 through EGL: {lines[-1] if lines else tried.returncode}")
