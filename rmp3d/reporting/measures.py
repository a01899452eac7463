"""What the numbers that group behaviors measure are called in a report, with their units."""

from typing import NamedTuple


class MeasureText(NamedTuple):
    """How a measured number is shown.

    Attributes:
        title: Of its chart.
        axis: What the chart's upright axis says, with the unit.
        good: What it looks like when all goes well.
    """

    title: str
    axis: str
    good: str = ""


MEASURES = {
    "leader": MeasureText(
        "Virtual leader on the path",
        "distance along the path [m]",
        "It rises steadily; where it is level, the leader waits for the group.",
    ),
    "option": MeasureText(
        "Formation in use",
        "row of the plan",
        "It changes only before and after narrow places.",
    ),
    "error": MeasureText(
        "Distance of members from their slots, mean",
        "distance [m]",
        "It is small, and falls soon after each change of formation.",
    ),
    "width": MeasureText(
        "Width of the formation across the path",
        "width [m]",
        "It stays below the free width of the path.",
    ),
    "marching": MeasureText(
        "Members on the path that are not in the goal yet",
        "members",
        "It falls to zero.",
    ),
    "behind": MeasureText(
        "Last member behind the leader, along the path",
        "distance [m]",
        "It stays about as long as the formation; where it grows, members are left behind.",
    ),
    "seeing": MeasureText(
        "Members that see the leader",
        "members",
        "It stays near the number of members.",
    ),
    "visited": MeasureText(
        "Visited part of the search map",
        "share of its links",
        "It rises until the goal is found.",
    ),
    "searching": MeasureText(
        "Members that search for the goal",
        "members",
        "It falls to zero once the goal is found.",
    ),
    "trail": MeasureText(
        "Links of the search map that carry a trail",
        "links",
        "It grows while members report what they have found.",
    ),
    "radius": MeasureText(
        "Radius of the circle around the group or flock",
        "radius [m]",
        "It is small: the group stays together.",
    ),
    "strays": MeasureText(
        "Strays: members of the flock outside its circle",
        "members",
        "It is zero most of the time.",
    ),
    "driven": MeasureText(
        "Distance that the flock was driven",
        "distance [m]",
        "It rises steadily.",
    ),
    "left": MeasureText(
        "Members of the flock left for later",
        "members",
        "It falls to zero.",
    ),
    "covered": MeasureText(
        "Covered part of the area",
        "share of the area",
        "It rises to one.",
    ),
    "across": MeasureText(
        "Members of the flock on the wrong side of the border",
        "members",
        "It falls to zero.",
    ),
}
"""By the name of the measure; a behavior of the user's own may have others."""


def measure_text(name: str) -> MeasureText:
    """Return how a measured number is shown; one that is not known, by its own name."""
    words = name.replace("_", " ")
    return MEASURES.get(name, MeasureText(words.capitalize(), words))
