"""The scenario in a recording is compared with one that its reader trusts."""

import shutil

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.recording import Header, RecordedEvent, RecordingReader, RecordingWriter
from rmp3d.scenario import Scenario
from rmp3d.verification import verify
from rmp3d.verification.trusted import differences, unsaid_changes


@pytest.fixture(scope="module")
def file(world):
    """A scenario in a file, as a user would write it."""
    path = world.folder / "trusted.toml"
    path.write_text(world.scenario_text(), encoding="utf-8")
    return path


def header_of(scenario):
    kinds = {name: scenario.held.character(name) for name in scenario.table.kinds}
    characters = [kinds[name] for name in scenario.table.characters]
    return Header.of(scenario.table, scenario.scene, characters, held=scenario.held)


def told(here, trusted):
    found = list(differences(header_of(here), trusted))
    assert {each.kind for each in found} <= {"scenario"}
    return [each.text for each in found]


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        (
            "scene.regions.east.upper=[20, 9, 2]",
            "`scene.regions.east.upper.1`: 9.0 in the recording, 5.0 expected",
        ),
        ("groups.0.max_step=0.8", "`groups.0.max_step`: 0.8 in the recording, nothing expected"),
        (
            "simulation.duration=20.0",
            "`simulation.duration`: 20.0 in the recording, 180.0 expected",
        ),
        ("groups.0.members=1", "`groups.0.members`: 1 in the recording, 2 expected"),
        ("seed=4", "`seed`: 4 in the recording, 3 expected"),
        (
            'measure=[{name = "m", ends = [[1, 1, 0], [2, 2, 0]]}]',
            "`measure`: 1 entries in the recording, [] expected",
        ),
        (
            'groups.0.behavior={name = "leader_following"}',
            '`groups.0.behavior.name`: "leader_following" in the recording, '
            '"narrow_passages" expected',
        ),
        ("name=other", None),
    ],
)
def test_each_key_that_is_another_one_is_a_finding(file, forged, said):
    expected = [] if said is None else [said]
    assert told(Scenario.load(file, [forged]), Scenario.load(file)) == expected


def test_files_may_lie_elsewhere_but_not_hold_something_else(file, world, tmp_path):
    recorded = Scenario.load(file)
    for name in ("trusted.toml", "yard.obj", "walker.toml", "walker.obj"):
        shutil.copy(world.folder / name, tmp_path)
    elsewhere = tmp_path / "trusted.toml"
    assert told(recorded, Scenario.load(elsewhere)) == []

    body = tmp_path / "walker.toml"
    body.write_text(body.read_text().replace("max_speed = 1.8", "max_speed = 1.4"))
    (text,) = told(recorded, Scenario.load(elsewhere))
    assert text.startswith("`groups.0.character`: ")
    assert "another body or other limits" in text

    mesh = tmp_path / "yard.obj"
    mesh.write_text(mesh.read_text().replace("v 4.0", "v 3.5"))
    assert "`scene`: its parts are not those of the expected one" in told(
        recorded, Scenario.load(elsewhere)
    )


def test_what_a_recording_holds_itself_is_compared_with_the_files_that_were_saved(tmp_path):
    floor = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]], [[0, 1, 2], [0, 2, 3]]
    corners = {"start": rp.Box((1, 1, 0), (3, 3, 2)), "goal": rp.Box((6, 6, 0), (8, 8, 2))}
    scene = rp.Scene.from_mesh({"floor": floor}, roles={"floor": "ground"}, regions=corners)
    made = Scenario(scene, rp.Group("child", 2))
    saved = Scenario.load(made.save(tmp_path / "saved.toml"))
    assert told(made, saved) == []
    smaller = {**corners, "goal": rp.Box((7, 7, 0), (8, 8, 2))}
    other = Scenario(scene.with_regions(smaller), rp.Group("child", 2))
    assert len(told(made, other)) == 2  # two corners of the region


def test_verify_lists_them_first_and_proves_the_rest(file, world, tmp_path):
    scenario = Scenario.load(file, ["groups.0.members=1", "simulation.duration=0.1"])
    path = tmp_path / "a.rmp3d"
    with RecordingWriter(path, header_of(scenario)) as writer:
        for _ in range(4):
            writer.append(
                position=np.array([[1.0, 1.0, 0.0]]),
                orientation_wxyz=np.array([[1.0, 0.0, 0.0, 0.0]]),
                subgoal=np.array([[15.0, 1.0, 0.0]]),
                formation_of=[-1],
            )
        writer.add_event(3 / 30, "end", -1, -1, "0 arrived")
    with RecordingReader.open(path) as recording:
        report = verify(recording, trusted=Scenario.load(file, ["groups.0.members=1"]))
        assert not {each.kind for each in verify(recording, trusted=scenario).findings} & {
            "scenario"
        }
    assert [each.kind for each in report.findings] == ["scenario", "not_arrived"]
    assert rp.verify(path, scenario=file).findings[0].kind == "scenario"


def test_a_change_that_the_scenario_lacks_is_a_finding(file):
    said = '[[changes]]\ntime = 1.0\ngroup = "group 1"\nspeed_limit = 0.5\n'
    slower = file.with_name("slower.toml")
    slower.write_text(file.read_text() + said, encoding="utf-8")
    trusted = Scenario.load(slower)
    header = header_of(trusted)
    assert header.scenario.groups[0].name == "group 1"
    events = [RecordedEvent(time, "change", 0, -1, "slower") for time in (1.0, 5.0)]
    (found,) = unsaid_changes(header, events, trusted)
    assert (found.kind, found.time) == ("scenario", 5.0)
    assert found.text == "`group 1` is changed at 5 s, nothing expected"
    assert len(list(unsaid_changes(header, events, Scenario.load(file)))) == 2
