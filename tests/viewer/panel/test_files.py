"""What is opened and saved, and that nothing is lost without a question."""

from pathlib import Path

import pytest

from rmp3d.viewer.panel.protocol import (
    COMPILING,
    AddCharacter,
    Adopted,
    Advance,
    BonesFound,
    Changed,
    Export,
    Failed,
    OfExport,
    Open,
    Opened,
    Saved,
    SaveRecording,
    SaveScenario,
    Working,
)
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.playback.clock import PlaybackClock

TABLE = {"name": "yards", "scene": {"name": "parking"}, "groups": [{"members": 3}]}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def state(script):
    return PanelState(script, TABLE)


def answer(state, *reports):
    state.session.answers.extend(reports)
    return state.update(None)


def words(state):
    return [text for text, _ in state.files.question.answers]


def test_a_wrong_name_leaves_the_run_as_it_is(state, script, started):
    state.run()
    answer(state, Working("planning"), started)
    playback = state.playback
    state.files.open("nonsense.toml")
    answer(state, Failed("nonsense.toml: no such file"))
    assert state.phase == "running"
    assert state.playback is playback
    assert script.cancelled == 1, "by the start of the run only"
    assert state.notice.is_error


def test_nothing_is_opened_over_a_roadmap_that_is_being_built(state, script):
    state.build()
    state.files.open("other.toml")
    assert not any(isinstance(each, Open) for each in script.sent)
    assert "press Cancel first" in state.notice.text
    assert state.phase == "building"


def test_the_tilde_is_the_home_folder(state, script):
    state.files.open("~/a.toml")
    assert script.sent[-1] == Open(str(Path.home() / "a.toml"))
    state.files.save(" ~/b.toml ")
    assert script.sent[-1].path == str(Path.home() / "b.toml")


def test_another_file_is_replaced_only_if_the_user_says_so(state, script, tmp_path):
    (tmp_path / "there.toml").write_text("x")
    state.files.save("there.toml")
    assert not script.sent
    assert words(state) == ["Replace it", "Cancel"]
    state.files.answer(-1)
    assert not script.sent
    state.files.save("there.toml")
    state.files.answer(0)
    assert isinstance(script.sent[-1], SaveScenario)
    answer(state, Saved("there.toml"))
    state.files.save("there.toml")  # its own file by now
    assert state.files.question is None
    assert [each.path for each in script.sent if isinstance(each, SaveScenario)] == [
        "there.toml"
    ] * 2


def test_recordings_ask_too(state, script, started, tmp_path):
    state.run()
    answer(state, started)
    (tmp_path / "a.rmp3d").write_text("x")
    state.files.save("a.rmp3d")
    assert not any(isinstance(each, SaveRecording) for each in script.sent)
    state.files.answer(0)
    assert script.sent[-1] == SaveRecording("a.rmp3d")


def test_it_is_left_at_once_if_all_is_saved_and_else_after_a_question(state):
    state.files.leave()
    assert state.files.leaving
    state.files.leaving = False
    state.edit(["seed"], 5)
    assert state.files.unsaved
    state.files.leave()
    assert not state.files.leaving
    assert words(state) == ["Save first", "Leave without saving", "Cancel"]
    assert f"writes {state.files.path}" in state.files.question.text  # it says which file
    state.files.answer(-1)
    assert not state.files.leaving
    state.files.leave()
    state.files.answer(1)
    assert state.files.leaving


def test_an_export_has_the_name_of_the_recording_that_is_seen(state, script, whole, tmp_path):
    (tmp_path / "b.rmp3d").write_text("x")
    state.files.open(str(tmp_path / "b.rmp3d"))
    answer(state, Opened("b.rmp3d", TABLE, whole))
    state.files.export(".csv")
    assert isinstance(script.sent[-1], Export)
    assert script.sent[-1].path == str(tmp_path / "b.csv")
    answer(state, Saved(str(tmp_path / "b.csv")))
    state.run()
    state.playback = whole
    state.phase = "over"
    state.files.export(".csv")
    assert script.sent[-1].path == "my-scenario.csv", "a run is no longer the recording"


@pytest.mark.parametrize(
    "told",
    [
        Working("saving", 2, 181),
        OfExport(Working("writing", 2, 181, ".mp4")),
        OfExport(Working(COMPILING)),
    ],
)
def test_a_file_that_is_being_written_is_not_lost_without_a_question(state, told):
    answer(state, told)
    state.files.leave()
    assert not state.files.leaving
    assert words(state) == ["Leave without the file", "Cancel"]
    state.files.answer(-1)
    assert not state.files.leaving
    state.edit(["seed"], 5)
    state.files.leave()
    assert words(state)[1] == "Leave without saving"
    state.files.answer(1)
    assert words(state)[0] == "Leave without the file"
    state.files.answer(0)
    assert state.files.leaving


def test_saved_first_it_is_left_when_the_file_is_written(state, script):
    state.edit(["seed"], 5)
    state.files.leave()
    state.files.answer(0)
    assert isinstance(script.sent[-1], SaveScenario)
    assert not state.files.leaving
    answer(state, Saved(script.sent[-1].path))
    assert state.files.leaving
    assert not state.files.unsaved


