"""Conditions over state variables, as text that is parsed and never executed.

``wolf.seen and (fear > 0.3 or wolf.distance < 6)``: numbers, names of state variables, the
comparisons ``< <= > >= == !=``, ``+ - * /``, ``and or not``, brackets, ``true`` and ``false``.
Python's parser reads the text; only these nodes of its tree are accepted, and they are evaluated
for all members at once.
"""

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name

Values: TypeAlias = Mapping[str, Float]
Evaluation: TypeAlias = Callable[[Values], Any]

LONGEST = 500
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
}
WORDS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class Condition:
    """A condition that has been read.

    Attributes:
        text: As given.
        names: State variables that it asks for.
    """

    text: str
    names: frozenset[str]
    _evaluate: Evaluation

    def holds(self, values: Values, count: int) -> Bool:
        """Return for which of ``count`` members it holds (n,).

        A number by itself holds where it is not zero, so ``wolf.seen`` is a condition. What is
        not a number (infinity less infinity) never holds.

        Args:
            values: (n,) of each state variable.
            count: n.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.broadcast_to(_truth(self._evaluate(values)), (count,))
        return found


def parse_condition(text: str, known: Collection[str], where: str) -> Condition:
    """Return the condition that a text states.

    Args:
        text: Such as ``fear > 0.5 and not wolf.seen``.
        known: Names of the state variables there are.
        where: The key it was given for; for messages.

    Raises:
        InputError: Not a condition, too long, or an unknown name.
    """
    if len(text) > LONGEST:
        raise InputError(f"{where}: longer than {LONGEST} characters; use a state variable more")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"{where}: `{text}` is not a condition; write, for example, `fear > 0.5 and wolf.seen`"
        ) from None
    reader = _Reader(text, known, where)
    evaluate = reader.read(tree)
    return Condition(text, frozenset(reader.names), evaluate)


class _Reader:
    """Turns the accepted nodes of a syntax tree into functions of the values."""

    def __init__(self, text: str, known: Collection[str], where: str) -> None:
        self._text, self._known, self._where = text, known, where
        self.names: set[str] = set()

    def read(self, node: ast.AST) -> Evaluation:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                constant = float(number)
                return lambda values: constant
            case ast.Name() | ast.Attribute() if name := _dotted(node):
                return self._variable(name)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                negated = self.read(inner)
                return lambda values: ~_truth(negated(values))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                turned = self.read(inner)
                return lambda values: -_number(turned(values))
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in ARITHMETIC:
                combine, a, b = ARITHMETIC[type(sign)], self.read(left), self.read(right)
                return lambda values: combine(_number(a(values)), _number(b(values)))
            case ast.BoolOp(op=word, values=parts):
                return _joined([self.read(part) for part in parts], isinstance(word, ast.And))
            case ast.Compare(left=left, ops=signs, comparators=others):
                return self._comparison([left, *others], signs)
        given = ast.get_source_segment(self._text.strip(), node) if hasattr(node, "lineno") else ""
        raise InputError(
            f"{self._where}: `{given or self._text}` cannot be in a condition; there are numbers, "
            "state variables, < <= > >= == !=, + - * /, and, or, not, and brackets"
        )

    def _variable(self, name: str) -> Evaluation:
        if name in WORDS:
            constant = WORDS[name]
            return lambda values: constant
        if name not in self._known:
            problem = unknown_name("state variable", name, list(self._known))
            raise InputError(f"{self._where}: {problem}")
        self.names.add(name)
        return lambda values: values[name]

    def _comparison(self, sides: list[ast.expr], signs: list[ast.cmpop]) -> Evaluation:
        for sign in signs:
            if type(sign) not in COMPARISONS:
                raise InputError(
                    f"{self._where}: `{self._text}`: of the comparisons there are "
                    "< <= > >= == and !="
                )
        read = [self.read(side) for side in sides]
        steps = [COMPARISONS[type(sign)] for sign in signs]

        def evaluate(values: Values) -> Any:
            found = [_number(side(values)) for side in read]
            return np.logical_and.reduce(
                np.broadcast_arrays(
                    *(step(a, b) for step, a, b in zip(steps, found, found[1:], strict=False))
                )
            )

        return evaluate


def _dotted(node: ast.AST) -> str:
    """Return the name that a node spells, such as ``wolf.seen``; empty if it spells none."""
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return node.id if isinstance(node, ast.Name) else ""


def _joined(parts: list[Evaluation], is_and: bool) -> Evaluation:
    join = np.logical_and if is_and else np.logical_or

    def evaluate(values: Values) -> Any:
        found = _truth(parts[0](values))
        for part in parts[1:]:
            found = join(found, _truth(part(values)))
        return found

    return evaluate


def _number(value: Any) -> Any:
    return np.asarray(value, np.float64)


def _truth(value: Any) -> Any:
    value = np.asarray(value)
    return value if value.dtype == np.bool_ else (value != 0.0) & ~np.isnan(value)
