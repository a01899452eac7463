"""What the panel's work comes to: the same runs as from the command line, to the byte."""

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.errors import InputError, Rmp3dError
from rmp3d.live.backend import CancelledError, LiveBackend
from rmp3d.live.reports import RunNotes
from rmp3d.models import load_character
from rmp3d.models.loading import BUILTIN
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import Frame, simulate
from rmp3d.viewer.panel.protocol import (
    AddCharacter,
    Adopted,
    Advance,
    BonesFound,
    Build,
    Built,
    Changed,
    ChangeRun,
    Export,
    Failed,
    Grown,
    Intervene,
    Open,
    Opened,
    PlaceTried,
    Regrouped,
    Saved,
    SaveRecording,
    SaveScenario,
    Show,
    Shown,
    Started,
    StartRun,
    Stepped,
    TryPlace,
    Working,
)


@pytest.fixture
def table(world):
    """Two walkers in the yard, as a table with absolute paths."""
    regions = {name: {"lower": list(r.lower), "upper": list(r.upper)}
               for name, r in world.description.regions.items()}  # fmt: skip
    return {
        "name": "yard",
        "scene": {
            "mesh": str(world.folder / "yard.obj"),
            "roles": {"floor": "ground", "terrace": "ground"},
            "bounds": [[0.0, 0.0, 0.0], [20.0, 10.0, 6.0]],
            "regions": regions,
        },
        "groups": [
            {
                "name": "group 1",
                "character": str(world.folder / "walker.toml"),
                "members": 2,
                "start": "west",
                "goal": "east",
                "behavior": {"name": "narrow_passages", "formation": "line"},
            }
        ],
        "planner": {"nodes": 60},
        "simulation": {"duration": 3.0},
    }


class Told(list):
    def of(self, kind):
        return [report for report in self if isinstance(report, kind)]


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def backend(told):
    return LiveBackend(told.append)


def with_group(table, **keys):
    return {**table, "groups": [{**table["groups"][0], **keys}]}


def test_a_scenario_is_shown_with_its_places(backend, told, table):
    backend.handle(Show(table))
    (shown,) = told.of(Shown)
    assert shown.problems == ()
    assert [(place.role, place.region.name) for place in shown.places] == [
        ("start", "west"),
        ("goal", "east"),
    ]
    (position,) = shown.playback.position
    assert shown.places[0].region.contains(position).all()
    assert np.linalg.norm(position[0] - position[1]) > 0.6, "beside each other"


def test_a_start_in_a_wall_is_a_problem_with_its_reason_and_still_seen(backend, told, table):
    backend.handle(Show(with_group(table, start=[5.0, 8.0, 0.0])))
    (shown,) = told.of(Shown)
    (problem,) = shown.problems
    assert problem.startswith("group 1: the start [5.0, 8.0, 0.0] is in collision")
    assert shown.playback.member_count == 1


def test_a_car_may_be_where_only_its_row_fits(backend, told, tmp_path):
    """Its round body is wider than the lane; its plan has its heading, and so has the check."""
    boxes = [([20, 12, 0.2], [0, 0, -0.1]), ([10, 2, 2], [0, 2.4, 1]), ([10, 2, 2], [0, -2.4, 1])]
    parts = [
        trimesh.creation.box(size, trimesh.transformations.translation_matrix(middle))
        for size, middle in boxes
    ]
    trimesh.util.concatenate(parts).export(tmp_path / "lane.obj")
    group = {"character": "car", "members": 1, "start": [-7.0, 0.0, 0.0], "goal": [0.0, 0.0, 0.0],
             "behavior": {"name": "self_guided"}}  # fmt: skip
    table = {"name": "lane", "scene": {"mesh": str(tmp_path / "lane.obj")}, "groups": [group]}
    backend.handle(Show(table))
    backend.handle(TryPlace(table, 0, "goal", (2.0, 0.0, 0.0)))
    assert told.of(Shown)[0].problems == ()
    assert told.of(PlaceTried)[0].problem == ""
    other = {**table, "planner": {"space": "ground"}}  # asked for: the round body
    backend.handle(TryPlace(other, 0, "goal", (2.0, 0.0, 0.0)))
    assert "in collision" in told.of(PlaceTried)[1].problem