def test_what_cannot_be_saved_is_not_left(state, script):
    state.edit(["seed"], 5)
    state.files.leave()
    state.files.answer(0)
    answer(state, Failed("cannot be written"))
    assert not state.files.leaving
    state.files.save("b.toml")
    answer(state, Saved("b.toml"))
    assert not state.files.leaving, "that wish is forgotten"


def test_an_opened_file_takes_the_place_of_changes_only_after_a_question(state):
    state.edit(["seed"], 5)
    state.files.open("a.toml")
    answer(state, Opened("a.toml", {**TABLE, "seed": 7}))
    assert state.draft.get(["seed"]) == 5
    state.files.answer(1)
    assert state.draft.get(["seed"]) == 7
    assert not state.files.unsaved
    assert state.files.path == "a.toml"


def test_a_change_that_is_undone_is_nothing_to_save(state):
    state.edit(["seed"], 5)
    state.undo()
    assert not state.files.unsaved
    state.redo()
    assert state.draft.get(["seed"]) == 5


def test_what_is_seen_is_exported_by_its_suffix_and_the_scenario_stays_unsaved(
    state, script, started
):
    state.files.save("a.mp4")
    assert "press Run first" in state.notice.text
    state.run()
    answer(state, started)
    state.edit(["seed"], 5)
    state.files.camera = "group"
    state.files.save("a.mp4")
    told = script.sent[-1]
    assert (told.path, told.camera) == ("a.mp4", "group")
    assert told.playback is state.playback
    answer(state, *map(OfExport, (Working("writing .mp4", 1, 2), Saved("a.mp4"))))
    assert state.files.unsaved
    assert state.files.path == "my-scenario.toml"
    assert not state.files.recent, "a film cannot be opened"
    answer(state, OfExport(Saved("a.glb")))
    assert state.files.recent == [str(Path("a.glb").absolute())]
    state.end_work()
    assert state.notice.text == "cancelled"


def test_a_file_with_bones_becomes_a_character_a_scene_or_nothing(state, script):
    for row, sent in ((0, AddCharacter("a.glb")), (1, Open("a.glb", as_scene=True))):
        state.files.open("a.glb")
        answer(state, BonesFound("a.glb"))
        assert not state.working.what
        state.files.answer(row)
        assert script.sent[-1] == sent
    answer(state, BonesFound("a.glb"))
    state.files.answer(-1)
    assert script.sent[-1] == sent


def test_a_character_is_taken_by_the_group_and_can_be_given_back(state):
    state.draft.chosen["character"] = ["bird", "fish"]
    answer(state, Adopted("/x/hero.toml"))
    assert state.draft.characters == ["bird", "/x/hero.toml"]
    assert state.notice.text == "character: /x/hero.toml"
    state.undo()
    assert state.draft.characters == ["bird", "fish"]


def test_an_error_goes_when_something_is_saved(state):
    state.refuse("nonsense.toml: no such file")
    state.files.save("film.toml")
    assert not state.notice.text


def test_a_run_goes_on_while_what_is_seen_is_exported(state, script, started, whole):
    state.run()
    answer(state, started)
    state.take_start()
    state.files.export(".csv")
    assert state.files.exporting.what == "exporting"
    script.sent.clear()
    state.update(PlaybackClock(whole, 1.0))
    assert any(isinstance(each, Advance) for each in script.sent)
    answer(state, OfExport(Working("writing", 1, 9, ".csv")))
    assert (state.working.what, state.files.exporting.done) == ("", 1)
    state.stop()
    assert (script.ended_exports, state.files.exporting.what) == (0, "writing")
    state.end_work()
    assert (script.ended_exports, state.files.exporting.what) == (1, "")
    answer(state, OfExport(Working("writing", 2, 9)), OfExport(Failed("the disk is full")))
    assert (state.files.exporting.what, state.notice.text) == ("", "the disk is full")


def test_an_export_that_ends_first_does_not_let_the_window_go_before_the_scenario_is_saved(
    state, script, started
):
    state.run()
    answer(state, started)
    state.files.export(".csv")
    state.edit(["seed"], 5)
    state.files.leave()
    state.files.answer(0)
    answer(state, OfExport(Saved("my-scenario.csv")))
    assert not state.files.leaving
    answer(state, OfExport(Failed("the disk is full")))
    answer(state, Saved("my-scenario.toml"))
    assert state.files.leaving


@pytest.mark.parametrize("path", ["a.toml", "a.rmp3d"])
def test_what_was_done_to_a_run_is_not_lost_without_a_question(state, script, started, path):
    state.run()
    answer(state, started)
    assert not state.files.unsaved
    ran = {**TABLE, "changes": [{"time": 1.0, "group": "group 1", "remove": [0]}]}
    answer(state, Changed(ran))
    state.files.leave()
    assert not state.files.leaving
    state.files.answer(-1)
    state.files.save(path)
    assert getattr(script.sent[-1], "table", ran) == ran
    answer(state, Saved(path))
    state.files.leave()
    assert state.files.leaving
