"""Options that say how a path is made cheaper after it was found."""

import argparse
import json


def add_optimize_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--optimize``, ``--optimize-work``, ``--cost`` and ``--alternatives``."""
    group = parser.add_argument_group(
        "optimizing",
        "After the first path; Ctrl-C ends it, and the best path so far is the answer.",
    )
    group.add_argument(
        "--optimize", type=float, metavar="S", help="make the path cheaper for so long [s]"
    )
    group.add_argument(
        "--optimize-work", type=int, metavar="N",
        help="the same for so many motion queries: repeatable, whatever the machine",
    )  # fmt: skip
    group.add_argument(
        "--cost",
        metavar="NAME[,NAME]",
        help="what is made small: see `rmp3d costs`; default: length. Several: paths of which none "
        "is better than another in all of them",
    )
    group.add_argument(
        "--alternatives", type=int, metavar="K", help="look for K paths of different classes"
    )


def use_optimize_options(options: argparse.Namespace) -> None:
    """Make the options keys of the scenario.

    Raises:
        InputError: A value is out of range.
    """
    from rmp3d.planner.optimizing.settings import Optimization
    from rmp3d.problem_options import asked_of

    asked_of(options, Optimization())  # says what is wrong in the words of the options
    for key in ("optimize", "optimize_work", "alternatives"):
        value = getattr(options, key)
        if value is not None:
            options.overrides.append(f"planner.{key}={value}")
    if options.cost is not None:
        first, *further = options.cost.split(",")
        options.overrides.append(f"planner.cost={first}")
        if further:
            options.overrides.append(f"planner.against={json.dumps(further)}")
