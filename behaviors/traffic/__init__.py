"""Traffic rules: progress and queues, right of way, passing, and how jams dissolve."""

from rmp3d.behaviors.traffic.progress import JAM_AFTER, LONGEST_DETOUR
from rmp3d.behaviors.traffic.rules import Traffic

__all__ = ["JAM_AFTER", "LONGEST_DETOUR", "Traffic"]
