"""What a judge says of a path."""

from dataclasses import dataclass

FCL = "python-fcl"
INTERVALS = "interval arithmetic"


@dataclass(frozen=True)
class Verdict:
    """What a judge says of a path.

    Attributes:
        judge: ``python-fcl`` or ``interval arithmetic``.
        refused: The first motion that it does not confirm, counted from 0; None: it confirms all.
        gave_up: Whether it took too long, and so confirms nothing.
    """

    judge: str
    refused: int | None = None
    gave_up: bool = False

    @property
    def confirmed(self) -> bool:
        """Whether it confirms every motion."""
        return self.refused is None and not self.gave_up
