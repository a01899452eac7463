"""What the replay page draws, as triangles with normals and colors at their corners."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.models.skeleton import CharacterRig, Look
from rmp3d.scenes import Part
from rmp3d.scenes.paint import NO_PICTURE
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.export.web_gaits import skin_bytes
from rmp3d.viewer.playback.bounds import LIFT
from rmp3d.viewer.shapes.surfaces import corner_normals, skin_rows

SIDES = 6  # of a path's tube
ARROW_SPACING, ARROW_LENGTH, ARROW_RADIUS = 40.0, 8.0, 3.0  # in radii of the tube
RING_CORNERS = 28


def add_mesh(
    pack: Pack,
    name: str,
    mesh: TriangleMesh,
    colors: Float,
    dyed: Float | float = 0.0,
    look: Look | None = None,
) -> None:
    """Add F triangles: position, normal and color of each corner.

    Args:
        pack: Where to.
        name: What the arrays' names begin with.
        mesh: F triangles.
        colors: (F, 3) sRGB 0..1.
        dyed: Share (F,), or for all, that takes its instance's tint.
        look: The mesh's joints and weights, which are added too; None for what is rigid.
    """
    corners = 3 * len(mesh.faces)
    normals = np.zeros((corners, 4), np.int8)
    normals[:, :3] = np.round(127 * corner_normals(mesh).reshape(-1, 3))
    shares = np.broadcast_to(dyed, len(mesh.faces))[:, None]
    paint = np.concatenate([np.asarray(colors, float), shares], axis=1)
    pack.add(f"{name}_position", mesh.triangles.reshape(-1, 3).astype("<f4"))
    pack.add(f"{name}_normal", normals)
    pack.add(f"{name}_color", _bytes(paint).repeat(3, axis=0))
    if look is not None:
        places = mesh.triangles.reshape(-1, 3)
        joints, weights = skin_bytes(skin_rows(places, look))
        pack.add(f"{name}_joints", joints)
        pack.add(f"{name}_weights", weights)


def add_scene(pack: Pack, still: Sequence[Part], moving: Sequence[Part]) -> dict[str, Any]:
    """Add the parts of a scene, and their pictures.

    Args:
        pack: Where to.
        still: Parts that stand still; they become one body, `scene`.
        moving: Parts that move; number k becomes the body ``part{k}``.

    Returns:
        What the head has to say: ``bodies``, each with its name, whether it has faces of plain
        colors, which are called as itself, and the rows of its pictures; faces with picture p are
        called ``{name}_picture{p}``. And ``pictures``, the kind of each; it is ``picture{p}``.
    """
    pictures: dict[int, bytes] = {}
    bodies = [_add_body(pack, "scene", still, pictures)]
    bodies += [_add_body(pack, f"part{k}", [part], pictures) for k, part in enumerate(moving)]
    for row, data in enumerate(pictures.values()):
        pack.add(f"picture{row}", np.frombuffer(data, np.uint8))
    kinds = ["png" if data.startswith(b"\x89PNG") else "jpeg" for data in pictures.values()]
    return {"bodies": bodies, "pictures": kinds}


def _add_body(
    pack: Pack, name: str, parts: Sequence[Part], pictures: dict[int, bytes]
) -> dict[str, Any]:
    """Add parts that stay together; their pictures are added to those known by identity."""
    plain: list[tuple[TriangleMesh, Float]] = []
    faces: dict[int, list[tuple[TriangleMesh, Float]]] = {}
    for part in parts:
        paint = part.paint
        bare = np.ones(len(part.colors), bool) if paint is None else paint.picture == NO_PICTURE
        if bare.any():
            plain.append((part.mesh.select(bare), part.colors[bare]))
        for row in [] if paint is None else paint.used():
            assert paint is not None
            data, own = paint.pictures[row], np.flatnonzero(paint.picture == row)
            pictures.setdefault(id(data), data)
            faces.setdefault(id(data), []).append((part.mesh.select(own), paint.places[own]))
    if plain:
        mesh = join([each for each, _ in plain])
        add_mesh(pack, name, mesh, np.concatenate([colors for _, colors in plain]))
    known = list(pictures)
    for key, own_faces in faces.items():
        own_name = f"{name}_picture{known.index(key)}"
        places = np.concatenate([place for _, place in own_faces])
        mesh = join([each for each, _ in own_faces])
        add_mesh(pack, own_name, mesh, np.ones((len(places), 3)))
        pack.add(f"{own_name}_places", places.reshape(-1, 2).astype("<f4"))
    return {"name": name, "plain": bool(plain), "pictures": [known.index(key) for key in faces]}


def add_pivots(pack: Pack, name: str, rig: CharacterRig, look: Look) -> None:
    """Add for each corner about which point in plan [m] it is steered; and 1, or 0 for none."""
    if not rig.steered:
        return
    skeleton = rig.skeleton
    pivot = np.full(len(skeleton.names), -1)
    for row in range(len(pivot)):
        above = pivot[skeleton.parents[row]] if row else -1
        pivot[row] = row if row in rig.steered else above
    follows = skin_rows(look.mesh.triangles.reshape(-1, 3), look)[:, 0].astype(np.intp)
    own = pivot[follows]
    rows = np.zeros((len(own), 3), "<f4")
    rows[own >= 0, :2], rows[own >= 0, 2] = skeleton.position[own[own >= 0], :2], 1.0
    pack.add(f"{name}_pivot", rows)


def tube(points: Float, radius: float) -> TriangleMesh:
    """Return a tube [m] along a polyline (K, 3), with arrow heads that show its direction."""
    points = points[np.append(True, length(np.diff(points, axis=0)) > 1e-9)]
    steps = np.diff(points, axis=0)
    directions = np.concatenate([steps[:1], steps[:-1] + steps[1:], steps[-1:]])
    ends = np.concatenate([steps, steps[-1:]])
    directions = np.where(length(directions)[:, None] > 1e-9, directions, ends)
    rings = _rings(points, directions, radius)
    count = len(points)
    at = np.arange(count * SIDES).reshape(count, SIDES)
    right = np.roll(at, -1, axis=1)
    quads = np.stack([at[:-1], right[:-1], right[1:], at[1:]], axis=-1).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return join([TriangleMesh(rings.reshape(-1, 3), faces), *_arrows(points, radius)])


def marker(character: Character) -> TriangleMesh:
    """Return a ring around a walker's feet with a tip towards its heading, body frame."""
    radius = character.body.radius
    turn = np.linspace(0.0, 2.0 * np.pi, RING_CORNERS, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)
    height = [0.0, 0.0, character.body.capsule_axis[0] - radius + LIFT]
    tip = np.array([[1.5, 0.0, 0.0], [1.05, 0.25, 0.0], [1.05, -0.25, 0.0]])
    vertices = radius * np.concatenate([0.92 * circle, 1.05 * circle, tip]) + height
    inner = np.arange(RING_CORNERS)
    after = np.roll(inner, -1)
    outer, outer_after = inner + RING_CORNERS, after + RING_CORNERS
    ring = [np.stack(corners, axis=1) for corners in
            ((inner, outer, outer_after), (inner, outer_after, after))]  # fmt: skip
    last = 2 * RING_CORNERS
    return TriangleMesh(vertices, np.concatenate([*ring, [[last, last + 1, last + 2]]]))


