"""Every example runs, is short, and says what it is; those of one's own work in all three ways."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
QUICK = {
    "quickstart": ["1"],
    "formations": ["1"],
    "compare_samplers": ["1"],
    "crowd": ["4", "1"],
}
"""What makes the longer ones short."""


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_it_runs_headless_and_is_short(path, tmp_path):
    limit = 40 if path.stem.startswith("own_") and path.stem != "own_scene" else 60
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < limit
    assert text.startswith('"""')
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    command = [sys.executable, str(path), *QUICK.get(path.stem, [])]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr.strip()
