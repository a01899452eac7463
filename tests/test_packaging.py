"""What is installed is one package, whole, and every module of it has one name."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from rmp3d import kernels
from rmp3d.planner import Problem

ROOT = Path(__file__).parent.parent
FOLDERS = ["geometry", "scenes", "models", "planner", "behaviors", "viewer"]
CODE = [*FOLDERS, "rmp3d", "benchmarks", "examples", "tests", "docs", "scripts"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA = {".toml", ".glb", ".vert", ".frag", ".glsl", ".html", ".js", ".typed"}


def run(*command, folder, **variables):
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def not_source(folder, names):
    """What a copy of the checkout goes without: caches, environments, results."""
    unwanted = {"out", "build", "dist", "site"} if Path(folder) == ROOT else set()
    return {
        n for n in names if n in unwanted or n[0] == "." or n.endswith((".egg-info", "cache__"))
    }


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The source archive of a copy of the checkout, and the wheel that is built from it alone."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("packaging")
    shutil.copytree(ROOT, folder / "checkout", symlinks=True, ignore=not_source)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "archives"]
    run(*command, folder / "checkout", folder=folder, RMP3D_KERNELS="0")
    (sdist,) = (folder / "archives").glob("*.tar.gz")
    (wheel,) = (folder / "archives").glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def installed(archives, tmp_path_factory):
    """The Python of an environment that has the wheel and what it needs, but not the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    places = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder="/")
    # The libraries of the environment that runs this test. A folder that a `.pth` file names is
    # searched, but its own `.pth` files are not read, so the editable `rmp3d` is not found.
    libraries = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (Path(places.strip()) / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    wheel = archives[1]
    run(
        *pip,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--ignore-installed",
        wheel,
        folder="/",
    )
    take_kernels(Path(places.strip()) / "rmp3d")
    return python


def take_kernels(package):
    """Copy what numba has compiled in the checkout: it serves the same sources elsewhere."""
    for folder in [*FOLDERS, "rmp3d"]:
        for kernel in (ROOT / folder).rglob("__pycache__/*.nb[ci]"):
            place = kernel.relative_to(ROOT / ("rmp3d" if folder == "rmp3d" else ""))
            (package / place).parent.mkdir(exist_ok=True)
            shutil.copy(kernel, package / place)


@pytest.mark.slow
def test_the_wheel_holds_one_package_and_nothing_of_the_checkout_but_it(archives):
    names = zipfile.ZipFile(archives[1]).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"rmp3d"}
    assert not [name for name in names if re.search(r"(^|/)(tests|benchmarks|docs)/|/test_", name)]


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_every_data_file_once(archives):
    names = set(zipfile.ZipFile(archives[1]).namelist())
    expected = set()
    for folder in [*FOLDERS, "rmp3d"]:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in DATA | {".py"}:
                place = path.relative_to(ROOT)
                expected.add(str(place if folder == "rmp3d" else "rmp3d" / place))
    assert {name for name in names if name.startswith("rmp3d/")} == expected
    assert "rmp3d/py.typed" in names


@pytest.mark.slow
def test_the_source_archive_holds_files_not_links(archives):
    with tarfile.open(archives[0]) as archive:
        assert not [each.name for each in archive if each.issym()]
        assert any(each.name.endswith("rmp3d/planner/__init__.py") for each in archive)


@pytest.mark.slow
def test_what_is_installed_plans_far_from_the_checkout(installed, tmp_path):
    place = run(installed, "-c", "import rmp3d; print(rmp3d.__file__)", folder=tmp_path)
    assert Path(place.strip()).is_relative_to(installed.parent.parent)
    # Not the whole demo: kernels may be compiled anew here. tests/rmp3d/test_cli.py runs it.
    said = run(
        installed.parent / "rmp3d", "plan", "parking", "--picture", "map.png", folder=tmp_path
    )
    assert "certified" in said
    assert (tmp_path / "map.png").stat().st_size > 0


EVERYTHING = """
import importlib, os, pkgutil, sys, pyglet
import rmp3d
pyglet.options["headless"] = True
for module in pkgutil.walk_packages(rmp3d.__path__, "rmp3d."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
files = {}
for name, module in sorted(sys.modules.items()):
    file = getattr(module, "__file__", None)
    inside = file and os.path.realpath(file).startswith(os.getcwd() + os.sep)
    if inside and "site-packages" not in file:
        files.setdefault(os.path.realpath(file), []).append(name)
assert sum(name.startswith("rmp3d.") for name in sys.modules) > 400
print([names for names in files.values() if len(names) > 1])
"""


def test_no_module_is_loaded_under_two_names():
    # From the checkout's root, where `import planner` would be possible.
    assert run(sys.executable, "-W", "ignore", "-c", EVERYTHING, folder=ROOT).strip() == "[]"


def test_no_file_imports_a_folder_of_the_checkout_without_the_package():
    wrong = []
    for path in (path for folder in CODE for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            if any(name.split(".")[0] in FOLDERS for name in names):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong


def test_a_module_under_a_second_name_is_refused_by_its_registry():
    code = "import rmp3d.planner, planner.sampling.halton"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "two classes are registered" in done.stderr


def test_the_links_of_the_package_lead_to_the_folders():
    for folder in FOLDERS:
        assert (ROOT / "rmp3d" / folder).resolve() == ROOT / folder


def test_every_dependency_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = PROJECT["project"]["optional-dependencies"]
    for requirement in [
        *PROJECT["project"]["dependencies"],
        *(r for e in extras.values() for r in e),
    ]:
        if not requirement.startswith("rmp3d["):
            lines = [row for row in text.splitlines() if f'"{requirement}"' in row]
            assert any(re.search(r"# \w.{8,}", line) for line in lines), f"why {requirement}?"


def test_the_version_is_said_once():
    said = PROJECT["project"]["version"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", cited, re.MULTILINE).group(1) == said


@pytest.mark.parametrize(("variable", "needs_all"), [(None, True), ("0", False), ("1", True)])
def test_building_a_wheel_needs_what_running_needs_if_it_compiles_kernels(
    monkeypatch, variable, needs_all
):
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT / PROJECT["build-system"]["backend-path"][0]))
    monkeypatch.delenv("RMP3D_KERNELS", raising=False)
    if variable is not None:
        monkeypatch.setenv("RMP3D_KERNELS", variable)
    backend = importlib.import_module(PROJECT["build-system"]["build-backend"])
    monkeypatch.setattr(backend.build_meta, "get_requires_for_build_wheel", lambda _: ["more"])
    needed = backend.get_requires_for_build_wheel()
    assert needed == ["more", *(PROJECT["project"]["dependencies"] if needs_all else [])]


def test_the_problem_that_compiles_kernels_is_one(tmp_path):
    kernels.write_problem(tmp_path)
    problem = Problem.load(tmp_path / "window.cfg")
    assert problem.start is not None
