"""How well a group keeps its formation: the distances of members from their slots, its width."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.geometry.arrays import Bool, Float


@dataclass(eq=False)
class FormationQuality:
    """What is measured in every step, and its mean.

    Attributes:
        half_width: Of the widest body, heading along the path [m].
        members: On the path, not in the goal yet.
        error: Mean distance of these from their slots in the last step [m].
        width: Of the formation in the last step, bodies included [m].
    """

    half_width: float
    members: int
    error: float = 0.0
    width: float = 0.0
    _sum: float = 0.0
    _count: int = 0

    @property
    def mean_error(self) -> float | None:
        """Mean distance [m] from the slots while formations were complete; None: never yet."""
        return round(self._sum / self._count, 4) if self._count else None

    def measure(
        self, frame: FormationFrame, station: Float, aside: Float, position: Float, on_path: Bool,
        formed: bool,
    ) -> None:  # fmt: skip
        """Measure one step.

        Args:
            frame: With the members' places.
            station: (n,) arc lengths of the slots [m].
            aside: (n, 2) left and up of the slots [m].
            position: (n, 3) of the members [m].
            on_path: (n,) members that are not in the goal yet.
            formed: Whether the formation has been complete since it was taken.
        """
        self.error = self.width = 0.0
        self.members = int(on_path.sum())
        if not on_path.any():
            return
        error = frame.apart(position, station, aside)
        self.error = float(error[on_path].mean())
        left = frame.aside[:, 0] + frame.deviation(position)[:, 1]
        self.width = float(np.ptp(left[on_path])) + 2.0 * self.half_width
        # A member that is ahead of its slot waits for it, and is not out of formation.
        counted = on_path & ~(station < frame.station - 1e-6)
        if formed and counted.any():
            self._sum += float(error[counted].sum())
            self._count += int(counted.sum())