def test_one_stands_for_all_where_there_is_no_room(backend, told, table):
    backend.handle(Show(with_group(table, members=900)))
    (shown,) = told.of(Shown)
    assert shown.playback.member_count == 1
    np.testing.assert_allclose(shown.playback.position[0, 0], shown.places[0].point)


def test_groups_that_start_in_one_region_stand_beside_one_another(backend, told, table):
    first = table["groups"][0]
    backend.handle(Show({**table, "groups": [first, {**first, "name": "group 2"}]}))
    position = told.of(Shown)[0].playback.position[0]
    apart = np.linalg.norm(position[:2, None] - position[None, 2:], axis=2)
    assert len(position) == 4
    assert apart.min() > 2.0 * load_character(first["character"]).body.radius


def test_what_the_layers_show_of_a_run_comes_with_it(backend, told, table):
    backend.handle(StartRun(table))
    (started,) = told.of(Started)
    (known,) = started.playback.details
    assert len(known.nodes) >= 60
    assert known.corridor is not None
    backend.handle(Advance(70))
    last = [report.details for report in told.of(Stepped) if report.details is not None][-1]
    slots = last[0].slots_at(2.0)
    told_of = np.concatenate([report.position for report in told.of(Stepped)])
    apart = np.linalg.norm(slots - told_of[59], axis=1)
    assert (apart < 1.0).all(), "members are near the slots that are shown"


def test_slots_of_a_formation_chosen_on_the_way_are_shown_live_and_in_the_recording(
    backend, told, table, tmp_path
):
    table = {**table, "simulation": {"duration": 6.0}}
    backend.handle(StartRun(table))
    backend.handle(Advance(20))
    column = {"name": "narrow_passages", "formation": "column"}
    backend.handle(ChangeRun(with_group(table, behavior=column)))
    backend.handle(Advance(160))
    last = [report.details for report in told.of(Stepped) if report.details is not None][-1]
    beside, behind = (np.ptp(last[0].slots_at(time), axis=0) for time in (0.0, 5.0))
    assert beside[1] > 1.0 > 0.1 > beside[0], "a line goes east, one to the north of the other"
    assert behind[0] > 1.0 > 0.1 > behind[1], "a column does not"
    backend.handle(SaveRecording(str(tmp_path / "live.rmp3d")))
    with RecordingReader.open(tmp_path / "live.rmp3d") as recording:
        kept = playback(recording).details
    for time in (0.0, 1.5, 5.0):
        # A recording holds what is measured in single precision.
        np.testing.assert_allclose(kept[0].slots_at(time), last[0].slots_at(time), atol=1e-6)


def test_much_that_is_measured_is_told_in_fewer_rows_the_last_one_included(monkeypatch):
    monkeypatch.setattr("rmp3d.live.reports.MOST_NUMBERS", 100)
    notes = RunNotes(load("parking"), None, None, ())
    for second in range(90):
        measures = ({"weights": np.full(3, second)},)
        notes.add(Frame(float(second), *[np.zeros((1, 3))] * 3, ("",), (), measures))
    series = notes.series(0)
    assert series["time"][-1] == 89.0
    assert series["weights"].shape == (len(series["time"]), 3)
    assert 20 <= len(series["time"]) <= 25
    np.testing.assert_array_equal(series["weights"][:, 0], series["time"])


def test_forces_are_shown_if_they_are_recorded(backend, told, table):
    table = {**table, "simulation": {"duration": 1.0, "record_forces": True}}
    backend.handle(StartRun(table))
    backend.handle(Advance(100))
    (started,) = told.of(Started)
    assert "arrive" in started.playback.force_names
    force = np.concatenate([report.force for report in told.of(Stepped)])
    assert force.shape == (30, len(started.playback.force_names), 2, 3)
    assert np.abs(force).max() > 1.0


