"""What the numbers that group behaviors measure are called in a report, with their units."""

from typing import NamedTuple


class MeasureText(NamedTuple):
    """How a measured number is shown.

    Attributes:
        title: Of its chart.
        axis: What the chart's upright axis says, with the unit.
    """

    title: str
    axis: str


MEASURES = {
    "leader": MeasureText("Virtual leader on the path", "distance along the path [m]"),
    "option": MeasureText("Formation in use", "row of the plan"),
    "error": MeasureText("Distance of members from their slots, mean", "distance [m]"),
    "width": MeasureText("Width of the formation across the path", "width [m]"),
    "marching": MeasureText("Members on the path that are not in the goal yet", "members"),
    "behind": MeasureText("Last member behind the leader, along the path", "distance [m]"),
    "seeing": MeasureText("Members that see the leader", "members"),
    "visited": MeasureText("Visited part of the search map", "share of its links"),
    "searching": MeasureText("Members that search for the goal", "members"),
    "trail": MeasureText("Links of the search map that carry a trail", "links"),
    "radius": MeasureText("Radius of the circle around the group or flock", "radius [m]"),
    "strays": MeasureText("Strays: members of the flock outside its circle", "members"),
    "driven": MeasureText("Distance that the flock was driven", "distance [m]"),
    "left": MeasureText("Members of the flock left for later", "members"),
    "covered": MeasureText("Covered part of the area", "share of the area"),
    "across": MeasureText("Members of the flock on the wrong side of the border", "members"),
}
"""By the name of the measure; a behavior of the user's own may have others."""


def measure_text(name: str) -> MeasureText:
    """Return how a measured number is shown; one that is not known, by its own name."""
    words = name.replace("_", " ")
    return MEASURES.get(name, MeasureText(words.capitalize(), words))
