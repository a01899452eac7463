"""List group behaviors, activities, steering behaviors, combining schemes and perceptions.

With -v, each has its options with their defaults, meanings and units.
"""

import argparse

from rmp3d.verbs.listing import add_arguments, registry_rows, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS, STEERING_BEHAVIORS
    from rmp3d.behaviors.combining import COMBININGS
    from rmp3d.behaviors.perception import PERCEPTIONS

    registries = (GROUP_BEHAVIORS, ACTIVITIES, STEERING_BEHAVIORS, COMBININGS, PERCEPTIONS)
    rows = [
        {"name": row["name"], "kind": registry.kind, **row}
        for registry in registries
        for row in registry_rows(registry)
    ]
    return show_rows(options, rows)
