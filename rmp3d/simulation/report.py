"""What a run gives back, besides its recording."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rmp3d.behaviors.safety import SafetyReport


@dataclass(eq=False)
class GroupReport:
    """What became of a group; see `RunReport`.

    ``members`` are all that have ever been there; ``arrived`` is None for a group without a goal;
    ``left`` are those that have left before they arrived; ``jams_left`` are those of the jams that
    are not over, ``longest_jam`` is how long one was jammed at a time, as far as it did not wait in
    a queue that moves [s]; ``figures`` are what its behavior tells.
    """

    name: str
    behavior: str
    members: int
    arrived: int | None = None
    left: int = 0
    formation_changes: list[dict[str, Any]] = field(default_factory=list)
    jams: int = 0
    jams_left: int = 0
    longest_jam: float = 0.0
    formation_error_mean: float | None = None
    energy: float = 0.0
    last_arrival: float | None = None
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class RunReport:
    """What a run gives back, besides its recording; ``notes`` are those of the scene.

    ``measure`` has the figures of each measuring line; see `rmp3d.crossings`.
    """

    scenario: str
    seed: int
    recording: str
    frames: int
    dt: float
    wall_seconds: float
    plan_seconds: float
    groups: list[GroupReport]
    min_clearance_scene: float
    min_clearance_members: float
    safety: SafetyReport
    notes: tuple[str, ...] = ()
    measure: list[dict[str, Any]] = field(default_factory=list)

    @property
    def arrived(self) -> int:
        """Members that arrived, of all groups."""
        return sum(group.arrived or 0 for group in self.groups)

    @property
    def members(self) -> int:
        """Members of all groups."""
        return sum(group.members for group in self.groups)

    @property
    def complete(self) -> bool:
        """Whether all members of groups with a goal arrived, but those that left before."""
        return all(group.arrived in (None, group.members - group.left) for group in self.groups)

    def as_dict(self) -> dict[str, Any]:
        """Return what ``rmp3d run --json`` prints."""
        steps = max(self.frames - 1, 0)
        return {
            "scenario": self.scenario,
            "seed": self.seed,
            "recording": self.recording,
            "frames": self.frames,
            "dt": self.dt,
            "seconds_simulated": round(steps * self.dt, 6),
            "wall_seconds": round(self.wall_seconds, 3),
            "plan_seconds": round(self.plan_seconds, 3),
            "steps_per_second": round(steps / self.wall_seconds, 1) if self.wall_seconds else None,
            "groups": [vars(group) for group in self.groups],
            "measure": self.measure,
            "min_clearance": {
                "scene": _rounded(self.min_clearance_scene),
                "members": _rounded(self.min_clearance_members),
            },
            "safety": {"held_back": self.safety.held_back, "braked": self.safety.braked},
        }


def _rounded(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None
