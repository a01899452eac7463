"""Every example runs, is short, and says what it is; those of one's own work in all three ways."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS
from rmp3d.models.vehicle import VEHICLES
from rmp3d.planner import SAMPLERS
from rmp3d.viewer.export import EXPORTERS

EXAMPLES = Path(__file__).parent.parent / "examples"
QUICK = {
    "quickstart": ["1"],
    "formations": ["1"],
    "compare_samplers": ["1"],
    "crowd": ["4", "1"],
}
"""What makes the longer ones short."""


@pytest.fixture
def registries_as_before():
    """Forget what other tests have loaded that is not ours, and then what an example registers."""
    registries = (EXPORTERS, FORMATIONS, GROUP_BEHAVIORS, SAMPLERS, VEHICLES)
    before = [dict(registry._classes) for registry in registries]
    for registry in registries:
        for name, known in list(registry._classes.items()):
            if not known.__module__.startswith("rmp3d."):
                del registry._classes[name]
    yield
    for registry, classes in zip(registries, before, strict=True):
        registry._classes.clear()
        registry._classes.update(classes)


@pytest.mark.slow
@pytest.mark.usefixtures("registries_as_before")
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_it_runs_headless_and_is_short(path, tmp_path, monkeypatch, capfd):
    limit = 40 if path.stem.startswith("own_") and path.stem != "own_scene" else 60
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < limit
    assert text.startswith('"""')
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path), *QUICK.get(path.stem, [])])
    runpy.run_path(str(path), run_name="__main__")
    printed, warned = capfd.readouterr()
    assert printed.strip()
    assert not warned.strip()


@pytest.mark.slow
def test_the_first_one_needs_nothing_that_other_tests_have_loaded(tmp_path):
    command = [sys.executable, str(EXAMPLES / "quickstart.py"), *QUICK["quickstart"]]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "quickstart.html").exists()
