"""What a group can walk in: formations at several spacings, in more and more ranks, best first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.behaviors.formations import (
    Formation,
    FormationChoice,
    Layered,
    formation_of,
    name_of,
    slots_of,
)
from rmp3d.behaviors.formations.formation import nearest
from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.vectors import length

SQUEEZES = (1.0, 0.85, 0.7, 0.55, 0.4)
# Bodies longer than wide come so much closer side by side, in so many steps.
DRIVEN_SQUEEZES = 6
# Of distances that are to be equal [m].
ROUNDING = 1e-9
LAST_RESORT = "column"
# More ranks are tried where they make a formation at least so much narrower.
THINNER = 0.85


@dataclass(frozen=True)
class Kind:
    """Where an option stands among all: first the shapes as asked for, then in ranks, then columns.

    Attributes:
        shape: Name of its shape, in however many ranks.
        order: Of the shape among the ``shapes`` asked for; the column comes behind them.
        shapes: How many those are.
        level: Of squeezing and ranks, from 0 to below 1.
        in_ranks: Whether it has more ranks than the shape asked for.
    """

    shape: str
    order: int
    shapes: int
    level: float
    in_ranks: bool

    def rank(self, preferred: str | None = None) -> float:
        """Return the cost of a meter, if the shape of a name is preferred to the others."""
        first = self.shape == preferred
        if self.order == self.shapes and not first:
            return self.shapes + 1.5 + self.level
        place = (0 if first else self.order + (preferred is not None)) + self.level
        return self.shapes + place / self.shapes if self.in_ranks else place


@dataclass(frozen=True, eq=False)
class Option:
    """A formation at a spacing, ready to be tested.

    Attributes:
        formation: Its name, such as ``line``, or ``line by 5`` in ranks of five.
        spacing: Across the path [m].
        slots: (n, 3) lag, left, up [m].
        rank: Cost of a meter in it; 0 is the preferred one.
        kind: Where it stands among the options.
    """

    formation: str
    spacing: float
    slots: Float
    rank: float
    kind: "Kind | None" = None

    @property
    def is_column(self) -> bool:
        """Whether the members walk one behind the other, in one file or several."""
        return self.kind is not None and self.kind.shape == LAST_RESORT

    @property
    def half_width(self) -> float:
        """How far the outermost slot is from the path [m], to a side or up or down."""
        return float(np.hypot(self.slots[:, 1], self.slots[:, 2]).max(initial=0.0))

    @property
    def width(self) -> float:
        """From the leftmost slot to the rightmost one [m]."""
        return float(np.ptp(self.slots[:, 1])) if len(self.slots) else 0.0

    @property
    def depth(self) -> float:
        """Lag of the last slot [m]."""
        return float(self.slots[:, 0].max(initial=0.0))


def make_options(
    preferred: Sequence[FormationChoice], count: int, spacing: float, tightest: float,
    core: float = 0.0,
) -> tuple[Option, ...]:  # fmt: skip
    """Return the options for ``count`` members, best first, the single file last.

    First the formations as they are, then in more and more ranks, then columns of fewer and fewer
    files; each wide and squeezed. Squeezing brings the slots nearer to the path, as far as no two
    come nearer to one another than ``tightest`` [m]; lags stay. A preferred column leaves nothing
    but columns.

    Args:
        preferred: The formations, best first.
        count: Members.
        spacing: Between neighboring slots [m].
        tightest: Least distance of the axes of bodies, side by side [m].
        core: Length of the axis of a body that is longer than wide, along the path [m].

    Raises:
        InputError: A formation is not for so many.
    """
    column = next((each for each in preferred if name_of(each) == LAST_RESORT), LAST_RESORT)
    choices: list[FormationChoice] = []
    for choice in preferred:
        if choice not in choices and name_of(choice) != LAST_RESORT:
            choices.append(choice)
    if preferred and name_of(preferred[0]) == LAST_RESORT:
        choices = []
    many = len(choices)
    options: list[Option] = []
    for order, choice in enumerate(choices):
        kind = Kind(name_of(choice), order, many, 0.0, False)
        options += _spaced(kind, [formation_of(choice)], count, spacing, tightest, core)
    for order, choice in enumerate(choices):
        kind = Kind(name_of(choice), order, many, 0.0, True)
        ranks = _in_ranks(formation_of(choice), count)
        options += _spaced(kind, ranks, count, spacing, tightest, core)
    files = formation_of(column)
    columns = [files, *_in_ranks(files, count)]
    kind = Kind(LAST_RESORT, many, many, 0.0, False)
    options += _spaced(kind, columns, count, spacing, tightest, core)
    return tuple(options)


def _in_ranks(shape: Formation, count: int) -> list[Formation]:
    """Return a shape in more and more ranks, each clearly narrower than the one before."""
    kept: list[Formation] = []
    if isinstance(shape, Layered):
        abreast = np.inf
        for narrower in shape.narrower(count):
            if narrower.abreast <= THINNER * abreast or narrower.abreast == 1:
                kept.append(narrower)
                abreast = narrower.abreast
    return kept


def _spaced(
    kind: Kind, shapes: Sequence[Formation], count: int, spacing: float, tightest: float,
    core: float,
) -> Iterator[Option]:  # fmt: skip
    """Yield shapes of one kind, one after another, each wide and then closer."""
    name = kind.shape
    squeezes: Sequence[float] = SQUEEZES
    if core > 0.0:
        squeezes = np.geomspace(1.0, min(1.0, tightest / spacing), DRIVEN_SQUEEZES).tolist()
    for row, shape in enumerate(shapes):
        slots = slots_of(shape, count, spacing)
        abreast = shape.abreast if isinstance(shape, Layered) else 0
        if name == LAST_RESORT:
            abreast = int((slots[:, 0] == 0.0).sum())
        single = abreast == (1 if name == LAST_RESORT else 0)
        for step, squeeze in enumerate(squeezes):
            squeezed = slots * [1.0, squeeze, squeeze]
            near = nearest(squeezed) if core == 0.0 else nearest_axes(squeezed, core)
            if step > 0 and (not slots[:, 1:].any() or near < tightest - ROUNDING):
                break
            here = replace(kind, level=(row + step / len(squeezes)) / len(shapes))
            label = name if single else f"{name} by {abreast}"
            yield Option(label, spacing * squeeze, frozen(squeezed), here.rank(), here)


def nearest_axes(slots: Float, core: float) -> float:
    """Return the least distance [m] of the axes of bodies in slots (n, 3), along the path.

    Args:
        slots: (n, 3) lag, left, up [m].
        core: Length of the axes [m].
    """
    if len(slots) < 2:
        return np.inf
    first, second = np.triu_indices(len(slots), 1)
    offset = np.abs(slots[first] - slots[second])
    offset[:, 0] = np.maximum(0.0, offset[:, 0] - core)
    return float(length(offset).min())
