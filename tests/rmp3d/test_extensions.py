import pytest

from rmp3d import cli
from rmp3d.behaviors import FORMATIONS

TRIANGLE = '''"""A formation of one's own."""
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS


@FORMATIONS.register("stairs")
class Stairs:
    """Each one to the left of the one before."""

    def slots(self, count, spacing):
        return spacing * np.outer(np.arange(count), [1.0, 1.0, 0.0])
'''


@pytest.fixture(autouse=True)
def registry_as_before():
    before = dict(FORMATIONS._classes)
    yield
    FORMATIONS._classes.clear()
    FORMATIONS._classes.update(before)


def test_what_a_file_registers_is_known(tmp_path, capfd):
    path = tmp_path / "mine.py"
    path.write_text(TRIANGLE)
    assert cli.main(["formations", "--with", str(path)]) == 0
    assert "Each one to the left of the one before." in capfd.readouterr().out
    assert cli.main(["formations", "--with", str(path), "--with", str(path)]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such Python file"),
        ("import numpy\nx = 1 +\n", "line 2: SyntaxError"),
        ("x = 1\n\n1 / 0\n", "line 3: ZeroDivisionError"),
        (TRIANGLE.replace("stairs", "line"), "two classes are registered as formation 'line'"),
        (
            "from rmp3d.geometry.errors import InputError\nraise InputError('not so')\n",
            "line 2: not so",
        ),
        ("x = 1\0\n", "mine.py: SyntaxError: source code"),
        ("raise SystemExit(7)\n", "line 1: it ends the program"),
        ("raise BaseException('odd')\n", "line 1: BaseException: odd"),
        (
            "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd\n",
            "line 3: Odd: (its text cannot be made)",
        ),
    ],
)
def test_a_file_that_fails_is_named_with_the_line(tmp_path, capfd, text, said):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    assert cli.main(["formations", "--with", str(path)]) == 2
    error = capfd.readouterr().err
    assert str(path) in error
    assert said in error
    assert "Traceback" not in error
