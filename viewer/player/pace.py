"""Whether pictures that move are drawn with smooth edges, or those only that stand still."""

from collections import deque

LONGEST = 1.0 / 30.0  # [s] of a smooth picture; longer ones do not look as if anything moved
TRIES = 5  # the first ones take long on any card, as programs are made and meshes uploaded


class Pace:
    """Learns from how long smooth pictures take.

    Attributes:
        slow: Whether moving pictures are drawn without smooth edges, which takes a fraction.
    """

    def __init__(self, slow: bool) -> None:
        """Begin with what the renderer is known for: software is slow."""
        self.slow = slow
        self._took: deque[float] = deque(maxlen=TRIES)

    def note(self, seconds: float) -> None:
        """Take how long a smooth picture took; several long ones in a row decide."""
        self._took.append(seconds)
        if len(self._took) == TRIES and min(self._took) > LONGEST:
            self.slow = True
