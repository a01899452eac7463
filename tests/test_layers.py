"""The packages import one way only, and their public faces are what they say."""

import ast
import importlib
from pathlib import Path

import networkx as nx
import pytest

ORDER = ["geometry", "scenes", "models", "planner", "behaviors", "viewer", "rmp3d"]
ROOT = Path(__file__).parent.parent
MODULES = sorted(path for package in ORDER for path in (ROOT / package).rglob("*.py"))


def dotted(path):
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts if parts[0] == "rmp3d" else ("rmp3d", *parts))
    return name.removesuffix(".__init__")


def package_of(name):
    """The package that a dotted name lies in, or the name's first part if it is not ours."""
    parts = name.split(".")
    if parts[0] == "rmp3d" and len(parts) > 1 and parts[1] in ORDER:
        return parts[1]
    return parts[0]


def imported(path):
    """Top-level names and full module names that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    own = ORDER.index(path.relative_to(ROOT).parts[0])
    later = set(ORDER[own + 1 :])
    wrong = {name for name in imported(path) if package_of(name) in later}
    assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}, which lies above it"


def test_no_module_imports_itself_by_way_of_others():
    names = {dotted(path): path for path in MODULES}
    graph = nx.DiGraph()
    for name, path in names.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:  # not those inside functions
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    graph.add_edge(name, full if full in names else node.module)
    cycles = [sorted(found) for found in nx.strongly_connected_components(graph) if len(found) > 1]
    assert not cycles


def test_verification_shares_no_code_with_planner_and_behaviors():
    for path in (ROOT / "rmp3d" / "verification").rglob("*.py"):
        wrong = {n for n in imported(path) if package_of(n) in {"planner", "behaviors"}}
        wrong |= {n for n in imported(path) if n.startswith("rmp3d.simulation")}
        assert not wrong, f"{path.name} imports {sorted(wrong)}"


@pytest.mark.parametrize("package", ORDER)
def test_public_names_are_sorted_and_resolve(package):
    module = importlib.import_module("rmp3d" if package == "rmp3d" else f"rmp3d.{package}")
    assert module.__doc__
    names = getattr(module, "__all__", [])
    # As ruff sorts them: constants, then classes, then functions.
    constants = [name for name in names if name.isupper()]
    classes = [name for name in names if name[0].isupper() and not name.isupper()]
    assert names == sorted(constants) + sorted(classes) + sorted(n for n in names if n[0].islower())
    for name in names:
        assert hasattr(module, name), f"{package}.{name}"


def test_no_module_is_longer_than_400_lines():
    long = {p: n for p in MODULES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400}
    assert not long
