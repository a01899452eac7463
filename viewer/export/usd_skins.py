"""Characters with bones in USD: skeletons that members share, and an animation for each (UsdSkel).

A look of a kind in the color of a group is there once, as a class. A member refers to it and has an
animation of its own, so a crowd has few meshes.
"""

from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.models.skeleton import CharacterRig, Skeleton
from rmp3d.viewer.export.gltf_meshes import dyed
from rmp3d.viewer.export.joint_tracks import (
    ANGLE,
    TOLERANCE,
    JointTracks,
    joint_tracks,
    members_at_once,
    sample_times,
)
from rmp3d.viewer.export.keyframes import position_keys, turned_keys
from rmp3d.viewer.export.usd_stage import UsdStage, vectors
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses, look_of
from rmp3d.viewer.shapes.surfaces import skin_rows


class UsdSkins:
    """Adds the members that have bones to a stage."""

    def __init__(
        self,
        stage: UsdStage,
        playback: Playback,
        classes: str,
        *,
        pictures: bool = False,
        instanced: bool = False,
    ) -> None:
        """Begin.

        Args:
            stage: Where to.
            playback: Of the members.
            classes: Path of what holds the bodies that are shared.
            pictures: Whether the file can hold pictures.
            instanced: Whether members are instances of the bodies, which some programs hold still.
        """
        self._pictures, self._instanced = pictures, instanced
        self._stage, self._playback, self._classes = stage, playback, classes
        self._poses = Poses(playback)
        self._bodies: dict[tuple[int, int, int], str] = {}

    def add(self, kind: int, members: Index, above: dict[int, str]) -> None:
        """Add the bodies of members (n,) of a kind, each below the path of its member."""
        rig = self._playback.characters[kind].rig
        assert rig is not None
        times = sample_times(self._playback)
        if self._playback.frame_count == 1:
            times = times[:1]
        looks = look_of(members, len(rig.looks))
        per = members_at_once(times, len(rig.skeleton.names))
        for first in range(0, len(members), per):
            own = members[first : first + per]
            tracks = joint_tracks(self._playback, self._poses, kind, own, times)
            for row, member in enumerate(own.tolist()):
                body = self._body(kind, int(looks[first + row]), member, rig)
                self._refer(rig, body, above[member], times, tracks, row)

    def _refer(
        self, rig: CharacterRig, body: str, above: str, times: Float, tracks: JointTracks, row: int
    ) -> None:
        """Add a member that refers to a body, with its animation."""
        from pxr import Sdf, UsdSkel, Vt

        stage, skeleton = self._stage, rig.skeleton
        made = UsdSkel.Animation.Define(stage.stage, stage.name(above, "Motion"))
        made.CreateJointsAttr(joint_paths(skeleton))
        made.CreateTranslationsAttr(Vt.Vec3fArray.FromNumpy(bones(skeleton).astype(np.float32)))
        made.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(np.ones((len(skeleton.names), 3), "f2")))
        spins = turned_keys(tracks.turned[:, [row]], ANGLE)
        values = [_quaternions(each.reshape(-1, 4)) for each in spins.value]
        stage.samples(made.CreateRotationsAttr(), times[spins.frame], values)
        root = UsdSkel.Root.Define(stage.stage, stage.name(above, "Body"))
        prim = root.GetPrim()
        prim.GetReferences().AddInternalReference(Sdf.Path(body))
        prim.SetInstanceable(self._instanced)
        binding = UsdSkel.BindingAPI.Apply(prim)
        binding.CreateAnimationSourceRel().SetTargets([made.GetPath()])
        # The root's own displacement moves all joints alike: it is the body's.
        moved = tracks.root[:, [row]] - skeleton.position[0]
        moves = position_keys(moved, moved, TOLERANCE)
        place = root.AddTranslateOp().GetAttr()
        stage.samples(place, times[moves.frame], vectors(moves.value))

    def _body(self, kind: int, look: int, member: int, rig: CharacterRig) -> str:
        """Return the path of the body of a look in the color of a member's group."""
        group = int(self._playback.group_of[member])
        key = kind, look, group
        if key not in self._bodies:
            self._bodies[key] = self._shared(kind, look, group, rig)
        return self._bodies[key]

    def _shared(self, kind: int, look: int, group: int, rig: CharacterRig) -> str:
        from pxr import Gf, UsdGeom, UsdSkel, Vt

        stage, own, skeleton = self._stage, rig.looks[look], rig.skeleton
        character, name = self._playback.characters[kind], self._playback.group_names[group]
        path = stage.name(self._classes, f"{character.name}_{look + 1}_of_{name}")
        root = UsdSkel.Root.Define(stage.stage, path)
        root.CreateExtentAttr(_extent(own.mesh.bounds))
        bones_of = UsdSkel.Skeleton.Define(stage.stage, f"{path}/Skeleton")
        bones_of.CreateJointsAttr(joint_paths(skeleton))
        bind = [Gf.Matrix4d(1.0).SetTranslate(at) for at in vectors(skeleton.position)]
        rest = [Gf.Matrix4d(1.0).SetTranslate(at) for at in vectors(bones(skeleton))]
        bones_of.CreateBindTransformsAttr(Vt.Matrix4dArray(bind))
        bones_of.CreateRestTransformsAttr(Vt.Matrix4dArray(rest))
        UsdSkel.BindingAPI.Apply(bones_of.GetPrim())
        colors = dyed(own.colors, group_color(group))
        paint = own.paint if self._pictures else None
        mesh = stage.mesh(path, "Mesh", own.mesh, colors, f"{path}/Materials", paint)
        points = np.asarray(mesh.GetPointsAttr().Get(), np.float64)
        follows = skin_rows(points, own)
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        binding.CreateSkeletonRel().SetTargets([bones_of.GetPath()])
        binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
        weights = follows[:, 4:] / follows[:, 4:].sum(axis=1, keepdims=True)
        joints = Vt.IntArray.FromNumpy(follows[:, :4].astype(np.int32).reshape(-1))
        shares = Vt.FloatArray.FromNumpy(np.ascontiguousarray(weights.reshape(-1), np.float32))
        binding.CreateJointIndicesPrimvar(False, 4).Set(joints)
        binding.CreateJointWeightsPrimvar(False, 4).Set(shares)
        UsdGeom.Imageable(root).GetPrim().SetDisplayName(f"{character.name} of {name}")
        return path


