"""The `[scene]` table of a scenario file, as typed structures."""

from typing import Annotated, Literal

import msgspec

from rmp3d.scenes.part import Role

Vector = tuple[float, float, float]
Positive = Annotated[float, msgspec.Meta(gt=0)]


MAX_MESHES = 10_000
"""Meshes that a scene places at most."""
MAX_MOTIONS = 1000
"""Motions, and presences, that a scene states at most."""
MAX_KEYS = 2000
"""Key frames of a part, or times at which it appears or goes, at most."""


class PlacedMesh(msgspec.Struct, forbid_unknown_fields=True):
    """A mesh file and where it stands: furniture in a room, the same chair many times.

    Attributes:
        file: The mesh file; a file that is placed many times is read once.
        name: Of the part, or before the names of its parts; default: the file's stem. A repeated
            name is followed by a number: ``chair``, ``chair.2``.
        position: Where the file's origin comes to lie [m].
        yaw: Turn about the vertical through the file's origin [degrees].
        rotation: Roll, pitch and yaw [degrees] about the fixed axes x, y and z, in this order;
            instead of ``yaw``.
        scale: Meters per unit of the file; default: what the file says, else 1.
        up: The axis of the file that points up; default as for ``mesh``.
        role: Of its parts, where no pattern of ``roles`` fits.
        flip: Turns its faces to the other side.
    """

    file: str
    name: str | None = None
    position: Vector = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    rotation: Vector | None = None
    scale: Positive | None = None
    up: Literal["z", "y"] | None = None
    role: Role | None = None
    flip: bool = False


class RegionDescription(msgspec.Struct, forbid_unknown_fields=True):
    """A named region: a box (``lower``, ``upper``) or a ball (``center``, ``radius``) [m]."""

    lower: Vector | None = None
    upper: Vector | None = None
    center: Vector | None = None
    radius: Positive | None = None


class GroundDescription(msgspec.Struct, forbid_unknown_fields=True):
    """A level floor at ``height`` [m] under the whole scene, for meshes that have none."""

    height: float = 0.0


class KeyFrame(msgspec.Struct, forbid_unknown_fields=True):
    """Where a moving part is at a time.

    Attributes:
        time: [s], from 0; each later than the one before.
        position: Displacement from where the scene has the part [m].
        rotation: Roll, pitch and yaw [degrees] about the fixed axes x, y and z, in this order,
            through the hinge. From one key frame to the next, a part turns the shorter way round.
    """

    time: float
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (0.0, 0.0, 0.0)


class MotionDescription(msgspec.Struct, forbid_unknown_fields=True):
    """How a part moves: a door, a gate, a drawbridge, a train.

    Attributes:
        part: Its name, or a pattern (``"door *"``) of several that move alike.
        keys: At least two key frames, the first at time 0.
        repeat: What follows the last one: ``no`` (the key frames must last as long as the run),
            ``stay`` (there), ``cycle`` (from the start again, so the last is as the first), or
            ``back_and_forth``.
        hinge: The point that the part turns about [m]; default: the middle of its box.
        phase: Time among the key frames at which it begins [s].
        carries: Whether walkers ride on it, as on a lift; it is ground then, and does not turn.
        together: A name; parts whose motions have the same one wait together, as a lift and its
            doors do. Without a name, a part waits alone.
    """

    part: str
    keys: Annotated[list[KeyFrame], msgspec.Meta(max_length=MAX_KEYS)]
    repeat: Literal["no", "stay", "cycle", "back_and_forth"] = "no"
    hinge: Vector | None = None
    phase: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    carries: bool = False
    together: str = ""


class PresenceDescription(msgspec.Struct, forbid_unknown_fields=True):
    """A part that appears or goes during the run: a barrier, a wall that is torn down.

    Attributes:
        part: Its name, or a pattern (``"crate *"``) of several that appear and go together.
        there: Whether it is there when the run begins.
        times: When it appears or goes, in turn [s]; none: only if it is asked to, by a change, by
            a switch of `acting`, or in the panel.
    """

    part: str
    times: Annotated[list[float], msgspec.Meta(max_length=MAX_KEYS)] = []
    there: bool = True


_FEW = msgspec.Meta(max_length=MAX_MOTIONS)


class SceneDescription(msgspec.Struct, forbid_unknown_fields=True):
    """The scene: a built-in one, or meshes and how they are placed.

    Either ``name`` (a built-in scene), or ``mesh`` (one file or several) and ``meshes`` (files with
    a place each); relative paths start at the folder of this file. With ``name``, only ``regions``,
    ``bounds``, ``max_slope``, ``motions`` and ``presence`` may be given: regions,
    motions and presence are added, the others replaced.

    Attributes:
        name: A built-in scene.
        mesh: Mesh file or files.
        meshes: Further mesh files with a place each; the keys below that are about ``mesh`` do not
            change them.
        up: The axis of the files that points up; by default y for glTF, as its standard says, else
            z. A y-up file is turned: (x, y, z) becomes (x, -z, y).
        center: ``vertices`` first moves the mean of all the files' vertices to the origin.
        scale: Meters per unit of the files, in place of the unit that they say; default: what each
            file says, else 1. Applied before ``position``.
        position: New position of the files' origin [m].
        flip: Turns faces to the other side, for meshes whose floors face down: all, or those of
            the parts that a name or pattern in a list fits.
        roles: Role by part name. Names are patterns (``"tree *"``); the first matching one counts,
            in the order of the file. A part without a match is an obstacle.
        max_slope: Steepest slope that characters can walk [degrees].
        bounds: Corners of the box that characters stay inside [m]; default: around the parts.
        ground: Adds a level floor over the bounds, as the part ``ground plane``.
        regions: Named places for start and goal.
        motions: How parts move; a part without one stands still.
        presence: Which parts appear or go, and when; a part without it is always there.
        embed: Whether recordings contain the meshes, so that they can be replayed and verified
            without the files; else they only name the files.
    """

    name: str | None = None
    mesh: str | list[str] | None = None
    meshes: Annotated[list[PlacedMesh], msgspec.Meta(max_length=MAX_MESHES)] = []
    up: Literal["z", "y"] | None = None
    center: Literal["none", "vertices"] = "none"
    scale: Positive | None = None
    position: Vector = (0.0, 0.0, 0.0)
    flip: bool | list[str] = False
    roles: dict[str, Role] = {}
    max_slope: Annotated[float, msgspec.Meta(ge=0, lt=90)] | None = None
    bounds: tuple[Vector, Vector] | None = None
    ground: GroundDescription | None = None
    regions: dict[str, RegionDescription] = {}
    embed: bool = False
    motions: Annotated[list[MotionDescription], _FEW] | msgspec.UnsetType = msgspec.UNSET
    presence: Annotated[list[PresenceDescription], _FEW] | msgspec.UnsetType = msgspec.UNSET
