"""Groups of several characters: each member is itself, and together they touch nothing."""

import hashlib

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.live.backend import LiveBackend
from rmp3d.models import load_character
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.reporting import write_report
from rmp3d.scenario.loading import from_table, load
from rmp3d.scenario.saving import scenario_table
from rmp3d.simulation import Simulation, plan_groups, simulate
from rmp3d.verification import verify
from rmp3d.viewer.panel.protocol import Show, Shown, Started, StartRun

WALKERS, FLYERS = ["pedestrian", "child", "dog"], ["drone", "bird", "fish"]


@pytest.fixture
def table(tmp_path):
    """A function that makes the table of a scenario with a gate in a wall."""
    lines = []
    for row, (low, high) in enumerate(((-4.0, -1.0), (1.0, 4.0))):
        lines += [f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (low, high) for z in (0, 4)]
        quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
        lines += ["f " + " ".join(str(v + 8 * row) for v in quad) for quad in quads]
    (tmp_path / "gate.obj").write_text("\n".join(lines) + "\n")

    def made(*groups, **simulation):
        common = {"members": 4, "start": "west"}
        return {
            "seed": 3,
            "scene": {
                "mesh": str(tmp_path / "gate.obj"),
                "bounds": [[-7, -4, 0], [7, 4, 4]],
                "ground": {"height": 0.0},
                "regions": {
                    "west": {"lower": [-6.5, -3, 0], "upper": [-1.5, 3, 3]},
                    "east": {"lower": [1.5, -3, 0], "upper": [6.5, 3, 3]},
                },
            },
            "groups": [{**common, **group} for group in groups],
            "planner": {"nodes": 40},
            "simulation": {"duration": 40.0, "linger": 0.2, **simulation},
        }

    return made


def run(table, path):
    """The report and the findings of a run."""
    report = simulate(from_table(table), recording_path=path)
    with RecordingReader.open(path) as recording:
        return report, verify(recording).findings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behavior", "characters"),
    [
        ("self_guided", WALKERS),
        ("leader_following", WALKERS),
        ("narrow_passages", WALKERS),
        ("circle_following", WALKERS),
        ({"name": "goal_search", "nodes": 40}, WALKERS),
        ("narrow_passages", FLYERS),
    ],
)
def test_a_mixed_group_arrives_and_nothing_is_found(table, tmp_path, behavior, characters):
    group = {"character": characters, "goal": "east", "behavior": behavior}
    report, findings = run(table(group), tmp_path / "a.rmp3d")
    assert report.arrived == 4
    assert findings == ()


@pytest.mark.slow
def test_mixed_shepherds_and_a_mixed_flock(table, tmp_path):
    shun = {"name": "shun", "among": "dogs", "distance": 4.0}
    flock = {"name": "herded", "behaviors": [shun, "separation", "obstacle_avoidance"]}
    sheep = {"name": "sheep", "character": ["sheep", "child"], "goal": "east", "behavior": flock}
    herding = {"name": "herding", "mode": "drive", "fear_distance": 4.0}
    dogs = {"name": "dogs", "character": ["dog", "wolf"], "members": 2, "behavior": herding}
    _, findings = run(table(sheep, dogs, duration=8.0), tmp_path / "a.rmp3d")
    assert {found.kind for found in findings} <= {"not_arrived"}


@pytest.mark.slow
def test_drivers_of_different_size_share_a_column(table, tmp_path):
    wide = table({
        "character": ["motorbike", "car"], "members": 2, "start": [-3.0, 0.0, 0.0],
        "goal": "east", "goal_radius": 2.0, "behavior": "self_guided",
    }, duration=3.0)  # fmt: skip
    wide["scene"]["bounds"] = [[-15, -12, 0], [15, 12, 4]]
    wide["scene"]["regions"]["east"] = {"lower": [-13, -10, 0], "upper": [-4, 10, 3]}
    _, findings = run(wide, tmp_path / "a.rmp3d")
    assert {found.kind for found in findings} <= {"not_arrived"}


def test_members_take_the_characters_in_turn_and_keep_their_own_bodies_and_limits(table):
    names = ["pedestrian", "pedestrian", "dog"]
    scenario = from_table(table({
        "character": names, "members": 5,
        "behavior": {"name": "steering", "behaviors": ["wander", "obstacle_avoidance"]},
    }))  # fmt: skip
    assert scenario.characters == ("pedestrian", "pedestrian", "dog", "pedestrian", "pedestrian")
    simulation = Simulation.of(scenario)
    own = [load_character(name) for name in scenario.characters]
    flock = simulation.flock
    np.testing.assert_array_equal(flock.bodies.radius, [each.body.radius for each in own])
    np.testing.assert_array_equal(
        flock.bodies.capsule_axis, [each.body.capsule_axis for each in own]
    )
    for name in ("mass", "max_speed", "cruise_speed", "max_turn_rate"):
        np.testing.assert_array_equal(
            getattr(flock.bodies, name), [getattr(e.parameters, name) for e in own]
        )
    fastest = np.zeros(5)
    for _ in range(90):
        simulation.look()
        simulation.advance()
        fastest = np.maximum(fastest, np.linalg.norm(simulation.flock.velocity, axis=1))
    assert fastest[2] > 1.9, "the dog goes faster than people can"
    assert (fastest <= flock.bodies.max_speed + 1e-9).all()


