"""The built-in scenes whose scenario is about going somewhere."""

from rmp3d.scenario_file import load
from scenes import builtin_scenes


def journeys() -> tuple[str, ...]:
    """Return the names of the built-in scenes whose scenario gives every group a goal."""
    return tuple(
        name
        for name in builtin_scenes()
        if all(group.goal is not None for group in load(name).groups)
    )
