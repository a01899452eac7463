"""Commands of the panel, and the reports that answer them; `session.py` is between them.

Scenarios travel as the tables of a scenario file. Everything here can be sent from one
process to another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.scenes import Region
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.playback import Event, Playback
from rmp3d.viewer.texts import tr

Table: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Show:
    """Load a scenario's scene and characters, and look whether its places are free."""

    table: Table


@dataclass(frozen=True)
class Build:
    """Build the roadmaps of a scenario, and find the paths."""

    table: Table


@dataclass(frozen=True)
class StartRun:
    """Begin to simulate a scenario; build first if what was built is of another one."""

    table: Table


@dataclass(frozen=True)
class Advance:
    """Simulate until there are ``frames`` frames, or the run is over."""

    frames: int


@dataclass(frozen=True)
class ChangeRun:
    """Let the run go on with another scenario from the last simulated moment on."""

    table: Table


@dataclass(frozen=True)
class Intervene:
    """Let something happen in the run at its next moment: a `[[changes]]` table without a time."""

    change: Table


@dataclass(frozen=True)
class TryPlace:
    """Look whether a member of a group could stand at a point (3,) [m]; ``role`` as of `Place`."""

    table: Table
    group: int
    role: Literal["start", "goal"]
    point: tuple[float, float, float]


@dataclass(frozen=True)
class Open:
    """Read a scenario, a recording, a mesh or a character.

    Attributes:
        target: A file, or the name of a built-in scenario.
        as_scene: Whether a mesh is a scene though it has bones.
    """

    target: str
    as_scene: bool = False


@dataclass(frozen=True)
class AddCharacter:
    """Make a character of a glTF file with bones, in a folder beside it."""

    path: str


@dataclass(frozen=True)
class Compare:
    """Read a recording that is compared with what is seen."""

    target: str


@dataclass(frozen=True)
class SaveScenario:
    """Write a scenario file."""

    table: Table
    path: str


@dataclass(frozen=True)
class SaveRecording:
    """Write what was simulated as a recording."""

    path: str


@dataclass(frozen=True, eq=False)
class Export:
    """Write what is seen as a video, a picture, a model or a table; the suffix says which.

    Attributes:
        playback: What is seen.
        path: Where to.
        camera: Name of the camera, for formats that have one.
    """

    playback: Playback
    path: str
    camera: str = "iso"


Command: TypeAlias = (
    Show
    | Build
    | StartRun
    | Advance
    | ChangeRun
    | Intervene
    | TryPlace
    | Open
    | AddCharacter
    | Compare
    | SaveScenario
    | SaveRecording
    | Export
)


@dataclass(frozen=True, eq=False)
class Place:
    """Where a group starts or arrives.

    Attributes:
        role: ``start`` or ``goal``.
        group: Row of the group.
        region: The place.
        point: (3,) [m] where a single body would stand, None if it could not.
    """

    role: str
    group: int
    region: Region
    point: Float | None

    @property
    def mark(self) -> Float:
        """(3,) [m] where its mark is: at the point, in the region's middle where there is none."""
        return self.region.center if self.point is None else self.point[:3]


@dataclass(frozen=True, eq=False)
class Shown:
    """The scenario as it stands, before any member moves.

    Attributes:
        playback: One frame; each group is represented by one member.
        places: Starts and goals.
        problems: What is wrong with them.
    """

    playback: Playback
    places: tuple[Place, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PlaceTried:
    """What became of a `TryPlace`.

    Attributes:
        point: (3,) that was asked about [m].
        place: (W,) configuration in which a body stands there; None if none can.
        problem: Why none can; "" if one can.
    """

    point: tuple[float, float, float]
    place: Float | None
    problem: str = ""


COMPILING = "compiling, once on this machine"
"""What is under way while kernels are compiled that this machine has not used yet."""


@dataclass(frozen=True)
class Working:
    """How far the work is.

    Attributes:
        what: What is done, in English.
        done: Of ``total``.
        total: 0 if that is not known.
        about: A name that follows.
    """

    what: str
    done: int = 0
    total: int = 0
    about: str = ""


@dataclass(frozen=True, eq=False)
class Grown:
    """A roadmap, perhaps still growing.

    Attributes:
        group: Row of the group.
        nodes: (N, 3) [m].
        component: (N,) number of each node's connected component, 0 the largest.
        start: (E, 3) [m] where each straight piece of an edge starts.
        end: (E, 3) [m] where it ends.
    """

    group: int
    nodes: Float
    component: Index
    start: Float
    end: Float


@dataclass(frozen=True, eq=False)
class Built:
    """Paths are found.

    Attributes:
        paths: (K, 3) [m] of each group; K = 0 for groups without a goal.
        statistics: Of each group, (name, value) in words.
    """

    paths: tuple[Float, ...]
    statistics: tuple[tuple[tuple[str, str], ...], ...]

    def summary(self, names: Sequence[str]) -> str:
        """Return the first figures of each group's roadmap, a line each, in the user's language.

        Of several groups each line begins with the group's name.
        """
        lines, several = [], len(names) > 1
        for group, row in zip(names, self.statistics, strict=False):
            figures = ", ".join(f"{tr(name)} {value}" for name, value in row[: 2 if several else 3])
            if figures:
                lines.append(f"{group}: {figures}" if several else figures)
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Started:
    """A run stands at its first moment."""

    playback: Playback


@dataclass(frozen=True, eq=False)
class Regrouped:
    """All frames of the run so far, as there is room for more members in them now."""

    playback: Playback


@dataclass(frozen=True, eq=False)
class Stepped:
    """K more frames; shapes as in `Playback`; ``details`` only where they have changed."""

    position: Float
    orientation_wxyz: Float
    subgoal: Float
    formation_of: Index
    formation: tuple[str, ...]
    events: tuple[Event, ...]
    over: bool
    force: NDArray[np.float32] | None = None
    details: tuple[GroupDetails, ...] | None = None
    life: Index | None = None
    clock: Float | None = None


@dataclass(frozen=True)
class Changed:
    """The run goes on with this scenario, in which the change is noted."""

    table: Table


@dataclass(frozen=True, eq=False)
class Opened:
    """A file was read: its scenario, and the frames of a recording."""

    name: str
    table: Table
    playback: Playback | None = None


@dataclass(frozen=True)
class BonesFound:
    """The file that is to be opened has bones: it may be a character, or a scene."""

    path: str


@dataclass(frozen=True)
class Adopted:
    """A character file is there for the members of the group that is edited."""

    path: str


@dataclass(frozen=True, eq=False)
class Compared:
    """A recording was read to be compared."""

    playback: Playback

    def summary(self, shown: Playback | None) -> str:
        """Return what is seen of it beside what is shown, in the user's language."""
        text = "{name} as ghosts"
        if shown is not None and shown.scene.hash != self.playback.scene.hash:
            text = "{name} as ghosts; its scene is another one"
        return tr(text, name=self.playback.title)


@dataclass(frozen=True)
class Saved:
    """A file was written."""

    path: str


@dataclass(frozen=True)
class Failed:
    """Why a command could not be carried out; ``cancelled`` if it was given up."""

    text: str
    cancelled: bool = False


@dataclass(frozen=True, eq=False)
class OfExport:
    """What is told of an export, which goes on beside all else: `Working`, `Saved` or `Failed`."""

    report: Any


Report: TypeAlias = (
    Shown
    | PlaceTried
    | Working
    | Grown
    | Built
    | Started
    | Regrouped
    | Stepped
    | Changed
    | Opened
    | BonesFound
    | Adopted
    | Compared
    | Saved
    | Failed
    | OfExport
)
