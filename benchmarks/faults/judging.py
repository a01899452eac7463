"""What an outcome of a command is: good, or which of the bad columns it belongs into."""

import json
import re

from benchmarks.faults.forks import Ended

GOOD = ("fine", "finding", "clear error")
BAD = ("traceback", "own fault", "unclear", "hang", "memory", "signal", "silent")
"""``own fault``: the message blames rmp3d. ``unclear``: names no file, or a type of Python.
``silent``: success, but with warnings, or numbers that are none."""

UNEXPECTED = re.compile(r"unexpected [A-Z]\w+:")
LONGEST = 700  # characters of a message
CPU, MEMORY = 10.0, 2**30
TYPES = re.compile(
    r"\b[A-Z][A-Za-z]*(Error|Exception|Warning)\b|NoneType|<class|object at 0x|ndarray|\bnumpy\b"
    r"|'(str|int|float|list|dict|bytes|tuple)'|\bh5py\b|(?<!/)\btrimesh\b|\bmsgspec\b"
    r"|struct\.|errno|\[Errno|subscriptable|values to unpack|cannot unpack|not iterable"
    r"|codec can't|unhashable|positional argument"
)


def outcome(ended: Ended, names: tuple[str, ...], *, of_code: bool = False) -> tuple[str, str]:
    """Return the column of an outcome, and why.

    Args:
        ended: How the command ended.
        names: Files of which a clear error must name one.
        of_code: The file is Python, whose errors may be told in the words of Python.
    """
    text = ended.stderr
    if ended.late or ended.cpu > CPU:
        return "hang", f"{ended.cpu:.1f} s of processor time, {ended.wall:.1f} s in all"
    if ended.memory > MEMORY or "out of memory" in text:
        return "memory", f"{ended.memory / 2**20:.0f} MiB: {text[:200]}"
    if ended.code < 0:
        return "signal", f"signal {-ended.code}"
    if "Traceback (most recent call last)" in text or "Exception ignored" in text:
        return "traceback", text[-300:]
    if "bug of rmp3d" in text or "fault of rmp3d" in text or UNEXPECTED.search(text):
        return "own fault", text[:400]
    if ended.code in (0, 1) and ("Error" not in text or of_code):
        return _done(ended)
    return _refused(ended, names, of_code)


def _done(ended: Ended) -> tuple[str, str]:
    if "Warning" in ended.stderr:
        return "silent", ended.stderr[:300]
    if ended.stdout.startswith(("{", "[")):
        try:
            json.loads(ended.stdout, parse_constant=_refuse)
        except ValueError as error:
            return "silent", f"JSON: {error}"
    return ("finding" if ended.code else "fine"), ""


def _refuse(name: str) -> None:
    raise ValueError(name)


def _refused(ended: Ended, names: tuple[str, ...], of_code: bool) -> tuple[str, str]:
    text = ended.stderr.strip()
    if ended.code != 2:
        return "unclear", f"exit code {ended.code}: {text[:300]}"
    if not any(name in text for name in names):
        return "unclear", f"no file: {text[:300]}"
    if not of_code and (found := TYPES.search(text)):
        return "unclear", f"{found.group()!r} in: {text[:400]}"
    if len(text) > LONGEST or text.count("\n") > 2:
        return "unclear", f"{len(text)} characters in {text.count(chr(10)) + 1} lines: {text[:300]}"
    if any(ord(char) < 32 and char not in "\n\t" for char in text):
        return "unclear", f"raw control characters: {text[:300]!r}"
    return "clear error", ""
