"""Find out what the joints and clips of somebody's character are, by their names.

Known are the names of Mixamo, Unreal, Blender's Rigify, VRM, Biped and SMPL rigs, and plain English
ones, also of the joints themselves: hip, knee, ankle, shoulder, elbow, wrist.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

Side = Literal["left", "right"]
PARTS = {
    "thigh": ("upleg", "upperleg", "thigh", "femur", "legupper"),
    "shin": ("lowerleg", "calf", "shin", "knee", "leglower", "leg"),
    "foot": ("foot", "ankle"),
}
ARMS = {
    "thigh": ("upperarm", "armupper", "frontthigh", "frontupleg", "frontupperleg", "foreupperleg"),
    "shin": (
        "forearm",
        "lowerarm",
        "armlower",
        "frontshin",
        "frontlowerleg",
        "forelowerleg",
        "elbow",
    ),
    "foot": ("hand", "frontfoot", "frontpaw", "forefoot", "forepaw", "wrist"),
}
CLIPS = {
    "walk": ("walk", "stroll", "trot"),
    "run": ("run", "jog", "sprint", "gallop"),
    "idle": ("idle", "stand", "breath", "tpose", "rest"),
    "sit": ("sit",),
    "graze": ("graze", "eat"),
    "turn_left": ("turnleft", "leftturn"),
    "turn_right": ("turnright", "rightturn"),
    "fly": ("fly", "flap"),
    "glide": ("glide", "soar"),
    "swim": ("swim",),
}
OTHER_WORDS = ("toe", "end", "twist", "roll", "ik", "pole", "target", "helper")
NO_LEG = (*OTHER_WORDS, "hand", "arm", "front", "fore")
BACKWARD = ("back", "left", "right", "strafe", "start", "stop", "turn")


def legs_of(names: Sequence[str]) -> dict[Side, dict[str, int]]:
    """Return rows of thigh, shin and foot for each side; a side lacks what is not found.

    Where no joint is called a thigh, the first of two that are called legs is one: names are
    those of joints after their parents.
    """
    found = _limbs(names, PARTS, NO_LEG)
    for side, parts in found.items():
        if "thigh" not in parts and "shin" in parts:
            without = [name if row != parts["shin"] else "" for row, name in enumerate(names)]
            below = _limbs(without, PARTS, NO_LEG)[side]
            if "shin" in below:
                parts["thigh"], parts["shin"] = parts["shin"], below["shin"]
    found = _or_first(found, names, ("hip",), NO_LEG)
    return _or_numbered(found, names, ("leg",), NO_LEG)


def arms_of(names: Sequence[str]) -> dict[Side, dict[str, int]]:
    """Return rows of upper arm, forearm and hand for each side as ``thigh``, ``shin``, ``foot``."""
    found = _limbs(names, ARMS, OTHER_WORDS)
    found = _or_first(found, names, ("arm", "shoulder"), OTHER_WORDS)
    return _or_numbered(found, names, ("foreleg", "frontleg"), OTHER_WORDS)


def _or_first(
    found: dict[Side, dict[str, int]],
    names: Sequence[str],
    words: Sequence[str],
    others: Sequence[str],
) -> dict[Side, dict[str, int]]:
    """Return limbs; the first part of one that lacks it is a joint of the first of some words.

    A joint is called as the one that it turns about, or as the part that it moves.
    """
    for side, parts in found.items():
        if "thigh" in parts or "shin" not in parts:
            continue
        sided = [(row, *_side(name)) for row, name in enumerate(names)]
        rows = [
            row for each in words for row, own, word in sided
            if own == side and (word == each or (each in word and each != "arm"))
            and not any(other in word for other in others)
        ]  # fmt: skip
        if rows:
            found[side] = {"thigh": rows[0], **parts}
    return found


def _or_numbered(
    found: dict[Side, dict[str, int]],
    names: Sequence[str],
    words: Sequence[str],
    others: Sequence[str],
) -> dict[Side, dict[str, int]]:
    """Return limbs; one that lacks a part is that of three joints or more with one name, numbered.

    So is the hind leg of many animals: ``HindLeg_L_01`` to ``_04``, of which the last are the toes.
    Of more than four joints, those before are the shoulder's.
    """
    for side, parts in found.items():
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            own, word = _side(name)
            fits = any(each in word for each in words) and not any(o in word for o in others)
            if own == side and fits and re.search(r"\d", name):
                rows.setdefault(word, []).append(row)
        long = next((each for each in rows.values() if len(each) >= len(PARTS)), None)
        if long is not None and len(parts) < len(PARTS):
            found[side] = dict(zip(PARTS, long[-4:], strict=False))
    return found


def _limbs(
    names: Sequence[str], parts: Mapping[str, Sequence[str]], others: Sequence[str]
) -> dict[Side, dict[str, int]]:
    """Return the first joint of each part and side; none whose name has one of other words."""
    found: dict[Side, dict[str, int]] = {"left": {}, "right": {}}
    for row, name in enumerate(names):
        side, word = _side(name)
        if side is None or any(other in word for other in others):
            continue
        for part, words in parts.items():
            if any(each in word for each in words):
                found[side].setdefault(part, row)
                break
    return found


def clip_of(name: str) -> str | None:
    """Return what a clip is called here, such as ``walk``, by its name; None if unknown."""
    word = re.sub(r"[^a-z]", "", name.lower())
    for ours, words in CLIPS.items():
        if any(each in word for each in words):
            is_turn = ours.startswith("turn")
            return None if not is_turn and any(each in word for each in BACKWARD) else ours
    return None


def _side(name: str) -> tuple[Side | None, str]:
    """Return the side of a joint, and the rest of its name in small letters."""
    plain = re.sub(r"^(mixamorig\d*|armature|bip\d*|j_bip|def|org|valvebiped)[:_.\s-]*", "",
                   name, flags=re.IGNORECASE)  # fmt: skip
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain)
    words = [word for word in re.split(r"[^A-Za-z]+", spaced) if word]
    lower = [word.lower() for word in words]
    for side, marks in (("left", ("left", "l")), ("right", ("right", "r"))):
        if any(mark in lower for mark in marks):
            rest = "".join(word for word in lower if word not in marks)
            return ("left" if side == "left" else "right"), rest
    return None, "".join(lower)
