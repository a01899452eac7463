"""Weights that a group has learned, from one run to the next."""

import pytest

import rmp3d as rp


@pytest.mark.slow
def test_a_run_keeps_its_weights_and_another_begins_with_them(tmp_path):
    first, second = tmp_path / "first.roadmap", tmp_path / "second.roadmap"
    group = rp.Group(
        members=2, start="west", goal="east", behavior=rp.GoalSearch(rule="trails", nodes=60)
    )
    rp.run("plain", group, save_roadmap=first, nodes=60, duration=1.0)
    rp.run("plain", group, roadmap=str(first), save_roadmap=second, nodes=60, duration=1.0)
    assert b'"runs":1' in first.read_bytes()
    assert b'"runs":2' in second.read_bytes()
