"""The command line: chooses a verb, runs it, and turns errors into exit codes.

Exit codes: 0 done, 1 a finding (there is no path, `verify` found a collision, a member did not
arrive), 2 bad input, 130 interrupted, 143 terminated. A verb imports what it needs when it runs, so
that help is instant.
"""

import argparse
import errno
import gc
import importlib
import signal
import sys
from collections.abc import Sequence
from time import perf_counter
from types import ModuleType
from typing import NoReturn

from rmp3d.terminal.escaping import escaped_output, one_line
from rmp3d.terminal.interruption import ENDINGS, CatchingEveryInterrupt
from rmp3d.terminal.parser import BAD_INPUT, CommandLineParser
from rmp3d.terminal.process_age import seconds_since_start
from rmp3d.terminal.streams import output_failure, say_error

VERBS = (
    "demo",
    "scenes",
    "scenarios",
    "models",
    "behaviors",
    "formations",
    "samplers",
    "costs",
    "spaces",
    "planners",
    "inspect",
    "plan",
    "run",
    "view",
    "verify",
    "report",
    "study",
    "bench",
    "export",
    "completion",
)
DONE, FINDING = 0, 1
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
    """Run one command line; return its exit code.

    Args:
        arguments: The words after the program's name; None: those of this process, which ends
            after that.
    """
    with escaped_output():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.set_threshold(NEW_OBJECTS, 50, 100)
    command = argparse.Namespace(verb=next((word for word in words if word in VERBS), ""))
    ending = CatchingEveryInterrupt(own_process=arguments is None)
    try:
        with ending:
            code = _run(words, command, seconds_since_start() if arguments is None else 0.0)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    except KeyboardInterrupt:
        ending.came = ending.came or ENDINGS[signal.SIGINT]
    except Exception as error:
        if ending.came is None:
            failure = output_failure()
            if failure is not None:
                return _without_output(failure, command.verb)
            if "--debug" in words:
                raise
            return _explain(error, command.verb)
    failure = output_failure()
    if ending.came is not None:
        # What came of it, also an error of a library that was interrupted, is no answer.
        say_error(f"{_name(command.verb)}: {ending.came.word}")
        return ending.came.code
    return code if failure is None else _without_output(failure, command.verb)


def _run(words: Sequence[str], command: argparse.Namespace, age: float) -> int:
    """Run a command line; return its exit code.

    Args:
        words: Of the command line.
        command: Given the ``verb`` as soon as it is known.
        age: What the start of Python took [s].
    """
    began = perf_counter() - age
    _load(_extensions(words))  # first, so that the verbs' options and help know them
    parser = make_parser()
    options, unknown = parser.parse_known_args(words)
    if unknown:
        verb_parsers().get(options.verb or "", parser).refuse(unknown)
    options.began = began  # in a process of its own, the user also waits for the start of Python
    if options.verb is None:
        parser.print_help()
        return BAD_INPUT
    command.verb = options.verb
    return int(_verb(options.verb).run(options))


def _without_output(failure: OSError, verb: str) -> int:
    """Return the exit code of a command whose output cannot be written, and say so.

    A program that reads our output may stop reading, as `head` does: that is no error.
    """
    if failure.errno == errno.EPIPE:
        return DONE
    reason = failure.strerror or failure
    say_error(f"{_name(verb)}: standard output cannot be written ({reason})")
    return BAD_INPUT


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

    say_error(f"{_name(verb)}: {_sentence(error, known=Rmp3dError)}")
    if isinstance(error, Rmp3dError) and not isinstance(error, InputError):
        from rmp3d.planner.errors import PlanningError

        return FINDING if isinstance(error, PlanningError) else BAD_INPUT
    return BAD_INPUT


def _sentence(error: Exception, known: type[Exception]) -> str:
    if isinstance(error, known):
        return one_line(str(error))
    if isinstance(error, MemoryError):
        return "out of memory; a smaller scene, fewer `members` or fewer `nodes` need less"
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        from rmp3d.geometry.input_files import shown_path

        # A name that is too long, a folder without permission, a loop of links.
        return one_line(f"{shown_path(str(error.filename))}: cannot be used ({error.strerror})")
    from rmp3d.extensions import words_of_fault

    return words_of_fault(error)


def _name(verb: str) -> str:
    return f"rmp3d {verb}".rstrip()


def _verb(name: str) -> ModuleType:
    return importlib.import_module(f"rmp3d.verbs.{name}")


class _ShowVersion(argparse.Action):
    """Print the version; `importlib.metadata` is slow, so it is asked only then."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"rmp3d {version('rmp3d')}")
        raise SystemExit(DONE)
