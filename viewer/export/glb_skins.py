"""Characters with bones in glTF: a skin for each member, moved as the viewer moves it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.models.skeleton import CharacterRig
from rmp3d.viewer.export.gltf_document import GltfDocument
from rmp3d.viewer.export.gltf_meshes import Meshes, dyed, y_up, y_up_xyzw
from rmp3d.viewer.export.joint_tracks import (
    ANGLE,
    TOLERANCE,
    joint_tracks,
    members_at_once,
    sample_times,
)
from rmp3d.viewer.export.keyframes import orientation_keys, position_keys
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses, look_of
from rmp3d.viewer.shapes.surfaces import skin_rows


@dataclass(frozen=True, eq=False)
class Boned:
    """The members of one kind that have bones in the file.

    Attributes:
        kind: Row of their character.
        members: (n,) their rows.
        nodes: n lists of the nodes of their joints.
    """

    kind: int
    members: Index
    nodes: list[list[int]]


class Skins:
    """Adds skinned meshes, skeletons and their motions to a document."""

    def __init__(self, document: GltfDocument, playback: Playback, meshes: Meshes) -> None:
        self._document, self._playback, self._meshes = document, playback, meshes
        self._poses = Poses(playback)
        self._looks: dict[tuple[int, int, int], int] = {}
        self._bind: dict[int, int] = {}

    def add(self, kind: int, members: Index) -> tuple[Boned, list[int]]:
        """Add skeletons and meshes of members (n,) of a kind; return them and the meshes' nodes.

        The first joint of each belongs below the node that carries the member.
        """
        playback, document = self._playback, self._document
        rig = playback.characters[kind].rig
        assert rig is not None
        looks = look_of(members, len(rig.looks))
        joints, bodies = [], []
        for member, look in zip(members.tolist(), looks.tolist(), strict=True):
            group = int(playback.group_of[member])
            name = f"{playback.group_names[group]} {member}"
            own = self._skeleton(rig, name)
            skin = {"joints": own, "inverseBindMatrices": self._inverse_bind(kind, rig)}
            node = {
                "name": f"{name} body",
                "mesh": self._mesh(kind, look, group, rig),
                "skin": document.add("skins", skin),
            }
            bodies.append(document.add("nodes", node))
            joints.append(own)
        return Boned(kind, members, joints), bodies

    def animate(
        self, boned: Boned, channels: list[dict[str, Any]], samplers: list[dict[str, Any]]
    ) -> None:
        """Add the motions of the joints to the channels and samplers of an animation."""
        rig = self._playback.characters[boned.kind].rig
        assert rig is not None
        times, joints = sample_times(self._playback), len(rig.skeleton.names)
        per = members_at_once(times, joints)
        for first in range(0, len(boned.members), per):
            rows = slice(first, first + per)
            tracks_of = joint_tracks(
                self._playback, self._poses, boned.kind, boned.members[rows], times
            )
            turned = tracks_of.turned.reshape(len(times), -1, 4)
            root = tracks_of.root
            nodes = [node for own in boned.nodes[rows] for node in own]
            spins = orientation_keys(turned, turned, ANGLE)
            tracks = [(node, "rotation", *spins.of(k)) for k, node in enumerate(nodes)]
            tracks = [track for track in tracks if _turns(track[3])]
            moves = position_keys(root, root, TOLERANCE)
            roots = [own[0] for own in boned.nodes[rows]]
            tracks += [(node, "translation", *moves.of(k)) for k, node in enumerate(roots)]
            self._add_tracks(tracks, times, channels, samplers)

    def _add_tracks(
        self,
        tracks: list[tuple[int, str, Index, Float]],
        times: Float,
        channels: list[dict[str, Any]],
        samplers: list[dict[str, Any]],
    ) -> None:
        inputs = self._document.add_series(
            [np.asarray(times[frame], np.float32) for _, _, frame, _ in tracks], bounds=True
        )
        values = [
            y_up_xyzw(value) if path == "rotation" else y_up(value) for _, path, _, value in tracks
        ]
        outputs = self._document.add_series([np.asarray(each, np.float32) for each in values])
        for (node, path, _, _), source, result in zip(tracks, inputs, outputs, strict=True):
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": source, "output": result, "interpolation": "LINEAR"})

    def _skeleton(self, rig: CharacterRig, name: str) -> list[int]:
        """Add the joints of one member in the rest pose; return their nodes."""
        own, count = rig.skeleton, len(rig.skeleton.names)
        first = len(self._document.rows("nodes"))
        for row in range(count):
            above = own.position[own.parents[row]] if row else np.zeros(3)
            children = (first + np.flatnonzero(own.parents == row)).tolist()
            node: dict[str, Any] = {
                "name": f"{name} {own.names[row]}",
                "translation": y_up(own.position[row] - above).tolist(),
            }
            self._document.add("nodes", node | ({"children": children} if children else {}))
        return list(range(first, first + count))

    def _inverse_bind(self, kind: int, rig: CharacterRig) -> int:
        if kind not in self._bind:
            matrices = np.tile(np.eye(4, dtype=np.float32), (len(rig.skeleton.names), 1, 1))
            matrices[:, 3, :3] = -y_up(rig.skeleton.position)  # by columns
            self._bind[kind] = self._document.add_array(matrices.reshape(-1, 16))
        return self._bind[kind]

    def _mesh(self, kind: int, look: int, group: int, rig: CharacterRig) -> int:
        """Return the mesh of a look in the color of a group."""
        key = kind, look, group
        if key not in self._looks:
            own, playback = rig.looks[look], self._playback
            name = f"{playback.characters[kind].name} {look} of {playback.group_names[group]}"
            colors = dyed(own.colors, group_color(group))

            def skin(places: Float) -> NDArray[np.float32]:
                return skin_rows(places, own)

            if own.paint is None:
                self._looks[key] = self._meshes.add(name, own.mesh, colors, skin)
            else:
                self._looks[key] = self._meshes.add_painted(name, own.mesh, colors, own.paint, skin)
        return self._looks[key]


def _turns(values: Float) -> bool:
    """Whether the rotations (k, 4) of a joint are not all none."""
    return bool((np.abs(values[:, 0]) < 1.0 - 1e-9).any())
