"""How a camera that rides along turns: evenly, whatever turns what it rides with."""

import numpy as np

from rmp3d.geometry.arrays import Float

FASTEST = np.radians(80.0)  # [rad/s] it turns no faster, so that the eye can follow


class Swing:
    """Azimuth and elevation that go to where they are wanted, no faster than the eye can follow.

    The azimuth turns through the smaller angle.
    """

    def __init__(self) -> None:
        self._at: Float | None = None  # (2,) azimuth and elevation [rad]

    def forget(self) -> None:
        """Be at the next goal at once."""
        self._at = None

    def turn_by(self, azimuth: float, elevation: float) -> None:
        """Be turned by angles [rad] from where it is."""
        if self._at is not None:
            self._at = self._at + np.array([azimuth, elevation])

    def toward(self, azimuth: float, elevation: float, seconds: float) -> tuple[float, float]:
        """Let real time pass; return azimuth and elevation [rad] on the way to others."""
        goal = np.array([azimuth, elevation])
        gap = np.zeros(2) if self._at is None else self._at - goal
        gap[0] = (gap[0] + np.pi) % (2.0 * np.pi) - np.pi
        most = FASTEST * seconds
        self._at = goal + gap - np.clip(gap, -most, most)
        return float(self._at[0]), float(self._at[1])
