"""The pages of the Python API: which objects are on which page; docstrings say the rest.

A package's page has the names of its ``__all__``; every registry has a page of what is registered.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType

import rmp3d
from rmp3d.geometry.registry import Registry

PACKAGES = (
    "rmp3d",
    "rmp3d.simulation",
    "rmp3d.scenario",
    "rmp3d.recording",
    "rmp3d.verification",
    "rmp3d.geometry",
    "rmp3d.scenes",
    "rmp3d.models",
    "rmp3d.planner",
    "rmp3d.behaviors",
    "rmp3d.viewer",
)
LISTED = ("rmp3d.planner", "rmp3d.behaviors", "rmp3d.viewer")
"""Packages in which every registry has a page."""

INTRODUCTION = """\
# Python API

```python
import rmp3d as rp
```

These pages are made from the docstrings. Start with [rmp3d](rmp3d.md), the front door; the other
packages are for those who build on one part alone. Coordinates are right-handed with z up, units
are SI, and quaternions are scalar first.
"""


def pages() -> Mapping[str, str]:
    """Return the pages as Markdown by file name."""
    shown: dict[object, str] = {}
    lists = {}
    for registry in registries():
        file = f"{_plural(registry.kind).replace(' ', '-')}.md"
        lists[file] = _registry_page(registry, file, shown)
    modules = [importlib.import_module(name) for name in PACKAGES]
    made = {f"{m.__name__}.md": _package_page(m, f"{m.__name__}.md", shown) for m in modules}
    index = [INTRODUCTION, "| package | what it is |", "|---|---|"]
    index += [f"| [`{m.__name__}`]({m.__name__}.md) | {_summary(m)} |" for m in modules]
    index += ["", "What can be chosen by name, and extended with one file of your own:", ""]
    index += [f"- [{_heading(text)}]({file})" for file, text in lists.items()]
    return {"index.md": "\n".join(index) + "\n", **made, **lists}


def registries() -> list[Registry]:
    """Return every registry of the packages, by kind."""
    for package in LISTED:
        path = importlib.import_module(package).__path__
        for module in pkgutil.walk_packages(path, f"{package}."):
            if module.ispkg and "panel" not in module.name:
                importlib.import_module(module.name)
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(LISTED):
            for value in vars(module).values():
                if isinstance(value, Registry) and len(value):
                    found[value.kind] = value
    return [found[kind] for kind in sorted(found)]


def _package_page(module: ModuleType, file: str, shown: dict[object, str]) -> str:
    lines = [f"# {module.__name__}", "", inspect.getdoc(module) or "", ""]
    names = [name for name in getattr(module, "__all__", ()) if not name.startswith("_")]
    lines += _objects((getattr(module, name) for name in names), file, shown)
    return "\n".join(lines) + "\n"


def _registry_page(registry: Registry, file: str, shown: dict[object, str]) -> str:
    title = _plural(registry.kind).capitalize()
    lines = [f"# {title}", "", "| name | what it is |", "|---|---|"]
    for name in registry:
        summary = registry.summary(name).replace("|", "\\|").replace("``", "`")
        lines.append(f"| [`{name}`](#{registry[name].__name__.lower()}) | {summary} |")
    lines += ["", *_objects((registry[name] for name in registry), file, shown)]
    return "\n".join(lines) + "\n"


def _objects(objects: Iterable[object], file: str, shown: dict[object, str]) -> list[str]:
    """Return the lines that show classes and functions of ours.

    Each is shown on one page only; the other pages link to it there.
    """
    lines, elsewhere = [], []
    for thing in dict.fromkeys(o for o in objects if inspect.isclass(o) or inspect.isroutine(o)):
        if not thing.__module__.startswith(rmp3d.__name__):
            continue
        page = shown.setdefault(thing, file)
        if page == file:
            kind = "class" if inspect.isclass(thing) else "function"
            name = f"{thing.__module__}.{thing.__qualname__}"
            lines += [f"## {thing.__name__}", ""]
            lines += ["```{eval-rst}", f".. auto{kind}:: {name}", "```", ""]
        else:
            elsewhere.append(f"[`{thing.__name__}`]({page}#{thing.__name__.lower()})")
    return [f"On pages of their own: {', '.join(elsewhere)}.", "", *lines] if elsewhere else lines


def _summary(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").split("\n")[0]


def _plural(kind: str) -> str:
    return kind if kind.endswith("s") else f"{kind}s"


def _heading(text: str) -> str:
    return text.split("\n")[0].removeprefix("# ")
