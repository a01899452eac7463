"""What a scene is for walkers that take steps up to a height: where they walk, what stops them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Index, frozen
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.steps import covered, step_pieces
from rmp3d.geometry.surface import CURB, WalkableSurface
from rmp3d.scenes.part import Part


@dataclass(frozen=True, eq=False)
class Footing:
    """The ground and the obstacles of walkers that take steps up to a height.

    Attributes:
        surface: What they walk on, or None; its `below` has the walkable ground and the step
            pieces, which a body must not touch above its feet.
        below_part: (B,) row in the scene's parts of each triangle of ``surface.below``.
        obstacles: What the whole body must not touch, or None.
        obstacle_part: (F,) part of each of its triangles.
    """

    surface: WalkableSurface | None
    below_part: Index
    obstacles: TriangleMesh | None
    obstacle_part: Index

    @property
    def has_steps(self) -> bool:
        """Whether a walk goes over a step that is higher than a curb."""
        return self.surface is not None and self.surface.step_height > CURB

    @property
    def met(self) -> tuple[TriangleMesh | None, Index]:
        """The obstacles, and the part of each triangle."""
        return self.obstacles, self.obstacle_part


def may_join(
    parts: Sequence[Part],
    roles_stated: bool,
    max_slope: float,
    obstacles: TriangleMesh | None,
    obstacle_part: Index,
) -> Bool:
    """Return which obstacles (F,) of walkers can be steps, or the other side of the ground.

    These are triangles of the ground; and of obstacles that are not closed those that face down,
    as the other side of a floor may be a part of its own.
    """
    if obstacles is None:
        return np.zeros(0, bool)
    is_ground = [part.role == "ground" or not roles_stated for part in parts]
    is_open = [not ground and not part.mesh.is_watertight
               for part, ground in zip(parts, is_ground, strict=True)]  # fmt: skip
    faces_down = obstacles.normals[:, 2] <= -np.cos(max_slope) + 1e-9
    return np.array(is_ground)[obstacle_part] | (np.array(is_open)[obstacle_part] & faces_down)


def footing_of(
    walkable: TriangleMesh | None,
    walkable_part: Index,
    obstacles: TriangleMesh | None,
    obstacle_part: Index,
    may_join: Bool,
    max_step: float,
    max_slope: float,
) -> Footing:
    """Return the footing for steps of up to ``max_step`` [m].

    Args:
        walkable: The walkable triangles.
        walkable_part: (W,) part of each.
        obstacles: All others that matter.
        obstacle_part: (F,) part of each.
        may_join: (F,) whether each of the others can be a step piece.
        max_step: Highest step [m].
        max_slope: Steepest slope [rad] that can be climbed.
    """
    if walkable is None:
        return Footing(None, walkable_part, obstacles, obstacle_part)
    stairs = float(np.tan(max_slope))
    surface = top = WalkableSurface(walkable, max_step, stairs)
    pieces, piece_part = [], []
    if surface.step_height > CURB:
        hidden = covered(surface)
        if hidden.pieces is not None and hidden.rest is not None:
            top = WalkableSurface(hidden.rest, max_step, stairs)
            pieces, piece_part = [hidden.pieces], [walkable_part[hidden.piece_of]]
            walkable_part = walkable_part[hidden.rest_of]
    of_ground = np.flatnonzero(may_join)
    if len(of_ground) and obstacles is not None:
        found = step_pieces(obstacles.select(of_ground), surface)
        if found.pieces is not None:
            pieces.append(found.pieces)
            piece_part.append(obstacle_part[of_ground[found.piece_of]])
            others = np.flatnonzero(~may_join)
            kept = [obstacles.select(others)] if len(others) else []
            kept += [found.rest] if found.rest is not None else []
            obstacles = join(kept) if kept else None
            rest = np.concatenate([others, of_ground[found.rest_of]]).astype(np.intp)
            obstacle_part = frozen(obstacle_part[rest], np.intp)
    below_part = frozen(np.concatenate([walkable_part, *piece_part]), np.intp)
    return Footing(top.over(pieces), below_part, obstacles, obstacle_part)
