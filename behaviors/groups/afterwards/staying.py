"""Hold: stay where one is in the goal."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.groups.afterwards.activity import ACTIVITIES, Activity
from rmp3d.behaviors.groups.afterwards.area import Area


@ACTIVITIES.register("hold")
@dataclass(frozen=True)
class HoldPlaces(Activity):
    """Keep to the places in the goal that the behavior gave the members."""

    stays: ClassVar[bool] = True

    def chooser(self, area: Area) -> None:
        """Return None: they go nowhere."""
        return
