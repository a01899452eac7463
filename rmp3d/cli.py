"""The command line: chooses a verb, runs it, and turns errors into exit codes.

Exit codes: 0 done, 1 a finding (there is no path, `verify` found a collision, a member did not
arrive), 2 bad input, 130 interrupted. A verb imports what it needs when it runs, so that help is
instant.
"""

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from time import perf_counter
from types import ModuleType
from typing import NoReturn

from rmp3d.terminal.interruption import catching_every_interrupt
from rmp3d.terminal.parser import BAD_INPUT, CommandLineParser
from rmp3d.terminal.process_age import seconds_since_start

VERBS = (
    "demo",
    "scenes",
    "scenarios",
    "models",
    "behaviors",
    "formations",
    "samplers",
    "spaces",
    "planners",
    "inspect",
    "plan",
    "run",
    "view",
    "verify",
    "report",
    "bench",
    "export",
    "completion",
)
DONE, FINDING, INTERRUPTED = 0, 1, 130
# Python searches for unused cycles of objects after so many new ones. Modules and compiled kernels
# are hundreds of thousands of objects, all in use: by default a command searches them for 0.1 s.
NEW_OBJECTS = 100_000

DESCRIPTION = """\
Plan and animate groups of 3D characters.

  rmp3d demo                   plan, run, verify and show the parking scene
  rmp3d run canyon -o a.rmp3d  simulate a scenario into a recording
  rmp3d verify a.rmp3d         prove it free of collisions, mesh against mesh
"""


def make_parser() -> CommandLineParser:
    """Return the parser of all verbs."""
    parser = CommandLineParser(
        prog="rmp3d",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", nargs=0, action=_ShowVersion, help="print the version")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", parser_class=CommandLineParser)
    for name in VERBS:
        text = (_verb(name).__doc__ or "").strip()
        formatter = argparse.RawDescriptionHelpFormatter
        summary = text.split("\n")[0].replace("%", "%%")
        verb = verbs.add_parser(name, help=summary, description=text, formatter_class=formatter)
        _add_arguments(name, verb)
    return parser


def verb_parsers() -> dict[str, CommandLineParser]:
    """Return a parser of each verb's own arguments, by verb."""
    parsers = {name: CommandLineParser(prog=f"rmp3d {name}") for name in VERBS}
    for name, parser in parsers.items():
        _add_arguments(name, parser)
    return parsers


def _add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    _verb(name).add_arguments(parser)
    parser.add_argument(
        "--with",
        dest="extensions",
        action="append",
        default=[],
        metavar="FILE.py",
        help="first load a Python file with your own behaviors, formations, samplers, exporters",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.set_threshold(NEW_OBJECTS, 50, 100)
    verb = next((word for word in words if word in VERBS), "")
    try:
        with catching_every_interrupt():
            _load(_extensions(words))  # first, so that the verbs' options and help know them
            parser = make_parser()
            options, unknown = parser.parse_known_args(words)
            if unknown:
                verb_parsers().get(options.verb or "", parser).refuse(unknown)
            # In a process of its own, the user also waits for the start of Python.
            options.began = perf_counter() - (seconds_since_start() if arguments is None else 0.0)
            if options.verb is None:
                parser.print_help()
                return BAD_INPUT
            verb = options.verb
            code = int(_verb(verb).run(options))
        sys.stdout.flush()  # here a closed pipe is handled below
        return code
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except BrokenPipeError:
        # The program that reads our output has closed the pipe, as `head` does. Python would
        # complain about it once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print(f"rmp3d {verb}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        if "--debug" in words:
            raise
        return _explain(error, verb)


def _extensions(words: Sequence[str]) -> list[str]:
    """Return the files that a command line names after ``--with``."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--with", dest="extensions", action="append", default=[])
    try:
        found: list[str] = early.parse_known_args(words)[0].extensions
    except argparse.ArgumentError:
        return []  # the parser of all verbs will say what is wrong
    return found


def _load(extensions: Sequence[str]) -> None:
    if extensions:
        from rmp3d.extensions import load_extension

        for path in extensions:
            load_extension(path)


def _explain(error: Exception, verb: str) -> int:
    """Print an error in a line or two; return the exit code that it means."""
    from rmp3d.geometry.errors import InputError, Rmp3dError

    print(f"rmp3d {verb}: {_sentence(error, known=Rmp3dError)}", file=sys.stderr)
    if isinstance(error, Rmp3dError) and not isinstance(error, InputError):
        from rmp3d.planner.errors import PlanningError

        return FINDING if isinstance(error, PlanningError) else BAD_INPUT
    return BAD_INPUT


def _sentence(error: Exception, known: type[Exception]) -> str:
    if isinstance(error, known):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; try fewer `members` or `nodes`"
    name = type(error).__name__
    return f"unexpected {name}: {error}\nthis is a bug of rmp3d; `--debug` shows where it happened"


def _verb(name: str) -> ModuleType:
    return importlib.import_module(f"rmp3d.verbs.{name}")


class _ShowVersion(argparse.Action):
    """Print the version; `importlib.metadata` is slow, so it is asked only then."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"rmp3d {version('rmp3d')}")
        raise SystemExit(DONE)


if __name__ == "__main__":
    sys.exit(main())
