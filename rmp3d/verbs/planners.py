"""List the planners and the local planners of roadmaps; with -v their options and defaults."""

import argparse

from rmp3d.verbs.listing import add_arguments, registry_rows, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print them."""
    from rmp3d.planner import LOCAL_PLANNERS, PLANNERS, SPACES

    spaces = list(SPACES)
    rows = [
        {**row, "kind": "planner", "spaces": list(getattr(PLANNERS[row["name"]], "spaces", spaces))}
        for row in registry_rows(PLANNERS)
    ]
    rows += [
        {**row, "kind": "local planner", "spaces": spaces} for row in registry_rows(LOCAL_PLANNERS)
    ]
    return show_rows(options, rows)
