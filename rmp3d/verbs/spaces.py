"""List the configuration spaces: the positions of a body, and its motions between them.

Paths of walking characters are planned in `ground`, of vehicles with a turn radius in
`ground_heading`, of flying characters in `translation`, and of the bodies of problem files in
`rigid`, with the degrees of freedom that the file gives.
"""

import argparse

from rmp3d.verbs.listing import add_arguments, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.planner import SPACES

    return show_rows(options, [{"name": name, "summary": SPACES.summary(name)} for name in SPACES])
