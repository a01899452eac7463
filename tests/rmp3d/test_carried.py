"""Groups that are carried: what is refused, and the warehouse as a whole."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.models import load_character
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation, plan_groups, simulate
from rmp3d.simulation.planning import grown
from rmp3d.verification import verify


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["groups.0.character=drone"], r"groups\[0\].behavior.*`carried` is not for.*`drone`"),
        (["groups.0.behavior.name=self_guided"], r"groups\[0\].behavior.*`self_guided` is not for"),
        (["planner.space=translation"], r"planner.space.*`translation` is not for.*`box`.*`auto`"),
        (["groups.0.speed_limit=0.5"], r"groups\[0\].speed_limit.*behavior.speed"),
    ],
)
def test_what_does_not_go_together_is_refused_before_planning(overrides, message):
    with pytest.raises(InputError, match=message):
        plan_groups(load("warehouse", overrides))


def test_another_group_beside_one_that_is_carried_is_refused():
    scenario = load("warehouse")
    walkers = load("parking").groups[0]
    both = type(scenario).from_json(scenario.to_json())
    both.groups.append(type(walkers)(name="walkers", start="dock", goal="racks"))
    with pytest.raises(InputError, match=r"groups\[0\].behavior.*scene to itself"):
        plan_groups(both)


def test_only_what_is_carried_turns_freely():
    with pytest.raises(InputError, match=r"planner.space.*only what is `carried` turns freely"):
        plan_groups(load("parking", ["planner.space=rigid"]))


def test_the_body_that_is_planned_for_is_larger_on_every_side():
    body = load_character("box").body
    sides = grown(body).mesh.bounds - body.mesh.bounds
    np.testing.assert_allclose(sides, [[-0.02] * 3, [0.02] * 3], atol=1e-9)


@pytest.fixture(scope="module")
def crates(tmp_path_factory):
    """Scenario, report and recording of two crates."""
    scenario = load("warehouse", members=2)
    path = tmp_path_factory.mktemp("warehouse") / "crates.rmp3d"
    return scenario, simulate(scenario, recording_path=path), path


@pytest.mark.slow
def test_crates_are_tilted_in_the_hatch_and_lie_level_in_the_racks(crates):
    _, report, path = crates
    assert report.complete
    assert 0.0 < report.min_clearance_scene < 0.05
    assert report.min_clearance_members >= 0.15
    with RecordingReader.open(path) as recording:
        assert verify(recording).findings == ()
        position, turn = recording.position(), recording.orientation_wxyz()
    # The share of the heading that points up or down.
    steep = 2.0 * np.abs(turn[..., 1] * turn[..., 3] - turn[..., 0] * turn[..., 2])
    in_hatch = np.abs(position[..., 2] - 3.1) < 0.1
    assert in_hatch.any(axis=0).all()
    assert steep[in_hatch].min() > 0.3
    np.testing.assert_allclose(turn[[0, -1], :, 1:3], 0.0, atol=1e-4)
    assert (np.abs(position[-1, :, 1]) > 2.6).all()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_motions(crates):
    scenario, _, path = crates
    again = Simulation.of(scenario).runs[0]
    with RecordingReader.open(path) as recording:
        position = recording.position()
        for frame in range(0, recording.frames, 50):
            there, _ = again.pose(frame * recording.dt)
            np.testing.assert_allclose(position[frame], there, atol=2**-20)