def test_a_scene_is_loaded_once(backend, told, table):
    backend.handle(Show(table))
    backend.handle(Show(with_group(table, start=[3.0, 3.0, 0.0])))
    assert [each.what for each in told.of(Working)] == ["loading the scene"]


def test_what_planning_takes_in_a_large_scene_is_told_before_it_begins(
    backend, told, table, monkeypatch
):
    monkeypatch.setattr("rmp3d.scenes.memory.MANY_TRIANGLES", 1)
    backend.handle(Show(table))
    backend.handle(Build({**table, "planner": {"nodes": 20}}))
    said = [f"{each.what} {each.about}" for each in told.of(Working)]
    cost = "planning takes about 0 s of a processor, 0.0 GiB"
    assert said[:3] == ["loading the scene ", cost, cost]
    assert said[3].startswith("roadmap of")


def test_a_roadmap_is_seen_growing_and_told_of(backend, told, table):
    backend.handle(Build({**table, "planner": {"nodes": 400}}))
    progress = [each.done for each in told.of(Working) if each.total]
    assert progress == sorted(progress)
    assert progress[-1] == 400
    last = told.of(Grown)[-1]
    assert len(last.nodes) == len(last.component) == 400
    assert np.bincount(last.component).argmax() == 0
    (built,) = told.of(Built)
    assert len(built.paths[0]) >= 2
    assert ("nodes", "400") in built.statistics[0]


def test_who_gives_up_while_building_gets_no_path(told, table):
    backend = LiveBackend(told.append, cancelled=lambda: bool(told.of(Grown)))
    with pytest.raises(CancelledError):
        backend.handle(Build({**table, "planner": {"nodes": 4000}}))
    assert not told.of(Built)


@pytest.mark.slow
def test_no_path_and_no_room_are_told_as_errors(backend, table):
    with pytest.raises(Rmp3dError, match="no path"):
        backend.handle(Build(with_group(table, goal=[17.0, 5.0, 3.0])))
    with pytest.raises(InputError, match="room for"):
        backend.handle(StartRun(with_group(table, members=500)))


def saved_and_run_again(backend, told, folder):
    """Save scenario and recording; return the recording's bytes and those of the command line."""
    changed = told.of(Changed)
    backend.handle(SaveScenario(changed[-1].table, str(folder / "saved.toml")))
    backend.handle(SaveRecording(str(folder / "live.rmp3d")))
    assert len(told.of(Saved)) == 2
    simulate(load(str(folder / "saved.toml")), recording_path=folder / "again.rmp3d")
    return (folder / "live.rmp3d").read_bytes(), (folder / "again.rmp3d").read_bytes()


def test_a_run_changed_on_the_way_repeats_from_its_saved_scenario(backend, told, table, tmp_path):
    backend.handle(Show(table))
    backend.handle(StartRun(table))
    backend.handle(Advance(20))
    arrow = with_group(table, behavior={"name": "narrow_passages", "formation": "column"})
    backend.handle(ChangeRun(arrow))
    backend.handle(Advance(40))
    backend.handle(ChangeRun(with_group(arrow, speed_limit=0.6)))
    backend.handle(Advance(10_000))
    live, again = saved_and_run_again(backend, told, tmp_path)
    assert live == again
    events = [event for report in told.of(Stepped) for event in report.events]
    changes = [(event.time, event.text) for event in events if event.kind == "change"]
    assert changes == [
        (pytest.approx(20 / 30), "formation column"),
        (pytest.approx(40 / 30), "at most 0.6 m/s"),
    ]
    assert any(event.text.startswith("line to column") for event in events)


