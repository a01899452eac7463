"""Forms: what a dataclass or a structure has to fill in, read from the class itself.

Name, type, default, limits and help of every field come from its annotation and from the
``Attributes`` of the docstring, so a new behavior or sampler has its fields in the panel without
a list of them.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import msgspec

from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS
from rmp3d.behaviors.combining import COMBININGS
from rmp3d.behaviors.perception import PERCEPTIONS
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.geometry.registry import Registry
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.planners import PLANNERS
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.spaces import SPACES
from rmp3d.viewer.panel.named_fields import source_of

Kind = Literal[
    "bool", "int", "number", "text", "choice", "vector", "registry", "toml",
    "named", "place", "places", "several", "choices", "list", "tables",
]  # fmt: skip
NOTHING = object()
"""The default of a field that must be filled in."""
SHORT = 16
"""Most letters that fit into the field of a number."""


@dataclass(frozen=True)
class FormField:
    """One field of a form.

    Attributes:
        name: Key in the table.
        kind: What is filled in; ``registry`` is a name with the options of what it names,
            ``named`` one of the names of ``source`` that the scenario has, ``place`` a group, a
            region or a point, ``places`` several, ``several`` names of ``source``, ``choices``
            several of the registry ``source`` with the options of each, ``list`` and ``tables``
            several ``items``, ``toml`` anything else, as text.
        default: Value that the key has when it is left out.
        choices: Of ``choice`` and ``registry``.
        low: Least number.
        high: Largest number.
        optional: Whether it may be left empty.
        unit: Such as ``m/s``.
        help: What it means.
        is_key: Whether a scenario file has a key of this name.
        source: Of ``named`` and ``several``: what kind of name, as of `names_of`; of ``choices``
            one of `CHOICES`.
        items: Of ``list`` and ``tables``: the class that each item describes.
    """

    name: str
    kind: Kind
    default: Any = NOTHING
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False
    unit: str = ""
    help: str = ""
    is_key: bool = True
    source: str = ""
    items: type | None = None

    @property
    def label(self) -> str:
        """The name as people read it; the unit is said where the value is."""
        return self.name.removesuffix("_deg").replace("_", " ").capitalize()

    @property
    def zero(self) -> str:
        """What 0 means, if no quantity: what the help says after ``0:``, if short; else empty."""
        said = re.search(r"(?:^|[.;,] )0(?: takes|:) ((?:[^.;]|\.(?=\d))*)", self.help)
        if said is None or self.kind not in ("int", "number"):
            return ""
        return said.group(1) if len(said.group(1)) <= SHORT else "automatic"


CHOICES: Mapping[str, Registry] = {
    "steering behaviors": STEERING_BEHAVIORS,
    "formations": FORMATIONS,
}
"""Registries from which a field chooses several, by the field's source."""


def registries() -> Mapping[str, Registry]:
    """Return the registries by the name of the field that chooses from them."""
    known = (FORMATIONS, COMBININGS, PERCEPTIONS, LOCAL_PLANNERS, PLANNERS, SAMPLERS)
    found = {registry.kind.replace(" ", "_"): registry for registry in known}
    return {**found, "behavior": GROUP_BEHAVIORS, "combining": COMBININGS}


@cache
def fields_of(kind: type) -> tuple[FormField, ...]:
    """Return the form of a dataclass or `msgspec.Struct`."""
    helps = attribute_helps(kind)
    info: Any = msgspec.inspect.type_info(kind)
    return tuple(
        _named(kind, _field(entry, helps.get(entry.encode_name, ""))) for entry in info.fields
    )


def _named(kind: type, field: FormField) -> FormField:
    """Return a field of a class, as a choice if it names something of the scenario."""
    source = source_of(kind, field.name)
    if source is None:
        return field
    if source in CHOICES:
        return replace(field, kind="choices", source=source)
    if field.kind == "toml" and source in ("post", "detected"):
        return replace(field, kind="several", source=source)
    if source in ("place", "places"):
        return replace(field, kind=source)
    return replace(field, kind="named", source=source)


