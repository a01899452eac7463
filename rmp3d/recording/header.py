"""The header of a recording: everything that is written before its frames."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.models import Character
from rmp3d.models.vehicle import ROLLED_OVER
from rmp3d.recording.layout import CHARACTER, fixed
from rmp3d.scenario import ScenarioTable
from rmp3d.scenario.held import NOTHING_HELD, HeldObjects
from rmp3d.scenes import Scene

Plan = Mapping[str, NDArray[Any]]
Series = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Header:
    """The header of a recording.

    Attributes:
        scenario: Resolved; its groups are the recording's groups, in order.
        scene_hash: `rmp3d.scenes.Scene.hash` of the run's scene.
        characters: Name (or file) of each kind of character.
        character_hashes: `fingerprint` of each.
        character_of: (N,) row in `characters` of each member.
        group_of: (N,) group of each member.
        formations: Names; frames say the row, -1 for none.
        paths: (K, 3) planned path [m] of each group; may have no rows.
        plans: Named arrays of each group, such as the formation planned at each length of the
            path; may be empty.
        series: Shapes by name of the measurements of each group's behavior over time.
        behaviors: Names of the steering behaviors with recorded forces.
        moving: Names of the parts of the scene that move; frames have their clocks.
        held: The scene's meshes and the characters that are in no file; the recording has them.
    """

    scenario: ScenarioTable
    scene_hash: str
    characters: tuple[str, ...]
    character_hashes: tuple[str, ...]
    character_of: Index
    group_of: Index
    formations: tuple[str, ...] = ()
    paths: tuple[Float, ...] = ()
    plans: tuple[Plan, ...] = ()
    series: tuple[Series, ...] = ()
    behaviors: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    held: HeldObjects = NOTHING_HELD

    @classmethod
    def of(
        cls,
        scenario: ScenarioTable,
        scene: Scene,
        characters: Sequence[Character],
        *,
        formations: Sequence[str] = (),
        paths: Sequence[Float] = (),
        plans: Sequence[Plan] = (),
        series: Sequence[Series] = (),
        behaviors: Sequence[str] = (),
        held: HeldObjects = NOTHING_HELD,
    ) -> "Header":
        """Return the header of a run; its member i is ``characters[i]``, group by group."""
        names, kinds = scenario.characters, scenario.kinds
        counts = scenario.counts
        group_of = np.repeat(np.arange(len(counts)), counts)
        return cls(
            scenario=scenario,
            scene_hash=scene.hash,
            characters=kinds,
            character_hashes=tuple(fingerprint(characters[names.index(name)]) for name in kinds),
            character_of=frozen([kinds.index(name) for name in names], np.intp),
            group_of=frozen(group_of, np.intp),
            formations=tuple(formations),
            paths=tuple(paths) or tuple(np.empty((0, 3)) for _ in counts),
            plans=tuple(plans) or tuple({} for _ in counts),
            series=tuple(series) or tuple({} for _ in counts),
            behaviors=tuple(behaviors),
            moving=tuple(scene.part_names[row] for row in scene.moving.tolist()),
            held=held,
        )

    @property
    def member_count(self) -> int:
        """N, the number of members of all groups."""
        return len(self.group_of)

    def has_moving_parts_of(self, scene: Scene) -> bool:
        """Return whether `moving` names the parts of a scene that move, as a file keeps names."""
        size = CHARACTER["name"].itemsize
        names = [scene.part_names[row] for row in scene.moving.tolist()]
        kept = [[fixed(name, size) for name in each] for each in (names, self.moving)]
        return kept[0] == kept[1]

    def radius_of_group(self, group: int, characters: Sequence[Character]) -> float:
        """Return the radius [m] of the widest body in a group; the path was planned for it.

        Args:
            group: Row of the group.
            characters: The characters named in `characters`, in order.
        """
        kinds = np.unique(self.character_of[self.group_of == group])
        return max(characters[kind].body.radius for kind in kinds)

    def max_steps(self, characters: Sequence[Character]) -> Float:
        """Return the highest step (N,) [m] that each member goes up and down.

        Args:
            characters: The characters named in `characters`, in order.
        """
        own = np.array([character.parameters.max_step for character in characters])
        found = np.empty(self.member_count)
        for row, group in enumerate(self.scenario.groups):
            members = self.group_of == row
            lowest = float(own[self.character_of[members]].min())
            found[members] = lowest if group.max_step is None else group.max_step
        return found


def fingerprint(character: Character) -> str:
    """Return the SHA-256 of everything in a character that affects a run: body and limits."""
    digest = hashlib.sha256()
    body = character.body
    digest.update(f"{character.vehicle}\0{len(body.mesh.vertices)}\0".encode())
    digest.update(body.mesh.vertices.astype("<f8").tobytes())
    digest.update(body.mesh.faces.astype("<i8").tobytes())
    digest.update(np.array([body.radius, *body.capsule_axis], "<f8").tobytes())
    numbers = asdict(character.parameters)
    # A vehicle that cannot reverse has the same fingerprint as in versions without `reverse`.
    if numbers["reverse"] == 0.0:
        del numbers["reverse"]
    # So has one that climbs what every walker did in versions without `max_step`.
    if numbers["max_step"] == ROLLED_OVER:
        del numbers["max_step"]
    digest.update(np.array(list(numbers.values()), "<f8").tobytes())
    return digest.hexdigest()
