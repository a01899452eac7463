"""Errors of the planner: which part of a problem failed, and why."""

from rmp3d.geometry.errors import InputError, Rmp3dError

COMPILING_TOLD = 0.05  # of the time limit, at least


class PlanningError(Rmp3dError):
    """Base of the planner's errors."""


class UnsolvedError(PlanningError):
    """A planner found no path in its time; the message says why."""


def out_of_time(limit: float, compiling: float, hints: str = "") -> str:
    """Return in words that a time limit [s] ended the search.

    Args:
        limit: The time limit [s].
        compiling: How much of it numba took to compile kernels [s].
        hints: What to try; a second run is the better hint if compiling took a share.
    """
    text = f"no path found within {limit:.3g} s"
    if compiling < COMPILING_TOLD * limit:
        return text + hints
    return f"{text}, of which {min(compiling, limit):.3g} s compiled the kernels; run it again"


class PlacementError(PlanningError, InputError):
    """No configuration at a given point.

    Attributes:
        reason: Why, in words that follow "is": "out of bounds ...", "in collision with ...".
        part: Name of the scene's part that collides, where one does.
    """

    def __init__(self, message: str, reason: str = "", part: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message
        self.part = part


class StartError(PlacementError):
    """The start is out of bounds, in collision, or not on walkable ground."""


class GoalError(PlacementError):
    """The goal is out of bounds, in collision, or not on walkable ground."""


class SamplingError(PlanningError):
    """A sampler finds no free configurations.

    Attributes:
        attempts: How many attempts were made.
        found: How many free configurations they gave.
    """

    def __init__(self, message: str, attempts: int, found: int) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.found = found


class ConfirmationError(PlanningError):
    """The independent judge (python-fcl) does not confirm an answer.

    Attributes:
        index: First point of the answer whose motion to the next one is not confirmed.
    """

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


class RoadmapFileError(PlanningError, InputError):
    """A roadmap cannot be read from a file or written into one, or is of something else."""
