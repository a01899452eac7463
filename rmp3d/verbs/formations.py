"""List the formations; with -v also their options and defaults."""

import argparse

from rmp3d.verbs.listing import add_arguments, registry_rows, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.behaviors import FORMATIONS

    return show_rows(options, registry_rows(FORMATIONS))