def test_members_come_leave_and_are_sent_in_a_run_that_repeats(backend, told, table, tmp_path):
    del table["groups"][0]["goal"]
    acting = {"name": "acting", "idle": "round", "nodes": 60,
              "goals": {"round": {"go_to": ["east", "west"]}}}  # fmt: skip
    others = {**table["groups"][0], "name": "others", "start": "east", "behavior": "steering"}
    others["behavior"] = {"name": "steering", "behaviors": ["separation"]}
    table = with_group(table, behavior=acting)
    table = {**table, "groups": [table["groups"][0], others], "simulation": {"duration": 1.0}}
    backend.handle(StartRun(table))
    backend.handle(Advance(4))
    at = told.of(Started)[0].playback.position[0, 0] + [2.0, 0.0, 0.0]
    backend.handle(Intervene({"group": "group 1", "add": at.tolist()}))
    (shown,) = told.of(Regrouped)
    np.testing.assert_array_equal(shown.playback.group_of, [0, 0, 0, 1, 1])
    np.testing.assert_array_equal(shown.playback.life[:, 0], [0, 0, 4, 0, 0])
    backend.handle(Intervene({"group": "group 1", "remove": 0}))
    backend.handle(Intervene({"group": "others", "add": "east"}))
    backend.handle(Intervene({"group": "group 1", "send": at.tolist()}))
    with pytest.raises(InputError, match="member 0 cannot leave: it is not there"):
        backend.handle(Intervene({"group": "group 1", "remove": 0}))
    backend.handle(Advance(10_000))
    live, again = saved_and_run_again(backend, told, tmp_path)
    assert live == again
    assert told.of(Stepped)[-1].life[:, 0].tolist() == [0, 0, 4, 0, 0, 6]


def test_a_part_switched_while_it_runs_and_taken_back_repeats_from_the_saved_scenario(
    backend, told, table, tmp_path
):
    scene = {**table["scene"], "presence": [{"part": "pillar"}]}
    table = {**table, "scene": scene, "simulation": {"duration": 1.0}}
    backend.handle(StartRun(table))
    backend.handle(Advance(5))
    gone = {**table, "changes": [{"time": 0.1, "part": "pillar", "there": False}]}
    backend.handle(ChangeRun(gone))
    backend.handle(Advance(10))
    backend.handle(ChangeRun(table))
    backend.handle(Advance(10_000))
    live, again = saved_and_run_again(backend, told, tmp_path)
    assert live == again
    events = [event for report in told.of(Stepped) for event in report.events]
    assert [event.kind for event in events if event.text == "pillar"] == ["go", "appear"]


def test_the_shown_plan_of_formations_follows_a_change(backend, told, table):
    def planned():
        rooms = [r.details[0].corridor for r in told.of(Stepped) if r.details]
        return {rooms[-1].names[row] for row in rooms[-1].formation}

    backend.handle(StartRun(table))
    backend.handle(Advance(40))
    assert "line" in planned()
    column = with_group(table, behavior={"name": "narrow_passages", "formation": "column"})
    backend.handle(ChangeRun(column))
    backend.handle(Advance(80))
    assert planned() == {"column"}


def test_members_slow_down_to_a_speed_limit(backend, told, table):
    table = {**table, "simulation": {"duration": 5.0}}
    backend.handle(StartRun(table))
    backend.handle(Advance(45))
    backend.handle(ChangeRun(with_group(table, speed_limit=0.5)))
    backend.handle(Advance(10_000))
    position = np.concatenate([report.position for report in told.of(Stepped)])
    speed = np.linalg.norm(np.diff(position, axis=0), axis=2) * 30
    assert speed[:40].max() > 0.9
    assert speed[120:].max() < 0.5 * 1.001, "as near as braking that eases off comes in 2.5 s"


def test_what_a_run_cannot_become_is_refused_and_the_run_goes_on(backend, told, table):
    backend.handle(StartRun(table))
    with pytest.raises(InputError, match="another kind of behavior"):
        backend.handle(ChangeRun(with_group(table, behavior={"name": "self_guided"})))
    tight = {"name": "narrow_passages", "formation": "line", "spacing": 0.1}
    with pytest.raises(InputError, match="`spacing` 0\\.1 m is too small"):
        backend.handle(ChangeRun(with_group(table, behavior=tight)))
    backend.handle(Advance(30))
    assert told.of(Stepped)[-1].over is False
    assert sum(len(report.position) for report in told.of(Stepped)) == 29


