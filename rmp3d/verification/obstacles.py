"""Members against the scene."""

from collections.abc import Iterator

import fcl
import numpy as np

from rmp3d.geometry.arrays import Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Scene
from rmp3d.verification.advancement import check_motions
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import RigidMesh, depth_inside, gap
from rmp3d.verification.report import Finding

IDENTITY = np.eye(3)
ORIGIN = np.zeros(3)


class ObstacleCheck:
    """Checks every motion of every member: it touches no obstacle, and is inside none.

    A motion that touches no surface cannot enter or leave a closed obstacle. But a recording may
    start inside one, or jump there: so each frame is also tested for being inside.

    Attributes:
        nearest: Smallest clearance [m] at a frame so far; infinite without obstacles.
    """

    def __init__(self, scene: Scene, walks: tuple[bool, ...], dt: float) -> None:
        """Prepare.

        Args:
            scene: The scene.
            walks: For each kind of body, whether it walks: then the ground is no obstacle.
            dt: Time between frames [s].
        """
        self.nearest = np.inf
        self._dt = dt
        self._scene = scene
        walking, flying = scene.walking_obstacles, scene.flying_obstacles
        made = {on_foot: _placed(walking if on_foot else flying) for on_foot in set(walks)}
        self._obstacles = [made[on_foot] for on_foot in walks]
        self._solids = [
            (scene.part_names[part], RigidMesh(mesh))
            for part, mesh in zip(scene.solid_part, scene.solids, strict=True)
        ]

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the contacts of a block, member by member."""
        yield from self._inside(block)
        for member in range(block.position.shape[1]):
            obstacles = self._obstacles[block.body_of[member]]
            if obstacles is not None:
                yield from self._contacts(block, member, *obstacles)

    def _contacts(
        self, block: Block, member: int, scene: fcl.CollisionObject, part_of_face: Index
    ) -> Iterator[Finding]:
        body = block.body(member)

        def measure(frame: int, share: float) -> tuple[float, int]:
            return gap(body.placed(*block.pose(member, frame, share)), scene)

        track = check_motions(block.travel[:, member], measure, self.nearest)
        self.nearest = track.nearest
        for frame, share, face in track.contacts:
            yield self._collision(block, member, frame, share, int(part_of_face[face]))

    def _collision(self, block: Block, member: int, frame: int, share: float, part: int) -> Finding:
        time = (block.first + frame + share) * self._dt
        name = self._scene.part_names[part]
        solid = next((body for solid_name, body in self._solids if solid_name == name), None)
        depth = None if solid is None else _depth(block, member, frame, share, solid)
        between = "between frames" if share else "in a frame"
        return Finding(
            "collision",
            time,
            time,
            (member,),
            name,
            depth,
            f"member {member} in `{name}`, {between}",
        )

    def _inside(self, block: Block) -> Iterator[Finding]:
        """Yield the frames at which a body is in a closed obstacle without touching its surface.

        One point of the body is tested: if the surface is not touched, all points are on one side.
        """
        anchors = np.array([body.mesh.vertices[0] for body in block.bodies])[block.body_of]
        points = block.position[: block.motions + 1] + np.einsum(
            "tnij,nj->tni", block.rotation, anchors
        )
        for name, solid in self._solids:
            lower, upper = solid.mesh.bounds
            rows = np.argwhere(((points > lower) & (points < upper)).all(axis=2))
            if len(rows) == 0 or solid.inside is None:
                continue
            rows = rows[solid.inside.contains(points[rows[:, 0], rows[:, 1]])]
            for frame, member in rows.tolist():
                time = (block.first + frame) * self._dt
                depth = _depth(block, member, frame, 0.0, solid)
                text = f"member {member} is inside `{name}`"
                yield Finding("inside", time, time, (member,), name, depth, text)


def _depth(block: Block, member: int, frame: int, share: float, solid: RigidMesh) -> float | None:
    rotation, position = block.pose(member, frame, share)
    points = block.body(member).points @ rotation.T + position
    return depth_inside(points, solid, IDENTITY, ORIGIN)


def _placed(
    obstacles: tuple[TriangleMesh | None, Index],
) -> tuple[fcl.CollisionObject, Index] | None:
    mesh, part = obstacles
    return None if mesh is None else (RigidMesh(mesh).placed(IDENTITY, ORIGIN), part)
