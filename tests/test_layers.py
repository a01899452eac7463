"""The packages import one way only, no circles, and every name of a class is there once.

Each file is parsed with `ast`, so imports inside functions and under `TYPE_CHECKING` count too.
A circle among files, or among the files and folders that lie in one folder, means that neither
can be understood without the other.
"""

import ast
import importlib
import importlib.util
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ORDER = ["geometry", "scenes", "models", "planner", "behaviors", "viewer", "rmp3d"]
ROOT = Path(__file__).parent.parent
MODULES = sorted(path for package in ORDER for path in (ROOT / package).rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60


def dotted(path):
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts if parts[0] == "rmp3d" else ("rmp3d", *parts))
    return name.removesuffix(".__init__")


NAMES = {dotted(path): path for path in MODULES}


def package_of(name):
    """The package that a dotted name lies in, or the name's first part if it is not ours."""
    parts = name.split(".")
    if parts[0] == "rmp3d" and len(parts) > 1 and parts[1] in ORDER:
        return parts[1]
    return parts[0]


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path):
    """Full names of the modules that a file imports, wherever in it, under any condition."""
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")
                above = above[: len(above) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            modules = {f"{base}.{alias.name}" for alias in node.names} & NAMES.keys()
            # `from package import module, name` asks the package for `name` only.
            names = {alias.name for alias in node.names if f"{base}.{alias.name}" not in NAMES}
            found |= modules | ({base} if names else set())
        elif isinstance(node, ast.Call):
            found |= imported_by_call(node, package)
    return found


def imported_by_call(node, package):
    """Names that `import_module("...")` or `__import__("...")` imports, if they are plain text."""
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called not in ("import_module", "__import__") or not node.args:
        return set()
    name = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
    return {importlib.util.resolve_name(name, package)} if name else set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    own = ORDER.index(path.relative_to(ROOT).parts[0])
    later = set(ORDER[own + 1 :])
    wrong = {name for name in imported(path) if package_of(name) in later}
    assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}, which lies above it"


def circles(graph):
    """The circles of a graph: each as its nodes, in order of name, with arrows between them."""
    parts = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    return [" <-> ".join(part) for part in parts]


def test_no_file_imports_itself_by_way_of_others():
    graph = nx.DiGraph()
    for name, path in NAMES.items():
        graph.add_edges_from((name, other) for other in imported(path) if other in NAMES)
    graph.remove_edges_from([(name, name) for name in graph])
    assert not circles(graph)


def children_graph(folder):
    """Which of a folder's files and folders import which, and by which files each does so.

    The folder's own `__init__` is its face: it imports the children, and what a child asks of it
    is counted by `test_no_file_imports_itself_by_way_of_others`.
    """
    own = dotted(folder / "__init__.py") + "."
    linked = set(ORDER) if folder == ROOT / "rmp3d" else set()  # rmp3d/planner is ../planner
    graph = nx.DiGraph()
    for path in MODULES:
        if not path.is_relative_to(folder) or path == folder / "__init__.py":
            continue
        child = path.relative_to(folder).parts[0].removesuffix(".py")
        for name in imported(path):
            other = name.removeprefix(own).split(".")[0]
            if name.startswith(own) and other not in linked and other != child:
                by = graph.edges.get((child, other), {}).get("by", set())
                graph.add_edge(child, other, by=by | {f"{path.name} -> {name}"})
    return graph


def test_no_folder_has_circles_among_what_lies_in_it():
    found, told = [], []
    for folder in FOLDERS:
        graph = children_graph(folder)
        for part in nx.strongly_connected_components(graph):
            if len(part) > 1:
                inner = graph.subgraph(part)
                found.append(" <-> ".join(str(folder.relative_to(ROOT) / c) for c in sorted(part)))
                told += [f"{a} -> {b}: {sorted(by)}" for a, b, by in inner.edges.data("by")]
    assert not found, "\n".join(told)


def test_no_class_name_is_there_twice():
    places = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert not twice


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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_every_package_says_what_it_is(folder):
    face = folder / "__init__.py"
    assert face.exists(), f"{folder.relative_to(ROOT)} has no __init__.py"
    assert ast.get_docstring(tree_of(face)), f"{folder.relative_to(ROOT)} has no docstring"


def test_no_module_is_longer_than_400_lines():
    counts = {str(p.relative_to(ROOT)): len(p.read_text("utf-8").splitlines()) for p in MODULES}
    assert not {path: count for path, count in counts.items() if count > LONGEST_MODULE}


def test_no_function_is_longer_than_60_lines():
    found = {}
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    found[f"{path.relative_to(ROOT)}: {node.name}"] = lines
    assert not found
