"""A mistake in a class of one's own: the user is told which class, what it gave, and where."""

from types import SimpleNamespace

import numpy as np
import pytest

import rmp3d as rp
from rmp3d import cli
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.formations import slots_of
from rmp3d.behaviors.groups.intent import Intent, intended
from rmp3d.behaviors.steering_behavior import Surroundings, steer
from rmp3d.planner import SAMPLERS
from rmp3d.planner.sampling.sampler import attempted

FAULTY = """
from dataclasses import dataclass

from rmp3d.planner import SAMPLERS


@SAMPLERS.register("faulty")
@dataclass(frozen=True)
class Faulty:
    def attempt(self, space, count, first, rng):
        return WRONG
"""


class Giver:
    """Gives the same from every method."""

    def __init__(self, value):
        self.slots = self.step = self.steering_force = self.attempt = lambda *given: value


@pytest.fixture
def flock():
    return Flock.at_rest([rp.models.load_character("drone")] * 3, np.arange(9.0).reshape(3, 3))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, "it returned None"),
        ("x" * 99, "it returned 'xxxxx"),
        ([[1.0, 2.0]] * 3, r"it returned an array of shape \(3, 2\)"),
        (np.zeros(3), r"it returned an array of shape \(3,\)"),
        (np.full((3, 3), np.nan), "it returned one with values that are not finite"),
        (np.full((3, 3), np.inf), "it returned one with values that are not finite"),
        ([[1.0], [1.0, 2.0]], r"it returned \[\[1.0\], \[1.0, 2.0\]\]"),
    ],
)
def test_a_wrong_array_is_named(value, found, flock):
    giver, space = Giver(value), SimpleNamespace(width=3)
    with pytest.raises(rp.InputError, match=rf"`Giver.slots` must .* shape \(3, 3\), {found}"):
        slots_of(giver, 3, 1.0)
    with pytest.raises(rp.InputError, match=rf"`Giver.steering_force` must .*, {found}"):
        steer(giver, flock, Surroundings.of(flock))
    with pytest.raises(rp.InputError, match=rf"`Giver.attempt` must .* \(any, 3\), {found}"):
        attempted(giver, space, 9, 0, np.random.default_rng(0))


def test_an_intent_has_a_subgoal_for_each_member(flock):
    right = Intent.towards(flock, flock.position)
    assert intended(Giver(right), flock, 0.0) is right
    with pytest.raises(rp.InputError, match=r"`Giver.step` must return an Intent, it returned N"):
        intended(Giver(None), flock, 0.0)
    wrong = Intent.towards(flock, np.full((3, 3), np.nan))
    with pytest.raises(rp.InputError, match=r"`Giver.step\(\).subgoal` must"):
        intended(Giver(wrong), flock, 0.0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{}['x']", "line 11, in `attempt`: KeyError: 'x'\nthis is in your file"),
        ("space.nothing", "line 11, in `attempt`: AttributeError"),
        ("space.is_free([[1]])", "line 11, in `attempt`: "),  # it fails further in
        ("None", "`Faulty.attempt` must return an array"),
    ],
)
def test_the_command_line_says_where_a_users_file_fails(tmp_path, capfd, wrong, said):
    path = tmp_path / "mine.py"
    path.write_text(FAULTY.replace("WRONG", wrong))
    before = dict(SAMPLERS._classes)
    try:
        plan = ["plan", "plain", "--behavior", "self_guided", "--set", "groups.0.goal=east"]
        plan += ["--set", "planner.sampler=faulty", "--with", str(path)]
        assert cli.main(plan) == 2
    finally:
        SAMPLERS._classes.clear()
        SAMPLERS._classes.update(before)
    error = capfd.readouterr().err
    assert said in error
    assert "bug of rmp3d" not in error
    assert "Traceback" not in error
