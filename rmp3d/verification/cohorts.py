"""Members with one kind of body and one `max_step`: all rules are the same for them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Index
from rmp3d.models import Character
from rmp3d.recording import Header
from rmp3d.scenes import Scene
from rmp3d.verification.steps import WalkerTerrain, used_step, walker_terrain


@dataclass(frozen=True, eq=False)
class Cohort:
    """Members with one kind of body and one `max_step`.

    Attributes:
        character: Theirs.
        kind: Its row in the header.
        members: (n,) their numbers.
        max_step: Highest step [m] of walkers; 0 for others.
        terrain: What walkers stand on and must not touch; None for others.
    """

    character: Character
    kind: int
    members: Index
    max_step: float
    terrain: WalkerTerrain | None


def cohorts(
    header: Header, scene: Scene, characters: Sequence[Character], comes: Bool
) -> tuple[Cohort, ...]:
    """Return the cohorts of a recording, of members (N,) that ever come."""
    return tuple(_cohorts(header, scene, characters, comes))


def _cohorts(
    header: Header, scene: Scene, characters: Sequence[Character], comes: Bool
) -> Iterator[Cohort]:
    steps = header.max_steps(characters)
    terrains: dict[float, WalkerTerrain] = {}
    for kind, character in enumerate(characters):
        own = (header.character_of == kind) & comes
        if not character.grounded:
            yield Cohort(character, kind, np.flatnonzero(own), 0.0, None)
            continue
        for most in np.unique(steps[own]).tolist():
            step = used_step(scene, most)
            if step not in terrains:
                terrains[step] = walker_terrain(scene, step)
            members = np.flatnonzero(own & (steps == most))
            yield Cohort(character, kind, members, most, terrains[step])
