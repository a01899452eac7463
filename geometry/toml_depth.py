"""How deeply a TOML text is nested, known before it is parsed.

tomllib takes time with the square of the number of parts of a key, and a call of Python for each
bracket within a bracket.
"""

import re

MAX_DEPTH = 32
"""Most tables and lists within one another, and most parts of a dotted key."""

# A text that is not closed goes on to the end of its line, or of the file, so that no letter is
# looked at twice.
_BASIC = r'"(?:[^"\\\n]|\\[^\n])*+(?:"|\\)?'
_LITERAL = r"'[^'\n]*+'?"
_PART = rf"(?:[A-Za-z0-9_-]++|{_BASIC}|{_LITERAL})"
_NEXT = rf"[ \t]*+\.[ \t]*+{_PART}"
_PIECE = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|#[^\n]*+'
    rf"|(?P<key>{_PART}(?:{_NEXT}){{{MAX_DEPTH}}})"
    rf"|{_PART}(?:{_NEXT})*+"
    r"|(?P<open>[\[{])|(?P<close>[\]}])",
    re.DOTALL,
)


def refuse_deep(text: str) -> None:
    """Check that no key has more than `MAX_DEPTH` parts, and that brackets are no deeper.

    Raises:
        ValueError: They are; says at which line.
    """
    depth = 0
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        if depth > MAX_DEPTH or kind == "key":
            line = text.count("\n", 0, piece.start()) + 1
            raise ValueError(f"nested in more than {MAX_DEPTH} levels (at line {line})")
