"""The panel's state: what is asked of the session, and what follows from its answers."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes import Scene
from rmp3d.viewer.panel.protocol import (
    COMPILING,
    Advance,
    Build,
    Built,
    Changed,
    ChangeRun,
    Compared,
    Failed,
    Grown,
    Open,
    Opened,
    Place,
    Saved,
    SaveRecording,
    SaveScenario,
    Show,
    Shown,
    StartRun,
    Working,
)
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.playback.clock import PlaybackClock

TABLE = {"name": "yards", "scene": {"name": "parking"}, "groups": [{"members": 3}]}


@pytest.fixture
def state(script):
    return PanelState(script, TABLE)


def answer(state, *reports, clock=None):
    state.session.answers.extend(reports)
    return state.update(clock)


def run(state, started):
    state.run()
    answer(state, Working("planning"), started)
    return PlaybackClock(state.playback)


def test_the_draft_is_shown_once_and_again_when_it_changes(state, script, whole):
    state.update(None)
    state.update(None)
    assert [type(each) for each in script.sent] == [Show]
    answer(state, Shown(whole, (), ("start in a wall",)))
    assert state.playback is whole
    assert state.problems == ("start in a wall",)
    state.edit(["groups", 0, "start"], [1.0, 2.0, 0.0])
    state.update(None)
    assert script.sent[-1].table["groups"][0]["start"] == [1.0, 2.0, 0.0]
    assert len(script.sent) == 2


def test_that_a_run_waits_for_kernels_to_be_compiled_is_said_until_it_goes_on(state, started, more):
    run(state, started)
    answer(state, Working(COMPILING))
    assert state.working.what == COMPILING
    answer(state, more(1, 4))
    assert state.working.what == ""
    answer(state, Working("writing", 1, 9))
    answer(state, more(4, 5))
    assert state.working.what == "writing", "other work goes on"


def test_a_busy_session_is_left_alone(state, script):
    script.busy = True
    state.update(None)
    assert script.sent == []


def test_building_shows_progress_and_the_roadmap_as_it_comes(state, script, whole):
    state.build()
    assert isinstance(script.sent[-1], Build)
    assert state.phase == "building"
    nodes = whole.position[0]
    grown = Grown(0, nodes, [0, 0, 0], nodes[:1], nodes[1:2])
    assert answer(state, Working("roadmap of group 1", 3, 10), grown)
    assert (state.working.done, state.working.total) == (3, 10)
    assert state.roadmaps[0] is grown
    answer(state, Built((nodes,), ((("nodes", "3"),),)))
    assert state.phase == "built"
    assert state.notice.text == "nodes 3"


def test_an_edit_after_building_is_a_draft_again(state, whole):
    state.build()
    answer(state, Built((), ()))
    state.edit(["planner", "nodes"], 10)
    assert state.phase == "draft"


def test_a_failure_is_said_and_the_draft_stays(state):
    state.build()
    answer(state, Failed("no path found: ..."))
    assert state.phase == "draft"
    assert state.notice.text.startswith("no path")
    assert state.notice.is_error
    assert state.draft.chosen["members"] == 3


def test_what_was_cancelled_is_no_error(state, script):
    state.build()
    state.stop()
    answer(state, Failed("cancelled", cancelled=True))
    assert script.cancelled
    assert not state.notice.text
    assert state.phase == "draft"


def test_a_run_begins_to_play_once_and_is_simulated_as_it_is_watched(state, script, started, more):
    clock = run(state, started)
    assert isinstance(script.sent[0], StartRun)
    assert state.take_start()
    assert not state.take_start()
    clock.playing = True
    state.update(clock)
    wanted = script.sent[-1].frames
    assert isinstance(script.sent[-1], Advance)
    assert 2 <= wanted < 40, "not far ahead of what is shown"
    answer(state, more(1, wanted), clock=clock)
    assert state.playback.frame_count == wanted
    clock.playback = state.playback
    clock.seek(state.playback.duration)
    clock.change_speed(3)
    state.update(clock)
    assert script.sent[-1].frames > wanted + 8 * 10, "faster play looks farther ahead"


def test_a_paused_run_stands_still(state, script, started, more):
    clock = run(state, started)
    assert state.take_start()
    answer(state, more(1, 30), clock=clock)
    count = len(script.sent)
    clock.playback = state.playback
    state.update(clock)
    assert len(script.sent) == count
    clock.seek(state.playback.duration)  # a step at the end asks for one more frame
    state.update(clock)
    assert script.sent[-1] == Advance(31)


def test_a_run_that_is_over_is_not_asked_for_more(state, script, started, more):
    clock = run(state, started)
    answer(state, more(1, 20, over=True), clock=clock)
    assert state.phase == "over"
    count = len(script.sent)
    clock.seek(1e9)
    state.update(clock)
    assert len(script.sent) == count


def test_live_keys_are_passed_on_and_others_wait(state, script, started):
    clock = run(state, started)
    state.edit(["groups", 0, "behavior", "formation"], "arrow")
    state.edit(["planner", "nodes"], 50)
    state.edit(["planner", "nodes"], 60)
    state.add_group()
    state.update(clock)
    assert isinstance(script.sent[-1], ChangeRun)
    assert script.sent[-1].table["groups"][0]["behavior"]["formation"] == "arrow"
    assert sorted(state.waiting) == ["groups", "planner.nodes"]
    script.sent.clear()
    state.update(clock)
    assert not any(isinstance(each, ChangeRun) for each in script.sent)
    state.run()
    assert state.waiting == []


def test_the_saved_scenario_of_a_changed_run_is_the_one_that_repeats_it(state, script, started):
    run(state, started)
    ran = {**TABLE, "changes": [{"time": 1.0, "group": "group 1", "speed_limit": 0.5}]}
    answer(state, Changed(ran))
    state.files.save(" a.toml ")
    assert script.sent[-1] == SaveScenario(ran, "a.toml")
    state.edit(["planner", "nodes"], 60)
    state.files.save("a.toml")
    assert script.sent[-1].table["planner"] == {"nodes": 60}


def test_recordings_are_saved_of_runs_only(state, script, started):
    state.files.save("a.rmp3d")
    assert state.notice.is_error
    run(state, started)
    state.files.save("a.rmp3d")
    assert script.sent[-1] == SaveRecording("a.rmp3d")
    answer(state, Saved("a.rmp3d"))
    assert state.notice.text == "saved a.rmp3d"


def test_opened_files_become_the_draft(state, script, whole):
    state.files.open("a.rmp3d")
    assert script.sent[-1] == Open("a.rmp3d")
    answer(state, Opened("a.rmp3d", {**TABLE, "seed": 7}, whole))
    assert state.phase == "recording"
    assert state.playback is whole
    assert state.draft.get(["seed"]) == 7


def test_who_compares_no_more_is_not_told_of_ghosts(state, whole):
    state.compare("b.rmp3d")
    answer(state, Compared(whole))
    assert "ghosts" in state.notice.text
    state.compare("")
    assert not state.notice.text


def test_a_recording_of_another_scene_that_is_compared_says_so(state, whole):
    answer(state, Opened("a.rmp3d", {**TABLE, "seed": 7}, whole))
    answer(state, Compared(whole))
    assert "another one" not in state.notice.text
    part = whole.scene.parts[0]
    away = replace(part, mesh=type(part.mesh)(part.mesh.vertices + 9.0, part.mesh.faces))
    other = Scene("other", (away,), {}, away.mesh.bounds)
    answer(state, Compared(replace(whole, scene=other)))
    assert "its scene is another one" in state.notice.text


def test_switching_the_scene_ends_a_run(state, script, started, more):
    clock = run(state, started)
    state.choose_scene("canyon")
    assert script.cancelled
    assert state.phase == "draft"
    answer(state, more(1, 5), clock=clock)  # too late
    assert state.playback.frame_count == 1
    assert script.sent[-1].table["scene"] == {"name": "canyon"}


def test_a_place_is_put_only_while_placing(state):
    state.place([1, 2, 3])
    assert "start" not in state.draft.chosen
    state.placing = "start"
    state.place([1.00049, 2, -0.0])
    assert state.draft.chosen["start"] == [1.0, 2.0, 0.0]
    assert state.placing == ""


def test_a_region_becomes_the_point_in_its_middle(state, whole):
    region = whole.scene.regions["start"]
    places = (Place("start", 0, region, None), Place("goal", 0, region, np.array([1.0, 2, 3])))
    answer(state, Shown(whole, places, ()))
    state.make_point("start")
    state.make_point("goal")
    assert state.draft.chosen["start"] == pytest.approx(region.center)
    assert state.draft.chosen["goal"] == [1.0, 2.0, 3.0]


def test_planning_again_takes_the_next_seed(state, script):
    state.replan()
    assert script.sent[-1].table["seed"] == 1


def test_a_run_begun_anew_is_not_simulated_up_to_where_the_last_one_was_watched(
    state, script, whole, started, more
):
    clock = run(state, started)
    assert state.take_start()
    answer(state, more(1, 400), clock=clock)
    clock.playback = state.playback
    clock.seek(12.0)
    state.replan()
    script.sent.clear()
    answer(state, started, clock=clock)  # the window has not gone back to the start yet
    assert not any(isinstance(each, Advance) for each in script.sent)
    assert state.take_start()
    clock.seek(0.0)
    clock.playing = True
    state.update(clock)
    assert script.sent[-1].frames < 40


def test_an_error_goes_with_the_scene_that_it_is_about(state):
    state.build()
    answer(state, Failed("no path found: ..."))
    state.choose_scene("meadow")
    assert not state.notice.text


def test_changes_are_undone_and_made_again_also_while_a_run_goes_on(state, script, started):
    state.edit(["planner", "nodes"], 50)
    state.update(None)
    state.edit(["groups", 0, "members"], 4)
    state.undo()
    assert state.draft.chosen["members"] == 3
    assert state.draft.get(["planner", "nodes"]) == 50
    state.undo()
    assert state.draft.get(["planner", "nodes"]) is None
    state.undo()
    assert state.notice.text == "there is nothing to undo"
    state.redo()
    clock = run(state, started)
    state.edit(["groups", 0, "behavior", "formation"], "arrow")
    state.update(clock)
    state.undo()
    script.sent.clear()
    state.update(clock)
    (told,) = script.sent
    assert isinstance(told, ChangeRun)
    assert "formation" not in told.table["groups"][0]["behavior"]


def test_what_is_changed_after_a_run_waits_for_the_next(state, started, more):
    clock = run(state, started)
    state.edit(["groups", 0, "behavior", "formation"], "arrow")
    answer(state, more(1, 20, over=True), clock=clock)
    assert state.waiting == []
    state.edit(["groups", 0, "behavior", "formation"], "line")
    assert state.waiting == ["groups.0.behavior.formation"]
    state.undo()
    assert state.waiting == []


def test_what_waits_for_the_next_run_is_named_by_its_group(state):
    state.edit(["groups", 0, "name"], "walkers")
    assert state.draft.named("groups.0.members") == "walkers: members"
    assert state.draft.named("groups.0.behavior.formation") == "walkers: behavior.formation"
    for key in ("groups", "groups.7.members", "planner.nodes"):
        assert state.draft.named(key) == key


def test_figures_of_several_groups_say_whose_they_are():
    row = (("path length", "34.11 m"), ("nodes", "800"), ("edges", "7,118"))
    built = Built((), (row, (), row))
    assert built.summary(["a"]) == "path length 34.11 m, nodes 800, edges 7,118"
    assert built.summary(["a", "b", "c"]) == (
        "a: path length 34.11 m, nodes 800\nc: path length 34.11 m, nodes 800"
    )
