"""An event of a run, as recordings have it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RecordedEvent:
    """An event of a run, at ``time`` [s]; group or member is -1 if the event has none."""

    time: float
    kind: str
    group: int
    member: int
    text: str
