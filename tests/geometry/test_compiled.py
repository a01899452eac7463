"""What is compiled is kept on disk until a source changes, its callees' too."""

import os
import subprocess
import sys

CALLEE = """
from rmp3d.geometry.compiled import compiled

@compiled
def height(x):
    return {term}
"""
BETWEEN = """
from rmp3d.geometry.compiled import compiled
from callee import height

@compiled
def twice(x):
    return 2.0 * height(x)
"""
CALLER = """
from rmp3d.geometry.compiled import compiled
from between import twice

@compiled
def answer(x):
    return twice(x)

print(answer(1.0), sum(answer.stats.cache_hits.values()))
"""


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path):
    def run(term):
        (tmp_path / "callee.py").write_text(CALLEE.format(term=term))
        return run_again()

    def run_again():
        command = [sys.executable, "-c", "import caller"]
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | cache, capture_output=True, text=True
        )
        return done.stdout.split()

    (tmp_path / "between.py").write_text(BETWEEN)
    (tmp_path / "caller.py").write_text(CALLER)
    assert run("x + 1.0") == ["4.0", "0"]
    assert run("x + 10.0") == ["22.0", "0"]
    assert run_again() == ["22.0", "1"]
