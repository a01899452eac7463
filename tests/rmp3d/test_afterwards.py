"""Groups that go on after they have arrived: recorded, verified, for as long as asked."""

from dataclasses import replace

import numpy as np
import pytest

import rmp3d as rp

LINGER = 8.0


def run(afterwards, **keywords):
    group = rp.Group(
        keywords.pop("character", "pedestrian"), 3, start="middle",
        goal=keywords.pop("goal", "east"), behavior=keywords.pop("behavior", "self_guided"),
        afterwards=afterwards,
    )  # fmt: skip
    return rp.run("plain", group, **{"nodes": 60, "linger": LINGER, **keywords})


def path_after_arrival(recording):
    """Length [m] of each member's path from when the last one has arrived, and for how long [s]."""
    last = max(event.time for event in recording.events() if event.kind == "arrived")
    track = recording.position()[round(last / recording.dt) :]
    steps = np.linalg.norm(np.diff(track, axis=0), axis=2)
    return steps.sum(axis=0), (len(track) - 1) * recording.dt


@pytest.mark.parametrize(
    "afterwards", ["wander", rp.RoamAbout(), {"name": "patrol", "posts": ["north", "goal"]}]
)
def test_members_go_on_after_all_have_arrived_and_verification_finds_nothing(afterwards):
    recording = run(afterwards)
    gone, seconds = path_after_arrival(recording)
    assert seconds == pytest.approx(LINGER, abs=0.1)
    assert (gone > 0.5 * 1.3 * seconds).all()
    report = recording.verify()
    assert report.ok
    assert report.arrived == 3


def test_who_returns_is_at_its_start_at_the_end():
    recording = run("return", linger=25.0, dt=0.1)
    position = recording.position()
    back = np.linalg.norm(position[-1] - position[0], axis=1)
    assert recording.verify().ok
    assert (back < 1.0).all()


def test_who_never_was_in_the_goal_has_not_arrived():
    recording = run("roam", duration=4.0)
    findings = recording.verify().findings
    assert [finding.kind for finding in findings] == ["not_arrived"] * 3
    assert "never in `east`" in findings[0].text


@pytest.mark.parametrize(
    ("behavior", "goes_about"), [("narrow_passages", True), ("self_guided", False)]
)
def test_who_goes_about_in_its_goal_and_is_out_of_it_for_a_moment_does_not_begin_the_wait_anew(
    behavior, goes_about
):
    group = rp.Group("pedestrian", 3, start="middle", goal="east", behavior=behavior)
    simulation = rp.Simulation("plain", group, nodes=60, linger=LINGER, dt=0.1)
    while not np.isfinite(
        simulation.log.complete_since(simulation.flock, simulation.runs, simulation.time)
    ):
        simulation.step()
    for _ in range(5):
        simulation.step()
    flock, log, later = simulation.flock, simulation.log, simulation.time + 1.0
    assert simulation.runs[0].goes_about is goes_about
    began = log.complete_since(flock, simulation.runs, later)
    assert began < later
    away = replace(flock, position=flock.position - [40.0, 0.0, 0.0])
    assert log.complete_since(away, simulation.runs, later) == np.inf
    assert log.complete_since(flock, simulation.runs, later) == (began if goes_about else later)


def test_activities_repeat_to_the_byte():
    one, other = (run("roam", dt=0.1).position().tobytes() for _ in range(2))
    assert one == other


def test_afterwards_is_kept_in_the_scenario_and_its_file(tmp_path):
    group = rp.Group(start="west", goal="east", afterwards=rp.PatrolPosts(("north", "goal")))
    scenario = rp.Scenario("plain", group)
    table = {"name": "patrol", "posts": ["north", "goal"]}
    assert scenario.table.groups[0].afterwards == table
    assert scenario.groups[0].afterwards == rp.PatrolPosts(("north", "goal"))
    again = rp.Scenario.load(scenario.save(tmp_path / "a.toml"))
    assert again.table.groups[0].afterwards == table


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"behavior": {"name": "steering", "behaviors": ["wander"]}, "goal": None}, "no goal to"),
        ({"afterwards": "roma"}, "no activity named `roma`; did you mean `roam`"),
        ({"behavior": {"name": "narrow_passages", "wander": False}}, "say `afterwards`"),
        (
            {"behavior": {"name": "narrow_passages", "afterwards": ["line"]}},
            "behind each passage are `after_passages` now",
        ),
    ],
)
def test_what_cannot_be_is_refused(keywords, said):
    with pytest.raises(rp.InputError, match=said):
        run(**{"afterwards": "roam", **keywords})


def test_what_members_do_afterwards_changes_while_they_do_it(tmp_path):
    changes = [
        rp.Change(time=1.0, group="group 1", afterwards="roam"),
        rp.Change(time=9.0, group="group 1", afterwards="hold"),
    ]
    group = rp.Group(members=2, start=(-2, 0, 0), goal=(2, 0, 0), behavior="self_guided")
    recording = rp.run("plain", group, changes=changes, nodes=60, dt=0.1, linger=12.0)
    told = [(event.text, event.time) for event in recording.events() if event.kind == "afterwards"]
    assert [text for text, _ in told] == ["roam", "hold"]
    position = recording.position()
    begun = round(told[0][1] / recording.dt)
    far = np.linalg.norm(position - position[begun], axis=2).max(axis=1)
    assert far[: begun + 80].max() > 3.0, "they roam"
    assert far[-1] < 0.4, "each is back at its place in the goal"
    report = recording.verify()
    assert report.ok
    assert rp.Scenario.of(recording.scenario).table.changes[0].afterwards == {"name": "roam"}


def test_members_without_a_goal_have_no_afterwards(tmp_path):
    group = rp.Group(
        members=1, start="west", behavior={"name": "steering", "behaviors": ["wander"]}
    )
    simulation = rp.Simulation("plain", group)
    with pytest.raises(rp.InputError, match="members of `group 1` have no goal to arrive at"):
        simulation.change("group 1", afterwards="roam")


@pytest.mark.parametrize(
    ("scene", "character", "home", "post"),
    [
        # The corridor is wide enough for a car that heads along it, not for one that turns in it.
        ("parking", "car", "cars", "motorcycles"),
        # Few samples fall into the doors of the house.
        ("patio_house", "pedestrian", "garden", "entrance"),
    ],
)
def test_who_begins_in_its_goal_goes_on_patrol_beyond_narrow_places(scene, character, home, post):
    patrol = rp.PatrolPosts(posts=(post, "goal"))
    group = rp.Group(character, 2, start=home, goal=home, afterwards=patrol)
    # A post without a route to it is refused.
    assert len(rp.Simulation(scene, group).flock) == 2