def test_an_option_that_cannot_change_says_so(backend, told, table):
    backend.handle(StartRun(with_group(table, behavior={"name": "leader_following"})))
    other = {"name": "leader_following", "leader": "central"}
    with pytest.raises(InputError, match="`leader` cannot be changed while it runs"):
        backend.handle(ChangeRun(with_group(table, behavior=other)))


def test_a_longer_duration_lets_a_run_go_on(backend, told, table):
    backend.handle(StartRun({**table, "simulation": {"duration": 1.0}}))
    backend.handle(Advance(20))
    backend.handle(ChangeRun({**table, "simulation": {"duration": 2.0}}))
    backend.handle(Advance(10_000))
    frames = 1 + sum(len(report.position) for report in told.of(Stepped))
    assert frames == 61


def test_without_a_run_there_is_nothing_to_step_or_save(backend, tmp_path):
    for command in (Advance(3), SaveRecording(str(tmp_path / "a.rmp3d"))):
        with pytest.raises(InputError, match="there is no run"):
            backend.handle(command)


def test_recordings_and_scenarios_are_opened(backend, told, table, tmp_path):
    backend.handle(StartRun(table))
    backend.handle(Advance(40))
    backend.handle(SaveRecording(str(tmp_path / "half.rmp3d")))
    backend.handle(SaveScenario(table, str(tmp_path / "half.toml")))
    backend.handle(Open(str(tmp_path / "half.rmp3d")))
    backend.handle(Open(str(tmp_path / "half.toml")))
    recording, scenario = told.of(Opened)
    assert recording.playback.frame_count == 40
    assert recording.table == scenario.table
    assert scenario.playback is None


def test_a_mesh_is_opened_as_a_scene_to_move_in(backend, told, world):
    backend.handle(Open(str(world.folder / "yard.obj")))
    (opened,) = told.of(Opened)
    assert opened.table["scene"] == {"mesh": str(world.folder / "yard.obj")}
    backend.handle(Show(opened.table))
    (shown,) = told.of(Shown)
    assert [place.role for place in shown.places] == ["start", "goal"]
    assert shown.playback.scene.part_names == ("floor", "terrace", "screen", "pillar")


def test_a_file_with_bones_becomes_a_character_beside_it_and_is_never_written(
    backend, told, tmp_path
):
    rigged = tmp_path / "walker.glb"
    rigged.write_bytes((BUILTIN / "pedestrian.glb").read_bytes())
    before = rigged.read_bytes()
    backend.handle(Open(str(rigged)))
    assert told[-1] == BonesFound(str(rigged))
    backend.handle(AddCharacter(str(rigged)))
    made = tmp_path / "walker_character" / "walker.toml"
    assert told[-1] == Adopted(str(made))
    assert "walk" in load_character(made).rig.clips
    assert rigged.read_bytes() == before
    for command in (AddCharacter(str(rigged)), Open(str(made))):
        backend.handle(command)
        assert told[-1] == Adopted(str(made))


@pytest.mark.parametrize("content", [b"", b"\x89HDF\r\n\x1a\nnonsense", b"[scene"])
@pytest.mark.parametrize("suffix", [".rmp3d", ".toml", ".obj"])
def test_corrupt_files_are_refused_with_their_name(backend, tmp_path, content, suffix):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(content)
    with pytest.raises(Rmp3dError, match="broken"):
        backend.handle(Open(str(path)))


def test_a_second_run_of_the_same_plan_does_not_plan_again(backend, told, table):
    backend.handle(Build(table))
    told.clear()
    backend.handle(StartRun(table))
    assert not told.of(Grown)
    assert len(told.of(Started)) == 1
    assert not told.of(Failed)


def test_what_is_seen_is_exported_with_progress(backend, told, table, tmp_path):
    backend.handle(StartRun(table))
    backend.handle(Advance(20))
    (started,) = told.of(Started)
    backend.handle(Export(started.playback, str(tmp_path / "a.csv")))
    assert (tmp_path / "a.csv").stat().st_size > 0
    with pytest.raises(InputError, match="no export format"):
        backend.handle(Export(started.playback, str(tmp_path / "a.xyz")))
