"""What becomes different during a run, as one line of text."""

from collections.abc import Mapping
from typing import Any

from rmp3d.scenario.tables import ChangeTable


def change_in_words(change: ChangeTable, before: Mapping[str, Any]) -> str:
    """Return a change of a group as one line of text.

    Args:
        change: What becomes different.
        before: The table of the behavior until then; what stays as it was is not named.
    """
    words = [] if change.speed_limit is None else [f"at most {change.speed_limit:g} m/s"]
    if change.add is not None:
        words.append(f"{change.count} more at {_in_words(change.add)}")
    if change.remove is not None:
        words.append(f"without {_in_words(change.remove)}")
    if change.send is not None:
        words.append(f"sent to {_in_words(change.send)}" if change.send else "sent no more")
    if change.part is not None:
        words.append(f"`{change.part}` {'appears' if change.there else 'goes'}")
    if change.afterwards is not None:
        words.append(f"afterwards {change.afterwards['name']}")
    behavior = before if change.behavior is None else change.behavior
    for key, value in behavior.items():
        if key not in before or value != before[key]:
            words.append(f"{key.replace('_', ' ')} {_in_words(value)}")
    words += [f"{key.replace('_', ' ')} as usual" for key in before if key not in behavior]
    return ", ".join(words) or "as it was"


def _in_words(value: object) -> str:
    """Return a value of a table: of tables their names, or else how many they are."""
    if isinstance(value, Mapping):
        return str(value.get("name", ", ".join(map(str, value)) or "none"))
    if isinstance(value, list | tuple):
        if any(isinstance(each, Mapping) and "name" not in each for each in value):
            return str(len(value))
        texts = ", ".join(map(_in_words, value))
        are_numbers = value and all(isinstance(each, int | float) for each in value)
        return f"[{texts}]" if are_numbers else texts or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
