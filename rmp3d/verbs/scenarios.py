"""List the built-in scenarios, which `rmp3d run` takes by name."""

import argparse

from rmp3d.verbs.listing import add_arguments, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    from rmp3d.geometry.checked_toml import read_toml
    from rmp3d.scenes import builtin_scenarios, builtin_summary

    rows = [
        {"name": name, "summary": read_toml(path).get("description") or builtin_summary(name)}
        for name, path in builtin_scenarios().items()
    ]
    return show_rows(options, rows)
