"""List the costs that a path can be optimized for; with -v also their options and defaults."""

import argparse

from rmp3d.verbs.listing import add_arguments, registry_rows, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.planner import COSTS

    return show_rows(options, registry_rows(COSTS))
