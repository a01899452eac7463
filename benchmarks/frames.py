"""How long a picture takes: crowds, roadmaps and layers at 1280 x 720, without a screen.

    python -m benchmarks.frames -o benchmarks/frames.md
    python -m benchmarks.frames --members 1000 --frames 60

Every picture is another moment. *Playing* is what the window does while the picture moves on a
software renderer: without smooth edges, scene and still layers from a kept copy. The camera that
moves makes it draw the scene anew every time. *Smooth* is what it does when the picture stands
still, and what films are made of. Wall time is given as the median over the frames and the least;
processor time is that of all threads, the least, and hardly depends on what else the machine does.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from rmp3d.models import load_character
from rmp3d.scenario.loading import load
from rmp3d.scenes import load_scene
from rmp3d.viewer import Camera, Layers, Offscreen, Playback, named_camera
from rmp3d.viewer.gpu.platforms import draws_in_software
from rmp3d.viewer.playback.details import GroupDetails

SIZE = (1280, 720)
MEMBERS = (0, 100, 1000, 10_000)
NODES, EDGES = 5000, 20_000
LIMITED = ("playing", "playing, roadmap shown")
LIMITS = {1000: 16.0, 10_000: 50.0}  # [ms], of a playing picture
DT, SECONDS, GROUPS = 1 / 30, 5.0, 5


def crowd(members: int, seed: int = 0) -> Playback:
    """Return walkers that go straight through the city, and a roadmap of random nodes for them."""
    rng = np.random.default_rng(seed)
    scene = load_scene(load("city", []).scene, Path("/"))
    low, high = scene.bounds
    frames = round(SECONDS / DT)
    bearing = rng.uniform(0.0, 2.0 * np.pi, members)
    velocity = 1.3 * np.stack([np.cos(bearing), np.sin(bearing), 0.0 * bearing], axis=-1)
    start = np.zeros((members, 3))
    start[:, :2] = rng.uniform(low[:2] + 2.0, high[:2] - 2.0, (members, 2))
    turns = np.zeros((frames, members, 4))
    turns[..., 0], turns[..., 3] = np.cos(bearing / 2), np.sin(bearing / 2)
    nodes = np.zeros((NODES, 3))
    nodes[:, :2] = rng.uniform(low[:2], high[:2], (NODES, 2))
    _, near = cKDTree(nodes).query(nodes, EDGES // NODES + 1)
    edges = np.column_stack([np.repeat(np.arange(NODES), EDGES // NODES), near[:, 1:].ravel()])
    details = GroupDetails(nodes=nodes, edges=edges, component=np.zeros(NODES, np.intp))
    return Playback(
        scene=scene,
        characters=(load_character("pedestrian"),),
        character_of=np.zeros(members, np.intp),
        group_of=np.arange(members) % GROUPS,
        group_names=tuple("abcde"),
        dt=DT,
        position=start + np.arange(frames)[:, None, None] * DT * velocity,
        orientation_wxyz=turns,
        formation_of=np.full((frames, GROUPS), -1),
        details=(details, *(GroupDetails() for _ in range(GROUPS - 1))),
    )


def measured(draw: Callable[[int], None], frames: int) -> tuple[float, float, float]:
    """Return median and least wall time, and least processor time, of a picture [ms]."""
    from pyglet import gl

    wall, spent = [], []
    for frame in range(-1, frames):  # the first one makes what is kept
        began, processor = time.perf_counter(), time.process_time()
        draw(frame + 1)
        gl.glFinish()
        if frame >= 0:
            wall.append(time.perf_counter() - began)
            spent.append(time.process_time() - processor)
    return 1e3 * float(np.median(wall)), 1e3 * min(wall), 1e3 * min(spent)


def cases(playback: Playback) -> dict[str, tuple[Camera, Layers, bool, float]]:
    """Return what is measured: camera, layers, whether smooth, turn of the camera a frame [rad]."""
    whole = named_camera("iso", playback, 0.0, SIZE[0] / SIZE[1])
    usual, mapped = Layers(), Layers(roadmap=True)
    street = Camera(target=np.array([0.0, 0.0, 1.0]), distance=25.0, elevation=0.35)
    return {
        "playing": (whole, usual, False, 0.0),
        "playing, roadmap shown": (whole, mapped, False, 0.0),
        "playing, in the street": (street, usual, False, 0.0),
        "playing, the camera moves": (whole, usual, False, 0.01),
        "the camera moves, roadmap shown": (whole, mapped, False, 0.01),
        "smooth": (whole, usual, True, 0.0),
    }


def table(members: tuple[int, ...], frames: int) -> list[str]:
    """Return the lines of the table, one for each crowd and case."""
    lines = [
        "| members | picture | median [ms] | least [ms] | processor [ms] | limit [ms] |",
        "|---:|---|---:|---:|---:|---|",
    ]
    for count in members:
        playback = crowd(count)
        with Offscreen(playback, SIZE) as offscreen:
            for name, (camera, layers, smooth, turn) in cases(playback).items():
                draw = partial(
                    drawn, offscreen, camera=camera, layers=layers, smooth=smooth, turn=turn
                )
                median, least, spent = measured(draw, max(frames // 4, 2) if smooth else frames)
                limit = ""
                if name in LIMITED and count in LIMITS:
                    met = "met" if median <= LIMITS[count] else "missed"
                    limit = f"{LIMITS[count]:g}, {met}"
                lines.append(
                    f"| {count} | {name} | {median:.1f} | {least:.1f} | {spent:.1f} | {limit} |"
                )
                print(lines[-1], flush=True)
            how = "software" if draws_in_software(offscreen._window) else "a graphics card"
            renderer = offscreen._window.context.get_info().get_renderer()
    return [*lines, "", f"Drawn by {how}: {renderer}."]


def drawn(
    offscreen: Offscreen, frame: int, *, camera: Camera, layers: Layers, smooth: bool, turn: float
) -> None:
    """Draw a frame, the camera turned by ``turn`` [rad] for each."""
    offscreen._renderer.draw(
        frame * DT % SECONDS,
        camera.orbited(turn * frame, 0.0) if turn else camera,
        SIZE,
        layers=layers,
        smooth=smooth,
        framebuffer=offscreen._flat.framebuffer,
    )


def main() -> None:
    """Measure and print, or write, the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--members", type=int, nargs="+", default=list(MEMBERS))
    parser.add_argument("--frames", type=int, default=40, help="of each case")
    parser.add_argument("-o", "--output", type=Path, help="also write the page")
    options = parser.parse_args()
    load_before = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    lines = table(tuple(options.members), options.frames)
    cores = os.cpu_count()
    page = [
        "# Frame times",
        "",
        *(__doc__ or "").split("\n\n", 1)[1].split("\n\n", 1)[1].strip().split("\n"),
        "",
        f"The city (60 x 60 m) with walkers of 356 triangles each; a roadmap of {NODES:,} nodes",
        f"and {EDGES:,} edges all over it where it is shown. Pictures of {SIZE[0]} x {SIZE[1]}",
        f"pixels, {options.frames} frames a row, smooth ones a quarter of that.",
        "",
        *lines,
        "",
        f"Python {platform.python_version()}, {cores} cores; {load_before:.1f} other processes ran",
        "on average in the minute before: on a busy machine wall times are too long.",
        "",
    ]
    if options.output:
        options.output.write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