def attribute_helps(kind: type) -> dict[str, str]:
    """Return what the docstrings of a class and its bases say of each attribute."""
    helps: dict[str, str] = {}
    for each in reversed(inspect.getmro(kind)):
        text = inspect.cleandoc(each.__dict__.get("__doc__") or "")
        section = re.search(r"^Attributes:\n((?:[ \t]+.*\n?|\n)+)", text + "\n", re.MULTILINE)
        for name, said in re.findall(
            r"^    (\w+): (.*(?:\n {5,}.*)*)", section.group(1) if section else "", re.MULTILINE
        ):
            helps[name] = " ".join(said.split()).replace("``", "")
    return helps


def for_users(text: str) -> str:
    """Return a docstring's words without what is meant for those that write Python."""
    sentences = re.split(r"(?<=[.!?]) +(?=[A-Z])", text)
    said = " ".join(each for each in sentences if not each.startswith("In Python"))
    return said.replace("`", "")


def _field(entry: Any, text: str) -> FormField:
    name, kind, optional = entry.encode_name, entry.type, False
    if isinstance(kind, msgspec.inspect.UnionType):
        optional = any(isinstance(each, msgspec.inspect.NoneType) for each in kind.types)
        rest = [each for each in kind.types if not isinstance(each, msgspec.inspect.NoneType)]
        kind = rest[0] if len(rest) == 1 else kind
    unit = re.search(r"(?<!\[)\[([^\[\]]{1,12})\](?!\])", text)
    common = {
        "name": name,
        "default": _default(entry),
        "optional": optional,
        "unit": unit.group(1) if unit else "",
        "help": for_users(text),
    }
    known = SPACES if name == "space" else registries().get(name)  # spaces have no options
    if known is not None:
        default = common["default"]
        others = (default,) if isinstance(default, str) and default not in known else ()
        is_name = isinstance(kind, msgspec.inspect.StrType)
        choices = (*others, *known)  # `auto` is in no registry
        return FormField(kind="choice" if is_name else "registry", choices=choices, **common)
    return _plain(kind, common)


def _plain(kind: Any, common: dict[str, Any]) -> FormField:
    inspect_ = msgspec.inspect
    match kind:
        case inspect_.BoolType():
            return FormField(kind="bool", **common)
        case inspect_.IntType() | inspect_.FloatType():
            number: Kind = "int" if isinstance(kind, inspect_.IntType) else "number"
            low = kind.ge if kind.ge is not None else kind.gt
            high = kind.le if kind.le is not None else kind.lt
            return FormField(kind=number, low=low, high=high, **common)
        case inspect_.StrType():
            return FormField(kind="text", **common)
        case inspect_.LiteralType():
            return FormField(kind="choice", choices=tuple(map(str, kind.values)), **common)
        case inspect_.TupleType() if all(
            isinstance(item, inspect_.FloatType) for item in kind.item_types
        ):
            return FormField(kind="vector", **common)
        case inspect_.ListType() | inspect_.VarTupleType() if cls := _class_of(kind.item_type):
            return FormField(kind="list", items=cls, **common)
        case inspect_.DictType() if cls := _class_of(kind.value_type):
            return FormField(kind="tables", items=cls, **common)
    return FormField(kind="toml", **common)


def _class_of(info: Any) -> type | None:
    found: type | None = getattr(info, "cls", None)
    is_class = isinstance(info, msgspec.inspect.DataclassType | msgspec.inspect.StructType)
    return found if is_class else None


def _default(entry: Any) -> Any:
    factory: Callable[[], Any] | Any = entry.default_factory
    if factory is not msgspec.NODEFAULT:
        return factory()
    return NOTHING if entry.default is msgspec.NODEFAULT else entry.default
