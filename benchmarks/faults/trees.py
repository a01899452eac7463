"""Changes to trees of tables and lists: TOML, JSON and what is made of them."""

import json
import random
from copy import deepcopy
from typing import Any

VALUES: list[Any] = [
    0, -1, 1, 2, 1e308, -1e308, 1e-300, 1e-320, float("nan"), float("inf"), -float("inf"),
    2**31, 2**63, 2**64, 10**400, -(2**63) - 1, True, False, "", " ", "x" * 2000, "\x00", "é\u2028",
    "../../etc/passwd", "/dev/zero", "/dev/null", "/", ".", "\x1b[2J", "=1+1", "nan", "None", [],
    [[]], [0], [0, 0], [0.0, 0.0, 0.0], [[0, 0]], [[0.0, 0.0, 0.0]], [[1e308, 1e308, 1e308]] * 2,
    [1, 2, 3, 4], ["a"], [None], {}, {"name": "x"}, {"name": 5}, {"name": "uniform", "x": 1},
    {"name": "mixture"}, {"a": {"b": {"c": 1}}}, [{}], [{"name": "linear"}] * 3, "uniform",
    "mixture", "self_guided", "goal_search", "steering", "acting", "herding", "carried",
    {"name": "steering", "behaviors": []}, {"name": "steering", "behaviors": [5]},
    {"name": "path_following", "points": [[0, 0]]}, {"name": "goal_search", "cell": 1e-9},
    {"name": "narrow_passages", "formations": ["line", 3]}, [1e9, 1e9, 1e9], [5.0, "x", 2.0],
]  # fmt: skip


def _places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every value of a tree of tables and lists."""
    found = [path] if path else []
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            found += _places(value, (*path, key))
    return found


def change_tree(tree: Any, rng: random.Random) -> str:
    """Replace, drop, rename or double a value somewhere in a tree of tables and lists."""
    place = rng.choice(_places(tree))
    holder = tree
    for key in place[:-1]:
        holder = holder[key]
    key, way = place[-1], rng.choice(["value"] * 5 + ["drop", "rename", "move", "wrap"])
    if way == "value":
        holder[key] = value = deepcopy(rng.choice(VALUES))
        return f"{place} = {value!r:.80}"
    if way == "drop":
        del holder[key]
    elif way == "wrap":
        holder[key] = rng.choice([[holder[key]], {"name": holder[key]}, [holder[key]] * 300])
    elif way == "rename" and isinstance(holder, dict):
        holder[rng.choice(["", "x" * 300, "\x00", "é", "name", "mesh"])] = holder.pop(key)
    else:
        tree_place = rng.choice(_places(tree))
        other = tree
        for step in tree_place:
            other = other[step]
        holder[key] = json.loads(json.dumps(other, default=str))
    return f"{way} {place}"