def test_who_is_not_there_does_not_count(table):
    scenario = from_table(table({"character": WALKERS, "members": 2, "goal": "east"}))
    assert scenario.kinds == ("pedestrian", "child")
    _, (prepared,) = plan_groups(scenario)
    assert prepared.character.body.radius == load_character("pedestrian").body.radius


@pytest.mark.parametrize(
    ("behavior", "figure"), [("leader_following", "leader"), ("circle_following", "ward")]
)
def test_who_leads_or_is_surrounded_has_the_first_character(table, behavior, figure):
    for seed in range(4):
        group = {"character": FLYERS, "members": 6, "goal": "east", "behavior": behavior}
        scenario = from_table({**table(group), "seed": seed})
        (run,) = Simulation.of(scenario).runs
        assert scenario.characters[run.figures[figure]] == "drone"


def test_a_list_of_one_name_repeated_is_that_name_to_the_byte(table, tmp_path):
    digests = set()
    for row, character in enumerate(("dog", ["dog"], ["dog", "dog", "dog"])):
        path = tmp_path / f"{row}.rmp3d"
        run(table({"character": character, "goal": "east"}, duration=1.0), path)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_a_scenario_of_a_list_is_written_and_read_again(table):
    scenario = from_table(table({"character": WALKERS, "goal": "east"}))
    assert scenario_table(scenario)["groups"][0]["character"] == WALKERS
    assert from_table(scenario_table(scenario)) == scenario


def test_paths_in_a_list_are_relative_to_the_file(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "elf.toml").touch()
    (tmp_path / "a.toml").write_text(
        '[scene]\nname = "plain"\n[[groups]]\ncharacter = ["own/elf.toml", "dog"]\n'
    )
    (group,) = load(str(tmp_path / "a.toml")).groups
    assert group.character == [str((tmp_path / "own" / "elf.toml").resolve()), "dog"]


@pytest.mark.parametrize(
    ("character", "message"),
    [
        (["pedestrian", "drone"], "same kind of vehicle"),
        (["dog", "car"], "all have one or none"),
        (["box", "dog"], "same kind of vehicle"),
        (["dog", "dgo"], "no character named `dgo`.*did you mean `dog`"),
    ],
)
def test_characters_that_cannot_be_together_are_named_with_their_key(table, character, message):
    scenario = from_table(table({"character": character, "goal": "east"}))
    with pytest.raises(InputError, match=rf"^`groups\[0\].character`: .*{message}"):
        plan_groups(scenario)


@pytest.mark.parametrize("character", [[], [1], [["dog"]], 3])
def test_what_is_neither_a_name_nor_a_list_of_names_is_refused(table, character):
    with pytest.raises(InputError, match=r"groups\[0\].character"):
        from_table(table({"character": character, "goal": "east"}))


@pytest.mark.slow
def test_the_recording_the_report_and_the_panel_show_each_as_what_it_is(table, tmp_path):
    mixed = table(
        {"character": WALKERS, "goal": "east"},
        {"name": "flock", "character": "bird", "members": 2, "goal": "east"},
        duration=0.5,
    )  # fmt: skip
    path = tmp_path / "a.rmp3d"
    run(mixed, path)
    kinds = ["pedestrian", "child", "dog", "pedestrian", "bird", "bird"]
    with RecordingReader.open(path) as recording:
        write_report(recording, tmp_path / "a.html", check=False)
        shown = [playback(recording)]
    text = (tmp_path / "a.html").read_text()
    assert "2 pedestrian, 1 child, 1 dog" in text
    assert text.count("<td>child</td>") == 1
    told = []
    backend = LiveBackend(told.append)
    backend.handle(Show(mixed))
    backend.handle(StartRun(mixed))
    shown += [report.playback for report in told if isinstance(report, Shown | Started)]
    assert len(shown) == 3
    for each in shown:
        assert [each.characters[row].name for row in each.character_of] == kinds
        assert len(each.characters) == 4


def test_a_group_steps_as_its_most_careful_member_unless_it_says_so(table, tmp_path):
    one = {"character": ["pedestrian", "child"], "behavior": {"name": "self_guided"}}
    for said, step in (({}, 0.18), ({"max_step": 0.05}, 0.05)):
        made = from_table(table({**one, "goal": "east", "members": 2, **said}))
        plan = plan_groups(made)[1][0]
        assert plan.max_step == pytest.approx(step)
    with pytest.raises(InputError, match=r"`groups\[0\]`: `max_step` 0.8 m is more than half"):
        plan_groups(from_table(table({**one, "goal": "east", "max_step": 0.8})))
    with pytest.raises(InputError, match=r"`groups\[0\].max_step`: `drone` does not walk"):
        plan_groups(from_table(table({"character": "drone", "goal": "east", "max_step": 0.1})))


def test_each_vehicle_of_a_mixed_group_drives_as_its_own_body_not_as_the_envelope_of_all(table):
    _, (group,) = plan_groups(
        from_table(table({"name": "mixed", "character": ["motorbike", "car"], "goal": "east"}))
    )
    for name in ("motorbike", "car"):
        kind = load_character(name)
        body = group.driving_of(kind.parameters.turn_radius, kind.body.half_width).world.body
        assert np.ptp(body.capsules[:, 0]) == np.ptp(kind.body.capsules[:, 0])
        assert body.half_width == kind.body.half_width
    assert group.driving_of(0.1, 0.1) is group.driving
