"""Slots: a formation stated place by place."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, nearest
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError


@FORMATIONS.register("slots")
@dataclass(frozen=True)
class Slots:
    """Travel in places that the scenario states one by one.

    Attributes:
        offsets: (lag, left, up) of each place, in spacings; the first one leads. With fewer
            members than places, the last ones stay empty.
    """

    offsets: tuple[tuple[float, float, float], ...]

    def __post_init__(self) -> None:
        places = np.array(self.offsets, float).reshape(-1, 3)
        if len(places) == 0 or not np.isfinite(places).all():
            raise InputError("`offsets` must be a list of [lag, left, up], at least one")
        if nearest(places) < 1e-6:
            raise InputError("`offsets` has two places in one; each must have its own")
        if places[0, 0] > places[:, 0].min():
            raise InputError(
                f"`offsets`: the first place must lead, but its lag {places[0, 0]:g} is above "
                f"{places[:, 0].min():g}; put the foremost place first"
            )

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3); enlarged where two would be nearer than ``spacing``.

        Raises:
            InputError: There are more members than places.
        """
        if count > len(self.offsets):
            raise InputError(
                f"`offsets` has {len(self.offsets)} places, the group {count} members; "
                "state a place for each"
            )
        places = np.array(self.offsets[:count], float).reshape(-1, 3)
        places[:, 0] -= places[:1, 0]
        return places * spacing * max(1.0, 1.0 / nearest(places))
