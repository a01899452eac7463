"""Who leads, or is surrounded: the rules by which one member of a group is chosen."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length
from rmp3d.models import Character

MemberRule: TypeAlias = str | int
"""``first``, ``nearest`` or ``central``; the number of a member; or the name of a character."""
RULES = ("first", "nearest", "central")


def check_rule(key: str, rule: MemberRule) -> None:
    """Refuse what is no rule, as far as can be said without the group.

    Raises:
        InputError: Names the key.
    """
    if isinstance(rule, bool) or not isinstance(rule, str | int) or rule == "":
        raise InputError(
            f"`{key}` must be `first`, `nearest`, `central`, the number of a member or the name of "
            f"a character, got {rule!r}"
        )
    if isinstance(rule, int) and rule < 0:
        raise InputError(f"`{key}`: members are numbered from 0, got {rule}")


def eligible(
    key: str, rule: MemberRule, characters: Sequence[Character], usual: Bool
) -> tuple[str, Bool]:
    """Return the rule by which to choose, and which members (n,) it may choose from.

    Args:
        key: Of the option, for errors.
        rule: A number or a character's name leaves ``first`` of those.
        characters: (n,) what each member is.
        usual: (n,) members to choose from where the rule names none.

    Raises:
        InputError: There is no such member.
    """
    count = len(characters)
    if isinstance(rule, int):
        if rule >= count:
            raise InputError(
                f"`{key}`: there is no member {rule}; members are numbered from 0 to {count - 1}"
            )
        return "first", np.arange(count) == rule
    if rule in RULES:
        return rule, usual
    names = [character.name for character in characters]
    if rule not in names:
        known = [*RULES, *dict.fromkeys(names)]
        raise InputError(
            f"`{key}`: {unknown_name('rule or character', rule, known)}; or say the number of a "
            "member, counted from 0"
        )
    return "first", np.array([name == rule for name in names])


def chosen(rule: str, may: Bool, position: Float, ahead: Float, left: Float) -> int:
    """Return the row of the member that a rule chooses.

    Args:
        rule: ``first``, ``nearest`` or ``central``.
        may: (n,) members to choose from; all if it is none.
        position: (n, 3) of all members [m].
        ahead: (n,) how far each is along the direction of motion [m].
        left: (n,) how far each has to go [m].
    """
    may = may if may.any() else np.ones(len(position), np.bool_)
    if rule == "first":
        return int(np.argmax(np.where(may, ahead, -np.inf)))
    cost = left if rule == "nearest" else length(position - position.mean(axis=0))
    return int(np.argmin(np.where(may, cost, np.inf)))
