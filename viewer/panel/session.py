"""The session between the commands of the panel and their reports."""

from collections.abc import Mapping
from typing import Protocol

from rmp3d.viewer.panel.protocol import Command, Report


class Session(Protocol):
    """Carries out commands beside the drawing, one after the other; exports beside the others.

    Attributes:
        forms: What the tables ``group``, ``planner`` and ``simulation`` of a scenario contain:
            structures with defaults, types and docstrings.
    """

    forms: Mapping[str, type]

    @property
    def busy(self) -> bool:
        """Whether a command other than an export is under way or waits."""
        ...

    def send(self, command: Command) -> None:
        """Carry out a command after those that were sent before; returns at once."""
        ...

    def cancel(self) -> None:
        """Give up what is under way and what waits, exports excepted; returns at once."""
        ...

    def cancel_exports(self) -> None:
        """Give up the export that is under way, and those that wait; returns at once."""
        ...

    def reports(self) -> list[Report]:
        """Return what has come in since the last call."""
        ...

    def close(self) -> None:
        """End everything, whatever is under way."""
        ...
