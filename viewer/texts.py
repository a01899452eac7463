"""The texts of window and panel in the user's language.

The English text is the key. A language is one file of `languages`: a table of English texts and
their translations. Names of what comes with RMP3D (behaviors, formations, characters, groups of its
scenarios) have a table of their own, as they are translated only where people see them, never in
files. What has no translation is shown as it is: names of the user's own, what a behavior's
documentation says of its options, and errors.
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rmp3d.geometry.checked_toml import read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "es": "Español"}
"""Codes and names of the languages."""
FOLDER = Path(__file__).parent / "languages"

TOLD = "told"
"""The table of what events say; names in braces stand for what is in their place."""
NAMES = "names"
"""The table of names that come with RMP3D."""
PLACES = ("place", "part")
"""Gaps of what events say for parts and regions of a scene, whose names stay."""
PLAINER = {
    "lost sight of its subgoal": "no longer sees the next point of its way",
    "was pushed past its subgoal": "was pushed past the next point of its way",
}
"""What events of recordings before 0.3 say, in plain words."""

_spoken: dict[str, str] = {}  # of the language that is shown; empty for English
_names: dict[str, str] = {}  # likewise
_codes = [ENGLISH]  # its code


@cache
def translations(code: str) -> Mapping[str, str]:
    """Return the translations of a language by the English texts.

    Raises:
        InputError: There is no such language.
    """
    if code not in LANGUAGES:
        raise InputError(f"--language: {unknown_name('language', code, list(LANGUAGES))}")
    if code == ENGLISH:
        return {}
    tables = {**read_toml(FOLDER / f"{code}.toml"), **read_toml(FOLDER / f"{code}_options.toml")}
    del tables[NAMES]
    return {text: said for table in tables.values() for text, said in table.items()}


@cache
def names_in(code: str) -> Mapping[str, str]:
    """Return what is said in a language for the names that come with RMP3D."""
    return {} if code == ENGLISH else read_toml(FOLDER / f"{code}.toml")[NAMES]


def speak(code: str) -> None:
    """Show texts in a language from now on.

    Raises:
        InputError: There is no such language.
    """
    found = translations(code)
    _spoken.clear()
    _spoken.update(found)
    _names.clear()
    _names.update(names_in(code))
    _codes[0] = code


def language() -> str:
    """Return the code of the language that is shown."""
    return _codes[0]


def tr(text: str, **values: Any) -> str:
    """Return a text in the language that is shown, with values put into its braces.

    >>> tr("saved {path}", path="a.toml")
    'saved a.toml'
    """
    said = _spoken.get(text, text)
    return said.format(**values) if values else said


def named(name: str) -> str:
    """Return a name as people see it: one that comes with RMP3D in the language that is shown.

    >>> named("narrow_passages")
    'narrow_passages'
    """
    if name in _names:
        return _names[name]
    first, _, number = name.rpartition(" ")
    if number.isdecimal() and first in _names:  # such as "group 2"
        return f"{_names[first]} {number}"
    return _names.get(name.replace(" ", "_"), name)


def all_named(names: Sequence[str]) -> list[str]:
    """Return names as people see them, as they are if two would be the same."""
    seen = [named(name) for name in names]
    return seen if len(set(seen)) == len(set(names)) else list(names)


def said(text: str) -> str:
    """Return what an event says, as recordings have it, in the language that is shown."""
    text = PLAINER.get(text, text)
    for pattern, translation in _told(language()):
        found = pattern.fullmatch(text)
        if found:
            gaps = found.groupdict().items()
            return translation.format(
                **{gap: words if gap in PLACES else named(words) for gap, words in gaps}
            )
    return text


def told(text: str, kind: str) -> str:
    """Return what an event says, or its kind if it says nothing, in the language that is shown."""
    return said(text) or tr(kind.replace("_", " "))


@cache
def _told(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of what events say, and their translations, those without gaps first."""
    if code == ENGLISH:
        return ()
    table = read_toml(FOLDER / f"{code}.toml")[TOLD]
    rows = sorted(table.items(), key=lambda row: row[0].count("{"))
    return tuple(
        (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text))), there)
        for text, there in rows
    )


def system_language() -> str:
    """Return the language that the user's system speaks, English if it is none of ours."""
    stated = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next(filter(None, stated), "")[:2].lower()
    return code if code in LANGUAGES else ENGLISH
