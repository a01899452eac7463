"""List the built-in scenes."""

import argparse

from rmp3d.verbs.listing import add_arguments, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.scenes import builtin_scenes, builtin_summary

    names = builtin_scenes()
    return show_rows(options, [{"name": name, "summary": builtin_summary(name)} for name in names])
