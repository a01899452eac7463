"""Pictures of what each sampler finds first: a disc, and a bar that turns, by a narrow passage.

python -m benchmarks.samplers --pictures docs/pictures
"""

from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry import Float, TriangleMesh
from rmp3d.geometry.mesh import join
from rmp3d.geometry.rotations import rotate
from rmp3d.models import Body
from rmp3d.planner import SAMPLERS, Space, make_space
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.problems.rigid_problem import RigidProblem

COUNT = 150  # samples of a picture
COLUMNS = 4
ROOM = ((-6.0, -4.0), (6.0, 4.0))
# Lower and upper corners: two walls with a passage 0.8 wide between them, a block, a closet.
BLOCKS = (
    ((-0.5, -4.0), (0.5, -0.4)),
    ((-0.5, 0.4), (0.5, 4.0)),
    ((-4.2, 0.9), (-2.8, 2.3)),
    ((2.4, -2.8), (4.6, -2.4)),
    ((4.2, -2.7), (4.6, -0.8)),
)
PASSAGE = 0.5  # half its length
DISC = 0.25
BAR = (1.4, 0.16)
BODY, WALL, INSIDE = "#1f5fa8", "#9a9488", "#c8102e"


def main(folder: Path, seed: int = 0) -> None:
    """Write ``samplers.png`` and ``samplers_rigid.png`` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, space in (("samplers", disc_space()), ("samplers_rigid", bar_space())):
        draw(space, folder / f"{name}.png", seed)


def disc_space() -> Space:
    """Return the space of a disc in the plane."""
    meshes = [block(low, high, 1.0) for low, high in BLOCKS]
    parts = tuple(
        Part(f"block {row}", "obstacle", mesh, np.full((len(mesh.faces), 3), 0.5))
        for row, mesh in enumerate(meshes)
    )
    corners = np.array([[*corner, 0.0] for corner in ROOM])
    scene = Scene("passage", parts, {}, corners)
    inner = DISC * np.vstack([np.eye(3), -np.eye(3)[:1]])
    ball = TriangleMesh(inner, np.array([[0, 1, 2], [3, 2, 1]]))
    return make_space("translation", scene, Body(ball, DISC, (0.0, 0.0)))


def bar_space() -> Space:
    """Return the space of a bar that moves and turns in the plane."""
    bar = block(np.multiply(BAR, -0.5), np.multiply(BAR, 0.5), 0.1)
    pose = np.array([-5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    bounds = np.array([[*corner, 0.0] for corner in ROOM])
    walls = join([block(low, high, 1.0) for low, high in BLOCKS])
    problem = RigidProblem(
        "passage", bar, walls, True, bounds, False, "planar_rotation", pose, pose
    )
    return RigidBodySpace.of_problem(problem)


def draw(space: Space, path: Path, seed: int) -> None:
    """Draw the first samples of every sampler, each in a small picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(SAMPLERS)
    rows = -(-len(names) // COLUMNS)
    figure = Figure(figsize=(3.1 * COLUMNS, 2.45 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    cells = figure.subplots(rows, COLUMNS).ravel()
    for name, axes in zip(names, cells, strict=False):
        samples, share = first_samples(space, name, seed)
        _draw_room(axes)
        passing = np.abs(samples[:, 0]) < PASSAGE
        for inside, color in ((False, BODY), (True, INSIDE)):
            _draw_bodies(axes, space, samples[passing == inside], color)
        axes.set_title(
            f"{name}\n{100.0 * share:.2g} % of tries, {passing.sum()} in the passage", fontsize=9
        )
    for axes in cells[len(names) :]:
        axes.axis("off")
    figure.savefig(path, dpi=80, metadata={"Software": None})


def first_samples(space: Space, name: str, seed: int) -> tuple[Float, float]:
    """Return the first samples (COUNT, W), and the share of attempts that give one."""
    rng, sampler, tries = np.random.default_rng(seed), SAMPLERS[name](), 0
    found: list[Float] = []
    while sum(len(batch) for batch in found) < COUNT and tries < 100_000:
        found.append(sampler.attempt(space, 100, tries, rng))
        tries += 100
    samples = np.concatenate(found)
    return samples[:COUNT], len(samples) / tries


def _draw_room(axes: Any) -> None:
    from matplotlib.patches import Rectangle

    (left, bottom), (right, top) = ROOM
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal", xticks=(), yticks=())
    for low, high in BLOCKS:
        size = np.subtract(high, low)
        axes.add_patch(Rectangle(low, size[0], size[1], color=WALL, linewidth=0))


def _draw_bodies(axes: Any, space: Space, samples: Float, color: str) -> None:
    from matplotlib.collections import LineCollection

    if space.width == 3:
        axes.plot(samples[:, 0], samples[:, 1], "o", ms=2.4, mew=0, color=color)
        return
    half = rotate(samples[:, 3:], np.array([0.5 * BAR[0], 0.0, 0.0]))[:, :2]
    lines = np.stack([samples[:, :2] - half, samples[:, :2] + half], axis=1)
    axes.add_collection(LineCollection(list(lines), colors=color, linewidths=0.9, alpha=0.8))


def block(low: Any, high: Any, height: float) -> TriangleMesh:
    """Return a box over a rectangle, half of it above z = 0."""
    (x0, y0), (x1, y1), z = low, high, 0.5 * height
    corners = np.array([[x, y, w] for x in (x0, x1) for y in (y0, y1) for w in (-z, z)])
    quads = np.array(
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    )
    return TriangleMesh(corners, np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]))
