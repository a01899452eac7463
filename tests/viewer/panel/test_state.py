"""The panel's state: what is asked of the session, and what follows from its answers."""

import numpy as np
import pytest

from rmp3d.viewer.panel.protocol import (
    Advance,
    Build,
    Built,
    Changed,
    ChangeRun,
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
from rmp3d.viewer.panel.state import PanelState, first_table
from rmp3d.viewer.playback.player import Player

TABLE = {"name": "yards", "scene": {"name": "parking"}, "groups": [{"members": 3}]}


@pytest.fixture
def studio(script):
    return PanelState(script, TABLE)


def answer(studio, *reports, player=None):
    studio.session.answers.extend(reports)
    return studio.update(player)


def run(studio, started):
    studio.run()
    answer(studio, Working("planning"), started)
    return Player(studio.playback)


def test_the_draft_is_shown_once_and_again_when_it_changes(studio, script, whole):
    studio.update(None)
    studio.update(None)
    assert [type(each) for each in script.sent] == [Show]
    answer(studio, Shown(whole, (), ("start in a wall",)))
    assert studio.playback is whole
    assert studio.problems == ("start in a wall",)
    studio.edit(["groups", 0, "start"], [1.0, 2.0, 0.0])
    studio.update(None)
    assert script.sent[-1].table["groups"][0]["start"] == [1.0, 2.0, 0.0]
    assert len(script.sent) == 2


def test_a_busy_session_is_left_alone(studio, script):
    script.busy = True
    studio.update(None)
    assert script.sent == []


def test_building_shows_progress_and_the_roadmap_as_it_comes(studio, script, whole):
    studio.build()
    assert isinstance(script.sent[-1], Build)
    assert studio.phase == "building"
    nodes = whole.position[0]
    grown = Grown(0, nodes, [0, 0, 0], nodes[:1], nodes[1:2])
    assert answer(studio, Working("roadmap of group 1", 3, 10), grown)
    assert (studio.working.done, studio.working.total) == (3, 10)
    assert studio.roadmaps[0] is grown
    answer(studio, Built((nodes,), ((("nodes", "3"),),)))
    assert studio.phase == "built"
    assert studio.notice.text == "nodes 3"


def test_an_edit_after_building_is_a_draft_again(studio, whole):
    studio.build()
    answer(studio, Built((), ()))
    studio.edit(["planner", "nodes"], 10)
    assert studio.phase == "draft"


def test_a_failure_is_said_and_the_draft_stays(studio):
    studio.build()
    answer(studio, Failed("no path found: ..."))
    assert studio.phase == "draft"
    assert studio.notice.text.startswith("no path")
    assert studio.notice.is_error
    assert studio.draft.chosen["members"] == 3


def test_what_was_cancelled_is_no_error(studio, script):
    studio.build()
    studio.stop()
    answer(studio, Failed("cancelled", cancelled=True))
    assert script.cancelled
    assert not studio.notice.text
    assert studio.phase == "draft"


def test_a_run_begins_to_play_once_and_is_simulated_as_it_is_watched(studio, script, started, more):
    player = run(studio, started)
    assert isinstance(script.sent[0], StartRun)
    assert studio.take_start()
    assert not studio.take_start()
    player.playing = True
    studio.update(player)
    wanted = script.sent[-1].frames
    assert isinstance(script.sent[-1], Advance)
    assert 2 <= wanted < 40, "not far ahead of what is shown"
    answer(studio, more(1, wanted), player=player)
    assert studio.playback.frame_count == wanted
    player.playback = studio.playback
    player.seek(studio.playback.duration)
    player.change_speed(3)
    studio.update(player)
    assert script.sent[-1].frames > wanted + 8 * 10, "faster play looks farther ahead"


def test_a_paused_run_stands_still(studio, script, started, more):
    player = run(studio, started)
    answer(studio, more(1, 30), player=player)
    count = len(script.sent)
    player.playback = studio.playback
    studio.update(player)
    assert len(script.sent) == count
    player.seek(studio.playback.duration)  # a step at the end asks for one more frame
    studio.update(player)
    assert script.sent[-1] == Advance(31)


def test_a_run_that_is_over_is_not_asked_for_more(studio, script, started, more):
    player = run(studio, started)
    answer(studio, more(1, 20, over=True), player=player)
    assert studio.phase == "over"
    count = len(script.sent)
    player.seek(1e9)
    studio.update(player)
    assert len(script.sent) == count


def test_live_keys_are_passed_on_and_others_wait(studio, script, started):
    player = run(studio, started)
    studio.edit(["groups", 0, "behavior", "formation"], "arrow")
    studio.edit(["planner", "nodes"], 50)
    studio.edit(["planner", "nodes"], 60)
    studio.add_group()
    studio.update(player)
    assert isinstance(script.sent[-1], ChangeRun)
    assert script.sent[-1].table["groups"][0]["behavior"]["formation"] == "arrow"
    assert studio.waiting == ["planner.nodes", "groups"]
    script.sent.clear()
    studio.update(player)
    assert not any(isinstance(each, ChangeRun) for each in script.sent)
    studio.run()
    assert studio.waiting == []


def test_the_saved_scenario_of_a_changed_run_is_the_one_that_repeats_it(studio, script, started):
    run(studio, started)
    ran = {**TABLE, "changes": [{"time": 1.0, "group": "group 1", "speed_limit": 0.5}]}
    answer(studio, Changed(ran))
    studio.save(" a.toml ")
    assert script.sent[-1] == SaveScenario(ran, "a.toml")
    studio.edit(["planner", "nodes"], 60)
    studio.save("a.toml")
    assert script.sent[-1].table["planner"] == {"nodes": 60}


def test_recordings_are_saved_of_runs_only(studio, script, started):
    studio.save("a.rmp3d")
    assert studio.notice.is_error
    run(studio, started)
    studio.save("a.rmp3d")
    assert script.sent[-1] == SaveRecording("a.rmp3d")
    answer(studio, Saved("a.rmp3d"))
    assert studio.notice.text == "saved a.rmp3d"


def test_opened_files_become_the_draft(studio, script, whole):
    studio.open("a.rmp3d")
    assert script.sent[-1] == Open("a.rmp3d")
    answer(studio, Opened("a.rmp3d", {**TABLE, "seed": 7}, whole))
    assert studio.phase == "recording"
    assert studio.playback is whole
    assert studio.draft.get(["seed"]) == 7


def test_switching_the_scene_ends_a_run(studio, script, started, more):
    player = run(studio, started)
    studio.choose_scene("canyon")
    assert script.cancelled
    assert studio.phase == "draft"
    answer(studio, more(1, 5), player=player)  # too late
    assert studio.playback.frame_count == 1
    assert script.sent[-1].table["scene"] == {"name": "canyon"}


def test_a_place_is_put_only_while_placing(studio):
    studio.place([1, 2, 3])
    assert "start" not in studio.draft.chosen
    studio.placing = "start"
    studio.place([1.00049, 2, -0.0])
    assert studio.draft.chosen["start"] == [1.0, 2.0, 0.0]
    assert studio.placing == ""


def test_a_region_becomes_the_point_in_its_middle(studio, whole):
    region = whole.scene.regions["start"]
    places = (Place("start", 0, region, None), Place("goal", 0, region, np.array([1.0, 2, 3])))
    answer(studio, Shown(whole, places, ()))
    studio.make_point("start")
    studio.make_point("goal")
    assert studio.draft.chosen["start"] == pytest.approx(region.center)
    assert studio.draft.chosen["goal"] == [1.0, 2.0, 3.0]


def test_planning_again_takes_the_next_seed(studio, script):
    studio.replan()
    assert script.sent[-1].table["seed"] == 1


def test_the_first_table_is_a_built_in_scenario():
    assert first_table("parking")["scene"]["name"] == "parking"
