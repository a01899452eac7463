"""What errors say, in the language that is shown: frame and remedy, around names that stay."""

import re
from functools import cache

from rmp3d.geometry.checked_toml import read_toml
from rmp3d.viewer.texts import ENGLISH, FOLDER, language

_ERRORS, _WORDS = "errors", "words"
LONGEST = 2000
"""Letters of an error that are looked at; a longer one stays as it is."""


def explained(text: str) -> str:
    """Return an error in the language that is shown; what it does not know stays English.

    File, key and group come before a colon and stay, as in ``a.toml: `seed`: must be a whole
    number``; what follows them is looked up.

    >>> explained("a.toml: no such file")
    'a.toml: no such file'
    """
    head, rest = "", text
    while len(text) <= LONGEST:
        said = _said(rest, _ERRORS)
        if said is not None:
            return head + said
        first, colon, after = rest.partition(": ")
        if not colon:
            break
        head, rest = head + first + colon, after
    return text


def _said(text: str, *tables: str) -> str | None:
    """Return what a whole text is in the language that is shown; None if no table knows it."""
    for pattern, translation in _patterns(language(), tables):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        gaps = found.groupdict()
        words = {
            name: _said(gap, _WORDS, _ERRORS) for name, gap in gaps.items() if name.startswith("w_")
        }
        if None not in words.values():
            return translation.format(**{**gaps, **words})
    return None


@cache
def _patterns(code: str, tables: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of what errors say, and their translations, those that say most first."""
    if code == ENGLISH:
        return ()
    file = read_toml(FOLDER / f"{code}_errors.toml")
    found = [row for table in tables for row in file[table].items()]
    rows = sorted(found, key=lambda row: -len(re.sub(r"{\w+}", "", row[0])))
    return tuple((_pattern(text), there) for text, there in rows)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text)), re.DOTALL)
