"""A passage a little wider than a body is passed by all; a little narrower, it is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
import trimesh

from rmp3d import cli
from rmp3d.models import load_character
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.roadmap.failures import BlockedError
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import plan_groups, simulate
from rmp3d.verification import verify

BODY = 2.0 * load_character("pedestrian").body.radius
TEXT = """
[scene]
mesh = ["floor.ply", "walls.ply"]
roles = {{ "floor*" = "ground" }}
bounds = [[-9.0, -4.0, -0.5], [9.0, 4.0, 3.0]]

[scene.regions]
west = {{ lower = [-8.5, -3.0, -0.5], upper = [-2.5, 3.0, 2.0] }}
east = {{ lower = [2.5, -3.0, -0.5], upper = [8.5, 3.0, 2.0] }}

[[groups]]
members = {members}
start = "west"
goal = "east"

[planner]
nodes = 150
seconds = {seconds}
"""


def slab(lower, upper):
    shape = trimesh.creation.box(np.subtract(upper, lower))
    shape.apply_translation(0.5 * np.add(lower, upper))
    return shape


@pytest.fixture
def walled(tmp_path):
    """A function that writes a scenario: a passage 1 m long, as wide as a share of the body."""

    def write(share, members, seconds=0.0):
        half = 0.5 * share * BODY
        slab((-9, -4, -0.2), (9, 4, 0)).export(tmp_path / "floor.ply")
        walls = [
            slab((-0.5, -4, 0), (0.5, 1 - half, 2.5)),
            slab((-0.5, 1 + half, 0), (0.5, 4, 2.5)),
        ]
        trimesh.util.concatenate(walls).export(tmp_path / "walls.ply")
        path = tmp_path / "walled.toml"
        path.write_text(TEXT.format(members=members, seconds=seconds), encoding="utf-8")
        return path

    return write


@pytest.mark.slow
def test_twenty_pass_where_the_passage_is_115_hundredths_of_a_body_wide(walled, tmp_path):
    scenario = load(str(walled(1.15, 20)))
    report = simulate(scenario, recording_path=tmp_path / "run.rmp3d")
    assert report.arrived == 20
    assert report.groups[0].figures["narrowest"]["width"] == pytest.approx(1.15 * BODY, abs=0.1)
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        assert verify(recording).ok


@pytest.mark.slow
def test_a_passage_of_95_hundredths_is_refused_before_the_run_with_place_and_width(walled, capfd):
    path = walled(0.95, 20, seconds=0.5)  # no path is found in any time
    with pytest.raises(BlockedError, match=r"`groups\[0\]`: no path: the opening") as caught:
        plan_groups(load(str(path)))
    obstacle = caught.value.obstacle
    assert obstacle.measured == pytest.approx(0.95 * BODY, abs=0.01)
    assert np.abs(np.array(obstacle.position)[:2] - [0.0, 1.0]).max() < 0.6
    picture = path.with_suffix(".png")
    assert cli.main(["plan", str(path), "--json", "-o", str(picture)]) == 1
    facts = json.loads(capfd.readouterr().out)
    assert facts["reason"] == str(caught.value)
    assert facts["obstacle"] == obstacle.facts()
    assert "and the body is 0.56 m wide; widen it, or take a smaller character" in facts["reason"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_roadmap_that_is_too_small_is_helped_by_the_cells_of_the_floor(walled, capfd):
    """Five nodes hardly ever join two sides of a passage 2 cm wider than the body."""
    asked = ["plan", str(walled(1.03, 1)), "--json", "--set", "planner.nodes=5"]
    assert cli.main(asked) == 0
    facts = json.loads(capfd.readouterr().out)
    assert facts["certified"]
    assert 0.0 < facts["clearance_min"] < 0.02


def test_a_long_body_is_told_that_it_is_turning_that_takes_the_room():
    """A dog passes a door of 0.9 m once it cannot turn on the spot; then it is long and narrow."""
    wide = Blockage("door", (), (0.0, 0.0, 0.0), 0.88, 0.9)
    long = replace(wide, across=load_character("dog").body.across)
    assert "and the body is 0.9 m wide" in wide.words
    assert (
        "the body, 0.24 m wide, is longer and may turn on the spot, which takes 0.9" in long.words
    )
    assert "give this one a `turn_radius`" in long.words
    assert "`turn_radius`" not in replace(long, measured=0.2).words
    assert load_character("pedestrian").body.across == load_character("car").body.across == 0.0
