"""The parts of a scene as a tree: by role, and by the name that numbered parts share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rmp3d.scenes import Part

ROLES = ("ground", "obstacle", "decor")
NUMBER = re.compile(r"[\s_.-]*\d+\b")  # of a name: `tree 3 crown` is one of `tree crown`


@dataclass(frozen=True)
class Branch:
    """Parts that have a role, or a name without numbers, in common.

    Attributes:
        title: What they have in common.
        names: Of all parts below.
        triangles: Of all of them.
        branches: Below; none of a single part.
    """

    title: str
    names: tuple[str, ...]
    triangles: int
    branches: tuple["Branch", ...] = ()


def parts_tree(parts: Sequence[Part], wanted: str = "") -> tuple[Branch, ...]:
    """Return the branches by role, in each those by name; parts of one name only are leaves.

    Args:
        parts: Of the scene.
        wanted: Only parts with this in their name, in any case.
    """
    found = [part for part in parts if wanted.strip().lower() in part.name.lower()]
    roles = []
    for role in ROLES:
        own = [part for part in found if part.role == role]
        kinds: dict[str, list[Part]] = {}
        for part in own:
            kinds.setdefault(NUMBER.sub("", part.name).strip() or part.name, []).append(part)
        if own:
            branches = tuple(_kind(kind, each) for kind, each in kinds.items())
            roles.append(_branch(role, own, branches))
    return tuple(roles)


def _kind(title: str, parts: Sequence[Part]) -> Branch:
    """Return the branch of parts that share a name; of a single one, with its own name."""
    singles = tuple(_branch(part.name, [part]) for part in parts)
    return singles[0] if len(singles) == 1 else _branch(title, parts, singles)


def _branch(title: str, parts: Sequence[Part], branches: tuple[Branch, ...] = ()) -> Branch:
    names = tuple(part.name for part in parts)
    return Branch(title, names, sum(len(part.mesh.faces) for part in parts), branches)
