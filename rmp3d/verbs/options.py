"""Options that mean the same in every verb that has them."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rmp3d.scenario import ScenarioTable


def add_scenario_options(parser: argparse.ArgumentParser, *, target: str | None = None) -> None:
    """Add the target, whose default is ``target``, and the options that change a scenario."""
    parser.add_argument(
        "target",
        metavar="SCENARIO",
        nargs="?" if target else None,
        default=target,
        help="name of a built-in scenario, or a scenario file (.toml)"
        + (f"; default: {target}" if target else ""),
    )
    add_set_option(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="seed of all randomness")
    parser.add_argument(
        "--members", type=int, metavar="N", help="number of members of the first group"
    )
    parser.add_argument("--behavior", metavar="B", help="behavior of the first group")
    parser.add_argument("--formation", metavar="F", help="formation of the first group")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="longest time to build a roadmap [s]"
    )
    parser.add_argument("--duration", type=float, metavar="S", help="longest simulated time [s]")


def add_set_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--set``."""
    parser.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="set a key of the scenario, such as planner.nodes=800 or groups.0.goal=cars",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``, ``-q`` and ``-v``."""
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="print no progress and no summary"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print more details")


def scenario_of(options: argparse.Namespace) -> "ScenarioTable":
    """Return the scenario that the options describe.

    Raises:
        InputError: See `rmp3d.scenario.loading.load`.
    """
    from rmp3d.scenario.loading import load

    overrides = list(options.overrides)
    if options.time_limit is not None:
        overrides.append(f"planner.seconds={float(options.time_limit)}")
    if options.duration is not None:
        overrides.append(f"simulation.duration={float(options.duration)}")
    return load(
        options.target,
        overrides,
        members=options.members,
        behavior=options.behavior,
        formation=options.formation,
        seed=options.seed,
    )


def picture_size(text: str) -> tuple[int, int]:
    """Return width and height of ``--size``, such as ``1280x720``.

    Raises:
        InputError: The text is not two numbers, or one is out of range.
    """
    from rmp3d.geometry.errors import InputError

    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdigit() and height.isdigit()):
        raise InputError(f"--size {text}: expected WIDTHxHEIGHT in pixels, such as 1280x720")
    size = int(width), int(height)
    if not 16 <= min(size) <= max(size) <= 8192:
        raise InputError(f"--size {text}: width and height must be from 16 to 8192 pixels")
    return size
