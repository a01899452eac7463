"""A vehicle of a user's own, from one file: alone, in a mixed flock, and in a run."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from rmp3d import cli
from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles import VEHICLES, Motion, fly, move
from rmp3d.extensions import load_extension
from rmp3d.geometry.errors import InputError
from rmp3d.models import load_character
from rmp3d.models.loading import BUILTIN

FILE = Path(__file__).parents[3] / "examples" / "own_vehicle.py"


def test_a_mixed_flock_moves_each_by_its_own_vehicle():
    load_extension(FILE)
    bodies = Bodies.alike(4, vehicle=["flying", "hovering", "flying", "hovering"])
    flock = Flock.at_rest(bodies, np.arange(12.0).reshape(4, 3))
    velocity = np.tile([0.0, 1.0, 0.0], (4, 1))
    moved = move(flock, Motion(velocity, 0.1, SteeringOutput.of(np.zeros((4, 3)))))
    np.testing.assert_array_equal(moved.position, flock.position + 0.1 * velocity)
    np.testing.assert_array_equal(moved.heading[[0, 2]], fly(flock, velocity, 0.1).heading[[0, 2]])
    np.testing.assert_allclose(moved.heading[1], [np.cos(0.2), np.sin(0.2), 0.0])


def test_every_vehicle_says_where_it_moves_and_what_it_is():
    for name in VEHICLES:
        vehicle = VEHICLES[name]
        assert isinstance(vehicle.grounded, bool)
        assert vehicle.space in ("ground", "translation", "rigid")
        assert VEHICLES.summary(name)


@pytest.fixture
def saucer(tmp_path):
    for path in BUILTIN.glob("drone*"):
        shutil.copy(path, tmp_path)
    text = (tmp_path / "drone.toml").read_text().replace('"flying"', '"hovering"')
    (tmp_path / "saucer.toml").write_text(text)
    return tmp_path / "saucer.toml"


def test_a_character_of_an_unknown_vehicle_is_refused_with_what_to_do(saucer):
    saucer.write_text(saucer.read_text().replace("hovering", "hoovering"))
    with pytest.raises(InputError, match=re.escape("`vehicle.kind`: no vehicle named `hoovering`")):
        load_character(saucer)
    with pytest.raises(InputError, match=re.escape("--with FILE.py")):
        load_character(saucer)


@pytest.mark.slow
def test_a_run_of_it_is_planned_recorded_and_verified(saucer, tmp_path, capfd):
    run = str(tmp_path / "run.rmp3d")
    words = ["--set", f"groups.0.character={saucer}", "--duration", "4", "-o", run, "-q", "--json"]
    assert cli.main(["run", "sky", "--with", str(FILE), *words]) == 0
    capfd.readouterr()
    assert cli.main(["verify", run, "--with", str(FILE), "--json"]) in (0, 1)
    assert json.loads(capfd.readouterr().out)["checked"]["states"] > 0