def joint_paths(skeleton: Skeleton) -> list[str]:
    """Return the joints as USD names them: with the names of all above."""
    from pxr import Tf

    paths: list[str] = []
    for row, name in enumerate(skeleton.names):
        above = f"{paths[skeleton.parents[row]]}/" if row else ""
        plain = Tf.MakeValidIdentifier(name)
        taken = above + plain in paths
        paths.append(f"{above}{plain}_{row}" if taken else above + plain)
    return paths


def bones(skeleton: Skeleton) -> Float:
    """Return where the joints (J, 3) are from their parents in the rest pose [m]."""
    found = skeleton.position.copy()
    found[1:] -= skeleton.position[skeleton.parents[1:]]
    return found


def _extent(bounds: Float) -> Any:
    """Return a box around a body in all poses: limbs reach farther than at rest."""
    from pxr import Vt

    reach = 0.5 * float(np.ptp(bounds, axis=0).max())
    return Vt.Vec3fArray.FromNumpy((bounds + np.array([[-reach], [reach]])).astype(np.float32))


def _quaternions(rows: Float) -> Any:
    """Return quaternions (J, 4), scalar first, as an array of Pixar's package."""
    from pxr import Vt

    return Vt.QuatfArray.FromNumpy(np.roll(rows, -1, axis=1).astype(np.float32))
