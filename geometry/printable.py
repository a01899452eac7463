"""Text from files, made safe to print: no character of it moves the cursor or hides others."""

import re

UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, escapes of terminals among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they turn the direction of the text
    "\u2028\u2029\ud800-\udfff]"  # other ends of lines; halves of characters
)
NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]+')
LONGEST_STEM = 100


def printable(text: str, keep: str = "") -> str:
    r"""Return a text with escapes, such as ``\x1b``, in place of what is not to be printed.

    >>> print(printable("a\nb\x1b[2J"))
    a\nb\x1b[2J

    Args:
        text: As it came from a file.
        keep: Characters that stay.
    """
    return UNPRINTABLE.sub(lambda found: _escape(found.group(), keep), text)


def file_stem(name: str, otherwise: str) -> str:
    """Return a name as that of a file in the folder it is meant for, on any system.

    >>> file_stem("../walk: 1", "scenario")
    '_walk_ 1'

    Args:
        name: As it came from a file, so it may name another folder.
        otherwise: What it is called if nothing is left.
    """
    stem = NO_FILE_NAME.sub("_", printable(name)).lstrip(". ").rstrip(". ")
    return stem[:LONGEST_STEM].rstrip(". ") or otherwise


def shortened(text: str, longest: int) -> str:
    """Return a text of at most ``longest`` letters; of a longer one the middle is left out."""
    if len(text) <= longest:
        return text
    head = (longest - 5) * 2 // 3
    return f"{text[:head]} ... {text[len(text) - (longest - 5 - head) :]}"


def _escape(letter: str, keep: str) -> str:
    return letter if letter in keep else ascii(letter)[1:-1]
