"""List the configuration spaces: where a body may be, and how it moves.

Characters that walk are planned for in ground, those that fly in translation, and the bodies of
problem files in rigid, with as many degrees of freedom as the file gives them.
"""

import argparse

from rmp3d.verbs.listing import add_arguments, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print them."""
    from rmp3d.planner import SPACES

    return show_rows(options, [{"name": name, "summary": SPACES.summary(name)} for name in SPACES])
