"""The parser of the command line: its errors are one plain line, with the nearest right word."""

import argparse
import difflib
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from rmp3d.terminal.escaping import one_line

BAD_INPUT = 2
KINDS = {"int": "a whole number"}
"""What argparse calls a type, and what a user calls it; the other types are numbers."""


class CommandLineParser(argparse.ArgumentParser):
    """A parser whose errors say in one line what is wrong and what would be right."""

    def error(self, message: str) -> NoReturn:
        """Print the error and leave with the exit code for bad input."""
        print(
            f"{self.prog}: {one_line(plain(message))} (see `{self.prog} --help`)", file=sys.stderr
        )
        raise SystemExit(BAD_INPUT)

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """Print an error about arguments that this parser does not know, and leave."""
        name = unknown[0].partition("=")[0]
        if name in self._option_string_actions:
            self.error(f"`{name}` must come behind the verb")
        kind = "option" if name.startswith("-") else "argument"
        self.error(f"no {kind} `{name}`{_hint(name, list(self._option_string_actions))}")


def plain(message: str) -> str:
    """Return a message of argparse in plain words."""
    if match := re.match(r"argument (\S+): invalid (\w+) value: '(.*)'$", message):
        return f"{match[1]} must be {KINDS.get(match[2], 'a number')}, got `{match[3]}`"
    if match := re.match(
        r"argument (\S+): invalid choice: '?(.*?)'? \(choose from (.*)\)$", message
    ):
        choices = [choice.strip(" '") for choice in match[3].split(",")]
        listed = f"choose from {', '.join(choices)}"
        return f"no {match[1].lower()} `{match[2]}`{_hint(match[2], choices) or f'; {listed}'}"
    if match := re.match(r"argument (\S+): expected (?:one|at least one) argument$", message):
        return f"{match[1]} needs a value after it"
    if match := re.match(r"the following arguments are required: (.*)$", message):
        missing = [name for name in match[1].split(", ") if name != "..."]
        return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    return message


def _hint(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name[:60], known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
