"""The page of every verb of the command line and its options, from the parsers themselves."""

import argparse
from collections.abc import Iterator

from rmp3d.cli import VERBS, make_parser

INTRODUCTION = """\
# Commands

This page is made from the parsers of the command line, so it cannot be out of date.
`rmp3d VERB --help` says the same in a terminal, and `eval "$(rmp3d completion bash)"` completes
verbs, options and scenes in the shell.

**Exit codes.** 0: done. 1: a finding, such as no path, a member that did not arrive, a collision.
2: bad input. 130: interrupted. Errors are one or two lines; `--debug` shows where they come from.
"""
UNIVERSAL = ("--help", "--debug", "--with")


def page() -> str:
    """Return the page as Markdown."""
    parser = make_parser()
    (verbs,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    summaries = {choice.dest: choice.help or "" for choice in verbs._choices_actions}
    lines = [INTRODUCTION, "| verb | what it does |", "|---|---|"]
    lines += [f"| [`{v}`](#rmp3d-{v}) | {summaries[v].replace('%%', '%')} |" for v in VERBS]
    lines += ["", "Options of every verb:", "", *_options(verbs.choices["run"], universal=True)]
    for verb in VERBS:
        lines += ["", f"## rmp3d {verb}", "", *_verb(verbs.choices[verb])]
    return "\n".join(lines) + "\n"


def _verb(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from ("```text", " ".join(parser.format_usage().split()), "```", "")
    yield from (_escaped(parser.description or ""), "")
    yield from _options(parser, universal=False)


def _options(parser: argparse.ArgumentParser, *, universal: bool) -> Iterator[str]:
    rows = []
    for action in parser._actions:
        if (action.option_strings[-1:] in ([name] for name in UNIVERSAL)) == universal:
            rows.append(f"| {_name(action)} | {_escaped(_help(action))} |")
    if rows:
        yield from ("| argument | meaning |", "|---|---|", *rows)


def _name(action: argparse.Action) -> str:
    if action.nargs == 0:
        value = ""
    else:
        words = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
        value = words if isinstance(words, str) else " ".join(words)
        value += " ..." if action.nargs in ("+", "*") else ""
    if not action.option_strings:
        return f"`{value}`"
    return ", ".join(f"`{option} {value}".rstrip() + "`" for option in action.option_strings)


def _help(action: argparse.Action) -> str:
    said = (action.help or "") % {**vars(action), "prog": "rmp3d"}
    chosen = action.choices and not action.metavar
    return f"{said} ({', '.join(map(str, action.choices or ()))})" if chosen else said


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*")
