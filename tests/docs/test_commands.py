"""Every command in the documentation runs, in a folder with the example files."""

import gc
import re
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS
from rmp3d.cli import main
from rmp3d.studies import FIGURES

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [str(page.relative_to(DOCS)) for page in sorted(DOCS.rglob("*.md"))]
# Its scenarios are run, and looked at closely, by tests/rmp3d/test_steering_scenarios.py.
PAGES.remove("reference/steering-gallery.md")
# Pages whose blocks of Python read what their commands have written.
PYTHON_RUNS = {"how-to/exports.md", "how-to/figures.md", "how-to/watch-a-plan.md"}
# A run whose recording is not verified ends early: that it ends well in whole is tested where its
# scenario and its behavior are (tests/rmp3d/test_simulation.py and others).
SHORT = 2  # s, simulated; or what the page looks at
LOOKED_AT = 6  # s, simulated, where blocks of Python read the recording
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page, kind):
    text = (DOCS / page).read_text(encoding="utf-8")
    return [body for language, body in BLOCK.findall(text) if language == kind]


def commands(page):
    """Yield each line that starts with ``rmp3d`` as arguments and the exit code it promises."""
    for line in "".join(blocks(page, "sh")).splitlines():
        assert line.startswith("rmp3d "), f"{page}: only commands of rmp3d are run, not `{line}`"
        promised = re.search(r"# exit code (\d+)$", line)
        yield shlex.split(line, comments=True)[1:], int(promised.group(1)) if promised else 0


@pytest.fixture(autouse=True)
def registries_as_before():
    """Forget what the files of a page register."""
    registries = (GROUP_BEHAVIORS, FORMATIONS, STEERING_BEHAVIORS, FIGURES)
    before = [dict(registry._classes) for registry in registries]
    yield
    for registry, classes in zip(registries, before, strict=True):
        registry._classes.clear()
        registry._classes.update(classes)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for example in (DOCS / "examples").iterdir():
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files(page, folder):
    """Write the blocks that begin with the name of a file as a comment."""
    for body in blocks(page, "toml") + blocks(page, "python"):
        name = re.match(r"# (\w+\.(?:toml|py))\n", body)
        if name:
            (folder / name.group(1)).write_text(body, encoding="utf-8")


def after(arguments, option):
    """Return the word after an option, None if it is not given."""
    return arguments[arguments.index(option) + 1] if option in arguments else None


def longest(page):
    """Return how long runs of the page last whose recordings are not verified [s, simulated]."""
    looked = [after(words, option) for words, _ in commands(page) for option in ("--time", "--end")]
    least = LOOKED_AT if page in PYTHON_RUNS else SHORT
    return max([least, *(float(time) for time in looked if time)])


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if list(commands(page))])
def test_every_command_of_a_page_runs(page, folder, capsys):
    write_files(page, folder)
    verified = {words[1] for words, _ in commands(page) if words[0] == "verify"}
    for arguments, promised in commands(page):
        cut = arguments[0] == "run" and promised == 0 and after(arguments, "-o") not in verified
        more = ("--duration", f"{longest(page)}") if cut else ()
        if arguments[0] == "study" and "--dry-run" not in arguments:
            more = ("--processes", "1")  # several at a time: tests/rmp3d/studies/
        code = main([*arguments, *more])
        written, said = capsys.readouterr()
        if cut and code == 1 and "recording: " in written:
            code = 0  # nobody arrives so early
        if code != promised and ("OpenGL" in said or "is not installed" in said):
            continue  # cannot draw, or an optional library is missing; the page says which need it
        assert code == promised, f"rmp3d {shlex.join(arguments)}: {said}"
        if "-o" in arguments:
            assert (folder / arguments[arguments.index("-o") + 1]).exists()
        if arguments[0] == "export":
            files = [word for word in arguments[2:] if re.fullmatch(r"[a-z]+\.[a-z]+\d?", word)]
            assert files
            assert all((folder / name).exists() for name in files)
    for body in blocks(page, "python") if page in PYTHON_RUNS else ():
        if "pyarrow" not in body or find_spec("pyarrow"):
            exec(compile(body, page, "exec"), {})
            gc.collect()  # a file that the page leaves open is named here, not in a later test


def test_every_example_is_mentioned():
    examples = list((DOCS / "examples").iterdir())
    texts = [page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")]
    # An example may be there for another one, which names it.
    kinds = {".cfg", ".env", ".robot", ".obj", ".toml"}
    texts += [file.read_text(encoding="utf-8") for file in examples if file.suffix in kinds]
    for example in examples:
        assert example.name in "".join(texts)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["how-to/problems.md", "tutorials/from-python.md", "../README.md"])
def test_the_python_of_a_page_runs(page, folder, capsys):
    exec(compile("\n".join(blocks(page, "python")), page, "exec"), {})
    assert capsys.readouterr().out
