"""Every verb reads a scene with a missing texture, and says so in one line, without a traceback."""

import pytest

from rmp3d.cli import main

SCENE = """[scene]
mesh = "yard.obj"

[[groups]]
members = 1
start = [1.0, 1.0, 0.0]
goal = [2.5, 1.0, 0.0]

[planner]
nodes = 20

[simulation]
duration = 6.0
"""
YARD = (
    "mtllib yard.mtl\nv 0 0 0\nv 8 0 0\nv 8 8 0\nv 0 8 0\nvt 0 0\nvt 1 0\nvt 1 1\nusemtl lawn\n"
    "f 1/1 2/2 3/3\nf 1/1 3/3 4/1\n"
)
NOTE = "yard.obj: the texture `grass.png` is not found; its faces are drawn without it"


@pytest.fixture
def yard(tmp_path, monkeypatch):
    (tmp_path / "yard.obj").write_text(YARD)
    (tmp_path / "yard.mtl").write_text("newmtl lawn\nmap_Kd grass.png\n")
    (tmp_path / "yard.toml").write_text(SCENE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_inspect_plan_run_verify_and_export_go_on(yard, capfd):
    for verb, code, says in (
        (["inspect", "yard.obj"], 0, True),
        (["plan", "yard.toml"], 0, True),
        (["run", "yard.toml", "-o", "yard.rmp3d"], 0, True),
        (["verify", "yard.rmp3d"], 0, False),
        (["export", "yard.rmp3d", "yard.csv"], 0, False),
        (["run", "yard.toml", "-o", "yard.rmp3d", "--json"], 0, False),
    ):
        assert main(verb) == code, verb
        found = capfd.readouterr()
        assert "Traceback" not in found.err
        assert ((found.out + found.err).count(f"note: {NOTE}") == 1) is says, verb
