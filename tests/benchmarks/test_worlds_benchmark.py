"""Scenes of a folder are found, and what ended one is said in the words of the command."""

import json

from benchmarks.worlds import _note, meshes_below


def test_meshes_are_found_at_any_depth_and_nothing_else(tmp_path):
    for name in ("b/house.OBJ", "b/house.mtl", "a.glb", "c/d/e/wall.png", "c/d/e/wall.dae"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    found = [path.relative_to(tmp_path).as_posix() for path in meshes_below(tmp_path)]
    assert found == ["a.glb", "b/house.OBJ", "c/d/e/wall.dae"]


def test_the_note_is_the_error_the_finding_or_the_count():
    assert _note(2, "", "rmp3d run: a.toml: no such file\n") == "rmp3d run: a.toml: no such file"
    findings = {"findings": [{"kind": "speed", "text": "2 m/s"}]}
    assert _note(1, json.dumps(findings), "") == "1 findings, such as speed: 2 m/s"
    groups = {"groups": [{"arrived": 3, "members": 4}]}
    assert _note(1, json.dumps(groups), "") == "exit code 1: arrived 3 of 4"
    assert _note(-9, "", "") == "exit code -9"
