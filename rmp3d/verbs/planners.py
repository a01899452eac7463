"""List the local planners of roadmaps; with -v also their options and defaults."""

import argparse

from rmp3d.verbs.listing import add_arguments, registry_rows, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.planner import LOCAL_PLANNERS, SPACES

    spaces = list(SPACES)
    rows = [{**row, "spaces": spaces} for row in registry_rows(LOCAL_PLANNERS)]
    return show_rows(options, rows)