def _rings(points: Float, directions: Float, radius: float) -> Float:
    """Return circles (K, SIDES, 3) around points (K, 3), across directions (K, 3)."""
    turn = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    across = frame(directions, np.array([0.0, 0.0, 1.0]))[:, :, 1:]  # (K, 3, 2) left and up
    circle = np.stack([np.cos(turn), np.sin(turn)])
    return points[:, None] + radius * np.swapaxes(across @ circle, 1, 2)


def _arrows(points: Float, radius: float) -> list[TriangleMesh]:
    """Return pyramids along a polyline that point along it."""
    gaps = length(np.diff(points, axis=0))
    along = np.concatenate([[0.0], np.cumsum(gaps)])
    spots = np.arange(0.5 * ARROW_SPACING, along[-1] / radius, ARROW_SPACING) * radius
    row = np.minimum(np.searchsorted(along, spots, side="right") - 1, len(gaps) - 1)
    if len(row) == 0:
        return []
    directions = (points[row + 1] - points[row]) / gaps[row, None]
    bases = points[row] + (spots - along[row])[:, None] * directions
    tips = bases + ARROW_LENGTH * radius * directions
    rings = _rings(bases, directions, ARROW_RADIUS * radius)
    side = np.arange(SIDES)
    cone = np.stack([side, np.roll(side, -1), np.full(SIDES, SIDES)], axis=1)
    floor = np.stack([np.zeros(SIDES - 2, int), side[2:], side[1:-1]], axis=1)
    faces = np.concatenate([cone, floor])
    return [
        TriangleMesh(np.concatenate([ring, tip[None]]), faces)
        for ring, tip in zip(rings, tips, strict=True)
    ]


def _bytes(shares: Float) -> NDArray[np.uint8]:
    return np.round(255 * np.clip(shares, 0.0, 1.0)).astype(np.uint8)
