"""The layer `bodies`: what collides."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import unit
from rmp3d.models import Body
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import BODY
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines

MOST_MESHES = 60  # members; of more only the capsules are drawn
MERIDIANS = 4


@DRAWINGS.register("bodies")
class BodiesDrawing(Drawing):
    """The edges of collision meshes, and the upright capsules around them."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._edges = [mesh_edges(kind.body.mesh) for kind in playback.characters]
        self._capsules = [row_edges(kind.body) for kind in playback.characters]

    def draw(self, seen: Seen) -> Drawn:
        """Return both at a moment."""
        playback, rows = self.playback, [lines.NO_LINES]
        for kind in range(len(playback.characters)):
            members = np.flatnonzero(playback.character_of == kind)
            at = seen.pose.position[members]
            capsules = self._capsules[kind]
            if playback.characters[kind].body.elongated:
                capsules = capsules @ _headings(seen, members)[:, None]
            rows.append(_placed(capsules, at, 1.5, 0.8))
            if len(members) <= MOST_MESHES:
                for member in members:
                    turn = seen.pose.orientation_wxyz[member][None]
                    turned = rotate(turn, self._edges[kind].reshape(-1, 3)).reshape(-1, 2, 3)
                    rows.append(_placed(turned, seen.pose.position[member][None], 1.0, 0.45))
        return Drawn(lines=np.concatenate(rows))


def _headings(seen: Seen, members: Index) -> Float:
    """Return what turns (n, 3, 3) rows of points in plan, as members head."""
    x = np.array([1.0, 0.0, 0.0])
    ahead = unit(rotate(seen.pose.orientation_wxyz[members], x) * [1.0, 1.0, 0.0])
    left = np.stack([-ahead[:, 1], ahead[:, 0], 0.0 * ahead[:, 0]], axis=1)
    return np.stack([ahead, left, np.broadcast_to([0.0, 0.0, 1.0], ahead.shape)], axis=1)


def _placed(edges: Float, at: Float, width: float, opacity: float) -> NDArray[np.float32]:
    """Return line rows of edges (E, 2, 3), or (N, E, 2, 3), moved to each place (N, 3)."""
    moved = (at[:, None, None] + edges).reshape(-1, 2, 3)
    return lines.segments(moved[:, 0], moved[:, 1], BODY, width, (opacity, opacity))


def mesh_edges(mesh: TriangleMesh) -> Float:
    """Return the edges (E, 2, 3) of a mesh, each once."""
    faces = mesh.faces
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(mesh.vertices[pairs])


def row_edges(body: Body) -> Float:
    """Return edges (E, 2, 3) of the capsules that hold a body, body frame, upright."""
    return np.concatenate([
        capsule_edges((low, high), radius) + np.array([ahead, 0.0, 0.0])
        for ahead, radius, low, high in body.capsules.tolist()
    ])  # fmt: skip


def capsule_edges(capsule_axis: tuple[float, float], radius: float) -> Float:
    """Return edges (E, 2, 3) of an upright capsule: two circles, meridians over both caps."""
    turn = np.linspace(0.0, 2.0 * np.pi, 25)
    circle = radius * np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
    loops = [circle + np.array([0.0, 0.0, height]) for height in capsule_axis]
    rise = np.linspace(-np.pi / 2, np.pi / 2, 18)
    outline = np.stack([radius * np.cos(rise), radius * np.sin(rise)], axis=-1)
    outline[:, 1] += np.where(rise < 0.0, capsule_axis[0], capsule_axis[1])
    for angle in np.arange(MERIDIANS) * 2.0 * np.pi / MERIDIANS:
        across = outline[:, :1] * [np.cos(angle), np.sin(angle)]
        loops.append(np.column_stack([across, outline[:, 1]]))
    return np.concatenate([np.stack([loop[:-1], loop[1:]], axis=1) for loop in loops])
