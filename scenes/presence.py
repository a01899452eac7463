"""A part that appears or goes during a run: a barrier that is put up, a wall that is torn down.

Where a part that moves has a clock, such a part has the number of its changes so far: from 0, one
more each time it appears or goes. A change that is due waits while the part would appear in
somebody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TypeAlias

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.scenes.description import MotionDescription, PresenceDescription, SceneDescription
from rmp3d.scenes.motion import PartMotion
from rmp3d.scenes.motions import stated_motions
from rmp3d.scenes.part import Part
from rmp3d.scenes.patterns import Patterns

Motions: TypeAlias = Sequence[MotionDescription]
Presences: TypeAlias = Sequence[PresenceDescription]

LONG = 1e6
"""A way over ground that only appears if it is asked to is this much [s] longer."""
ASKED = "appear", "go"
"""Kinds of events by which a part is asked to be there, or not, from then on; their text is its
name."""


@dataclass(frozen=True, eq=False, repr=False)
class PartPresence(PartMotion):
    """A part that is where the scene has it, or nowhere.

    Its key frames are two, alike. Its clock is the number of changes so far.

    Attributes:
        there: Whether the part is there when a run begins.
        changes: (C,) times [s] at which it appears or goes, in turn.
        asks: What it was asked: times [s], and whether to be there from then on.
        stated: The times [s] before it was asked anything; None: `changes`.
    """

    there: bool = True
    changes: Float = field(default_factory=lambda: frozen(np.zeros(0)))
    asks: tuple[tuple[float, bool], ...] = ()
    stated: Float | None = None

    @classmethod
    def of(cls, part: Part, there: bool, changes: Sequence[float]) -> "PartPresence":
        """Return the presence of a part."""
        still, turned = np.zeros((2, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
        hinge = part.mesh.bounds.mean(axis=0)
        return cls(
            part.role, np.array([0.0, 1.0]), still, turned, hinge, "stay",
            there=there, changes=frozen(np.array(changes, float)),
        )  # fmt: skip

    @property
    def fingerprint(self) -> bytes:
        """The same bytes for the same presence."""
        return super().fingerprint + f"{self.there}\0".encode() + self.changes.tobytes()

    @property
    def stands(self) -> bool:
        """Whether it never leaves the place where the scene has it: it does not, or is nowhere."""
        return True

    def untold(self, time: Float) -> Float:
        """Return the clock (M,) at times (M,) of a run [s], if nothing hinders the part."""
        due = np.searchsorted(self.changes, np.asarray(time, float) + 1e-9, side="right")
        return np.asarray(due, float)

    def is_there(self, clock: Float) -> Bool:
        """Return whether it is there (M,) at values of the clock.

        Between two frames with different values it is there if it is in one of them.
        """
        clock = np.asarray(clock, float)
        odd = [np.mod(edge(clock), 2.0) == 1.0 for edge in (np.floor, np.ceil)]
        found: Bool = (odd[0] != self.there) | (odd[1] != self.there)
        return found

    def stands_at(self, displacement: Float, start: float, end: float) -> bool:
        """Return whether it is there, not displaced, all the time between two clocks."""
        there = bool(((np.mod([start, end], 2.0) == 1.0) != self.there).all())
        return there and not displacement.any()

    @property
    def absences(self) -> Float:
        """(C, 2) stated times from when to when [s] it is not there, in order.

        Nobody knows when a part without stated times is asked to appear: for `LONG` it is not.
        """
        edges = [*([] if self.there else [0.0]), *self.changes.tolist()]
        if len(edges) % 2:
            edges.append(np.inf if len(self.changes) else LONG)
        return np.array(edges).reshape(-1, 2)

    def due(self, time: float) -> int:
        """Return how many changes are due at a time [s]."""
        return int(self.untold(np.array(time)))

    def asked(self, there: bool, time: float) -> "PartPresence":
        """Return the presence if it is asked at a time [s] to be there, or not.

        Each stated time says whether the part is to be there from then on, and so does what is
        asked; what says again what is so already is no change.
        """
        asks = (*self.asks, (time, there))
        stated = self.changes if self.stated is None else self.stated
        said = [(float(t), (row % 2 == 1) == self.there) for row, t in enumerate(stated)]
        said = sorted([*said, *asks], key=lambda each: each[0])
        before = [self.there, *(each for _, each in said[:-1])]
        times = [t for (t, now), was in zip(said, before, strict=True) if now != was]
        return replace(self, changes=frozen(np.array(times, float)), stated=stated, asks=asks)


def stated_presence(description: SceneDescription) -> list[PresenceDescription]:
    """Return what appears or goes in a description."""
    stated = description.presence
    return [] if isinstance(stated, msgspec.UnsetType) else stated


def with_stated(
    description: SceneDescription, motions: Motions, presence: Presences
) -> SceneDescription:
    """Return a description with further parts that move, or appear and go."""
    found = description
    if motions:
        every = [*stated_motions(description), *motions]
        found = msgspec.structs.replace(found, motions=every)
    if presence:
        shown = [*stated_presence(description), *presence]
        found = msgspec.structs.replace(found, presence=shown)
    return found


def present_parts(parts: Sequence[Part], description: SceneDescription) -> tuple[Part, ...]:
    """Return the parts; those that appear or go know when.

    Such an obstacle becomes decor: it is in no place for ever.

    Raises:
        InputError: Names the key, the part and the time, and what is wrong.
    """
    found, changing = list(parts), stated_presence(description)
    names = [part.name for part in found]
    patterns = Patterns([each.part for each in changing], names, "`scene.presence`")
    for row, stated in enumerate(changing):
        where = f"`scene.presence[{row}]`"
        for k in patterns.rows(row, where):
            part = found[k]
            _check(part, stated, f"{where}: `{part.name}`")
            found[k] = part.moving(PartPresence.of(part, stated.there, stated.times))
    return tuple(found)


def _check(part: Part, stated: PresenceDescription, where: str) -> None:
    """Refuse a part that cannot appear or go, and times that are none.

    Raises:
        InputError: Says why.
    """
    if isinstance(part.motion, PartPresence):
        raise InputError(f"{where}: is named twice; give all its `times` in one table")
    if part.motion is not None:
        raise InputError(f"{where}: has a motion already; a part moves, or it appears and goes")
    times = np.array(stated.times, float)
    if not (np.isfinite(times).all() and (times > 0.0).all()):
        raise InputError(f"{where}: `times` must be positive numbers [s], got {stated.times}")
    late = np.flatnonzero(np.diff(times) <= 0.0)
    if len(late):
        k = int(late[0])
        raise InputError(
            f"{where}: {times[k + 1]:g} s follows {times[k]:g} s in `times`; they must increase"
        )


def there_at_start(parts: Sequence[Part]) -> list[str]:
    """Return the names of the parts that appear or go, and are there when a run begins."""
    known = [(part.name, part.motion) for part in parts if isinstance(part.motion, PartPresence)]
    return [name for name, motion in known if motion.there and motion.role == "obstacle"]


def changeable(parts: Sequence[Part], glob: str, where: str) -> list[str]:
    """Return the names of the parts that a pattern fits, and that may appear and go.

    Raises:
        InputError: None does; begins with ``where``.
    """
    known = [part.name for part in parts if isinstance(part.motion, PartPresence)]
    found = [name for name in known if fnmatchcase(name, glob)]
    if not found:
        there = ", ".join(f"`{name}`" for name in known) or "none"
        raise InputError(
            f"{where}: `{glob}` is no part that may appear and go; there is {there}: "
            "name it in `[[scene.presence]]`"
        )
    return found


def may_change(parts: Sequence[Part]) -> bool:
    """Return whether any part appears or goes."""
    return any(isinstance(part.motion, PartPresence) for part in parts)
