"""Plans that are proved again, and the faults that are planted into them."""

import json

import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d.cli import main
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.work_limit import OutOfTimeError, work_limit
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.plans import confirming
from rmp3d.plans.body_plan import BodyPlan
from rmp3d.plans.facts import result_facts

BOTH = ["python-fcl", "interval arithmetic"]


def planned(saved):
    return rp.plan(json.loads(saved.read_text())["problem"]["file"], time_limit=30)


def altered(saved, change):
    table = json.loads(saved.read_text())
    change(table)
    path = saved.with_name("other.json")
    path.write_text(json.dumps(table))
    return rp.verify(path).bodies[0]


def test_a_plan_is_confirmed_by_both_judges(saved, capsys):
    assert main(["verify", str(saved), "--json"]) == 0
    (body,) = json.loads(capsys.readouterr().out)["bodies"]
    assert body["ok"]
    assert body["confirmed_by"] == BOTH
    assert main(["verify", str(saved)]) == 0
    assert "interval arithmetic confirms" in capsys.readouterr().out


def test_a_new_plan_says_who_confirms_it(saved, monkeypatch):
    facts = json.loads(saved.read_text())
    assert facts["confirmed_by"] == BOTH
    assert facts["seconds"]["judge"] <= facts["seconds"]["total"]
    upright = rp.plan("sky", body="drone", start=(-25, -15, 10), goal=(25, 15, 10))
    assert upright.confirmed_by == ("python-fcl",)
    found = planned(saved)
    assert list(found.confirmed_by) == BOTH
    assert result_facts(found)["confirmed_by"] == BOTH


def test_a_second_judge_that_gives_up_or_refuses_is_not_among_those_who_confirm(saved, monkeypatch):
    monkeypatch.setattr(confirming, "LONGEST", 1e-9)
    facts = result_facts(planned(saved))
    assert (facts["confirmed_by"], facts["gave_up"]) == (["python-fcl"], ["interval arithmetic"])
    monkeypatch.undo()
    monkeypatch.setattr(confirming, "refused_by_intervals", lambda world, path: 3)
    facts = result_facts(planned(saved))
    assert facts["confirmed_by"] == ["python-fcl"]
    assert facts["refused"] == {"interval arithmetic": 3}
    assert "interval arithmetic refuses motion 3" in confirming.confirmation_text(facts)


def test_a_plan_of_python_and_of_a_scenario_are_proved(tmp_path):
    report = rp.verify(rp.plan("sky", body="drone", start=(-25, -15, 10), goal=(25, 15, 10)))
    assert report.ok
    assert report.as_dict()["bodies"][0]["confirmed_by"] == ["python-fcl"]


def test_a_shortcut_through_an_obstacle_is_refused_by_both(saved):
    body = altered(saved, lambda table: table.update(path=[table["path"][0], table["path"][-1]]))
    assert not body.ok
    assert body.as_dict()["refused"] == dict.fromkeys(BOTH, 0)


def test_other_ends_no_path_and_bounds_are_found(saved):
    def halved(table):
        del table["path"][-1]

    def lost(table):
        table.update(path=[], solved=False, reason="out of time")

    def away(table):
        table["path"].insert(1, [1e6, 0.0, 0.0, *table["path"][0][3:]])

    assert "the path's goal" in altered(saved, halved).faults[0]
    assert altered(saved, lost).faults == ("there is no path: out of time",)
    assert any("out of bounds" in fault for fault in altered(saved, away).faults)


def test_a_false_length_or_clearance_and_a_false_way_are_found(saved):
    def longer(table):
        table["length"] *= 1.01

    def wider(table):
        table["clearance_min"] += 0.01

    def narrower(table):
        table["clearance_min"] *= 0.5

    def cut_short(table):
        way = [table["path"][0], table["path"][-1]]
        table["tradeoffs"] = [{"length": table["length"], "costs": {}, "path": way}]

    assert "the path's length is" in altered(saved, longer).faults[0]
    assert "the path's least clearance is" in altered(saved, wider).faults[0]
    assert altered(saved, narrower).ok
    altered(saved, cut_short)
    own, tradeoff = rp.verify(saved.with_name("other.json")).bodies
    assert own.ok
    assert set(tradeoff.as_dict()["refused"]) == set(BOTH)
    assert "the path's length is" in tradeoff.faults[0]
    with pytest.raises(InputError, match=r"length"):
        altered(saved, lambda table: table.update(length="long"))


@pytest.mark.parametrize("far", [1e12, 1e59])
def test_a_motion_beyond_all_sense_is_refused_at_once(saved, far):
    body = altered(saved, lambda table: table["path"].insert(1, [far, far, 0.0, 1.0, 0, 0, 0]))
    assert set(body.as_dict()["refused"]) == set(BOTH)
    with pytest.raises(InputError, match=r"`path\[1\]` has a number beyond 1e\+60"):
        altered(saved, lambda table: table["path"].insert(1, [1e300, 0.0, 0.0, 1.0, 0, 0, 0]))


def test_a_judge_that_is_fooled_is_outvoted(saved, monkeypatch):
    monkeypatch.setattr(BodyPlan, "refused", None)
    body = altered(saved, lambda table: table.update(path=[table["path"][0], table["path"][-1]]))
    assert body.as_dict()["confirmed_by"] == ["python-fcl"]
    assert not body.ok


def test_judges_give_up_in_the_end_and_then_confirm_nothing(saved, capsys):
    assert main(["verify", str(saved), "--time-limit", "1e-9"]) == 1
    out = capsys.readouterr().out
    assert "python-fcl took too long and confirms none of" in out
    assert "`--time-limit S` gives the judges S seconds" in out
    (body,) = rp.verify(saved, time_limit=1e-9).as_dict()["bodies"]
    assert (body["ok"], body["confirmed_by"], body["gave_up"]) == (False, [], BOTH)
    upright = rp.plan("sky", body="drone", start=(-25, -15, 10), goal=(25, 15, 10))
    assert rp.verify(upright, time_limit=1e-9).bodies[0].verdicts[0].gave_up
    for wrong in (0, -1, float("nan")):
        with pytest.raises(InputError, match="a positive number of seconds"):
            rp.verify(saved, time_limit=wrong)


def test_a_long_way_in_a_tube_that_a_body_just_fits_is_given_up():
    ball, corner = trimesh.creation.icosphere(subdivisions=1), 1.002 / np.cos(np.pi / 8)
    angle = np.arange(9) * np.pi / 4
    tube = [[x, corner * np.cos(a), corner * np.sin(a)] for a in angle for x in (-60.0, 60.0)]
    quads = 2 * np.arange(8)[:, None] + [[0, 1, 3, 0, 3, 2]]
    body = TriangleMesh(ball.vertices, ball.faces)
    judge = RigidJudge(body, TriangleMesh(tube, quads.reshape(-1, 3)), None, np.zeros((0, 3)))
    ends = np.array([[-50.0, 0, 0, 1, 0, 0, 0], [50.0, 0, 0, 0.8, 0.6, 0, 0]])
    with work_limit(1e-3), pytest.raises(OutOfTimeError):
        judge.first_refused(ends)
    ends[:, 0] *= 1e-3
    assert judge.first_refused(ends) == -1
