"""The built-in scenarios of steering: there is one for each behavior, and they run."""

from pathlib import Path

import numpy as np
import pytest

from rmp3d.behaviors import STEERING_BEHAVIORS
from rmp3d.documentation import gallery
from rmp3d.geometry.errors import InputError
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.scenes import builtin_scenarios
from rmp3d.simulation import GroupPlan, Simulation, plan_groups, simulate
from rmp3d.verification import verify
from rmp3d.viewer.plots.trails import save_trails

DOCS = Path(__file__).parents[2] / "docs"


def names_in(table):
    return {part if isinstance(part, str) else part["name"] for part in table}


def steps(name, count, *overrides):
    """The simulation of a built-in scenario after some steps."""
    scenario = load(name, overrides)
    simulation = Simulation.of(scenario)
    for _ in range(count):
        simulation.look()
        simulation.advance()
    return simulation


def test_every_steering_behavior_has_a_scenario_of_its_own_and_a_picture():
    shown = {
        name.removeprefix("steering/")
        for name in builtin_scenarios()
        if name.startswith("steering/")
    }
    assert shown == set(STEERING_BEHAVIORS)
    for name in STEERING_BEHAVIORS:
        assert (DOCS / "pictures" / "steering" / f"{name}.png").exists(), name
        scenario = load(f"steering/{name}")
        assert name in set().union(*(names_in(g.behavior["behaviors"]) for g in scenario.groups))
        assert len(scenario.description) > 20


def test_the_page_of_the_gallery_is_what_its_command_writes():
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page()


@pytest.mark.slow
@pytest.mark.parametrize("name", list(STEERING_BEHAVIORS))
def test_every_scenario_of_the_gallery_moves_somebody(name):
    simulation = steps(f"steering/{name}", 8)
    flock = simulation.flock
    assert np.isfinite(flock.position).all()
    assert max(np.abs(flock.velocity).max(), np.abs(flock.spin).max()) > 0.01


def test_no_roadmap_is_built_for_groups_without_a_goal():
    _, (prepared,) = plan_groups(load("plain"))
    assert not isinstance(prepared, GroupPlan)


def test_a_goal_of_a_group_that_has_none_is_refused():
    with pytest.raises(
        InputError, match=r"`groups\[0\].goal`: the behavior `steering` has no goal"
    ):
        load("plain", ["groups.0.goal=middle"])


def test_a_run_without_goals_lasts_as_long_as_it_should_and_nobody_is_expected(tmp_path):
    path = tmp_path / "run.rmp3d"
    report = simulate(load("plain", ["simulation.duration=0.5"], members=3), recording_path=path)
    assert report.frames == 16
    assert report.complete
    assert report.as_dict()["groups"][0]["arrived"] is None
    with RecordingReader.open(path) as recording:
        proof = verify(recording)
        assert proof.ok
        assert (proof.arrived, proof.expected, proof.members) == (0, 0, 3)
        save_trails(tmp_path / "trails.png", playback(recording))
        assert (tmp_path / "trails.png").stat().st_size > 10_000


def test_goals_are_added_while_a_scenario_runs(tmp_path):
    def each_step(simulation):
        if simulation.time == 0.0:
            simulation.run_of("sheep").add_goal("stroll", [0], priority=99.0)

    path = tmp_path / "run.rmp3d"
    simulate(load("grazing", ["simulation.duration=0.1"]), recording_path=path, each_step=each_step)
    with RecordingReader.open(path) as recording:
        said = [(event.kind, event.member, event.text) for event in recording.events()]
    assert ("goal", 0, "stroll") in said


def test_a_group_that_is_not_there_is_named():
    with pytest.raises(InputError, match="no group named `shep`; did you mean `sheep`"):
        steps("grazing", 0).run_of("shep")


def test_equal_seeds_give_equal_runs_and_other_seeds_others():
    first, again = (steps("grazing", 10).flock.position for _ in range(2))
    np.testing.assert_array_equal(first, again)
    other = steps("grazing", 10, "seed=1").flock.position
    assert np.abs(first - other).max() > 0.1


@pytest.mark.slow
def test_grazing_sheep_flee_when_the_wolf_comes_into_view_and_then_graze_again(tmp_path):
    path = tmp_path / "run.rmp3d"
    settings = ["simulation.duration=34", "groups.1.start=[-19.0, -6.5, 1.0]"]
    simulate(load("grazing", settings, members=5), recording_path=path)
    with RecordingReader.open(path) as recording:
        events = [event for event in recording.events() if event.kind == "goal"]
        position, group_of = recording.position(), recording.header.group_of
        dt = recording.dt
        assert verify(recording).findings == ()
    wolf = position[:, group_of == 1, :2][:, 0]
    flights = [e for e in events if e.text.endswith("-> flee")]
    assert flights
    for flight in flights:
        frame = round(flight.time / dt)
        assert np.linalg.norm(position[frame, flight.member, :2] - wolf[frame]) < 12.0
    calmed = [e for e in events if e.text.startswith("flee ->")]
    assert {e.member for e in calmed} & {e.member for e in flights}


@pytest.mark.slow
def test_a_pursuer_catches_a_slower_quarry_and_never_a_faster_one(tmp_path):
    """On an open plain, as long as the quarry has room to run straight away."""
    caught = {}
    for quarry, pursuer in (("sheep", "wolf"), ("wolf", "sheep")):
        path = tmp_path / f"{quarry}.rmp3d"
        settings = [f"groups.0.character={pursuer}", f"groups.1.character={quarry}"]
        settings += [
            "groups.1.behavior.behaviors=[{ name = 'flee' }]",
            "groups.1.behavior.threat=wolf",
        ]
        settings += ["groups.0.start=[-17.5, 3.5, 0.0]", "groups.1.start=[-13.0, 3.5, 0.0]"]
        settings += [
            "simulation.duration=7",  # the pursuer turns round first
            "groups.1.behavior.perception={ name = 'zone', radius = 40.0 }",
        ]
        simulate(load("steering/pursue", settings), recording_path=path)
        with RecordingReader.open(path) as recording:
            caught[quarry] = [e.time for e in recording.events() if e.kind == "caught"]
    assert caught["sheep"]
    assert not caught["wolf"]


def test_wanderers_walk_along_a_footbridge_rather_than_creep_at_its_railing(tmp_path):
    overrides = ["simulation.duration=10", "groups.0.start=[23.19, -6.64, 3.2]"]
    path = tmp_path / "bridge.rmp3d"
    simulate(load("city", overrides, members=3, seed=1), recording_path=path)
    with RecordingReader.open(path) as recording:
        position, dt = recording.position(), recording.dt
    speed = np.linalg.norm(np.diff(position[..., :2], axis=0), axis=2) / dt
    above = position[1:, :, 2] > 1.0
    assert above.mean() > 0.5, "they are on the bridge"
    assert speed[above].mean() > 0.85, "of 1.3 m/s; once it was 0.28"
