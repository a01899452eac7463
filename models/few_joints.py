"""Leave out joints of a skeleton that has more of them than are drawn: fingers, faces, manes."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.models.bone_names import arms_of, legs_of
from rmp3d.models.skeleton import MOST_JOINTS


def few_joints(names: Sequence[str], parents: Index, position: Float) -> tuple[Index, Index]:
    """Return which joints are kept, and which of these each joint goes along with.

    While there are too many, the one nearest to its parent is left out of those without a child;
    those of arms and legs stay.

    Args:
        names: Of the J joints.
        parents: (J,) row of each joint's parent, which is before it; -1: none.
        position: (J, 3) in the rest pose.

    Returns:
        Rows (K,) of those that are kept, and rows (J,) among these.
    """
    limbs = [*legs_of(names).values(), *arms_of(names).values()]
    needed = {0, *(row for parts in limbs for row in parts.values())}
    bone = np.linalg.norm(position - position[np.maximum(parents, 0)], axis=1)
    holder, is_kept = np.arange(len(names)), np.ones(len(names), np.bool_)
    children = np.bincount(parents[parents >= 0], minlength=len(names))
    while is_kept.sum() > MOST_JOINTS:
        ends = [row for row in np.flatnonzero(is_kept & (children == 0) & (parents >= 0))
                if row not in needed]  # fmt: skip
        if not ends:
            break
        row = min(ends, key=lambda each: (bone[each], each))
        is_kept[row] = False
        holder[row] = parents[row]
        children[parents[row]] -= 1
    for each in range(len(names)):  # parents come first
        holder[each] = holder[holder[each]]
    kept = np.flatnonzero(is_kept)
    return kept, np.searchsorted(kept, holder)
