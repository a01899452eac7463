"""The command line, in process: what it prints, what it writes, its exit codes, its errors."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from rmp3d import cli
from rmp3d.models.loading import BUILTIN
from rmp3d.terminal.output import json_text

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs


@pytest.fixture
def rmp3d(capfd):
    def run(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def scenario(world):
    """Write a scenario with some lines changed; return its path."""

    def write(name="yard.toml", **changes):
        text = world.scenario_text()
        for old, new in changes.values():
            assert old in text
            text = text.replace(old, new)
        path = world.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("verb", ["plan", "view", "inspect"])
def test_a_name_that_is_too_long_is_no_bug(verb, capsys):
    assert cli.main([verb, "x" * 5000 + ".obj"]) == 2
    told = capsys.readouterr().err
    # From Python 3.14 on, there is no file of such a name.
    assert told.endswith((".obj: cannot be used (File name too long)\n", ".obj: no such file\n"))
    assert len(told) < 400


def test_help_is_instant_because_nothing_slow_is_imported():
    code = (
        "import sys\n"
        "from rmp3d.cli import main\n"
        "assert main(['--help']) == 0\n"
        "assert main(['run', '--help']) == 0\n"
        "slow = {'numpy', 'scipy', 'trimesh', 'numba', 'fcl', 'h5py', 'msgspec', 'pyglet',\n"
        "        'networkx', 'matplotlib', 'PIL', 'tqdm', 'importlib.metadata'}\n"
        "assert not slow & set(sys.modules), slow & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_libraries_that_few_behaviors_ask_are_loaded_when_they_are():
    code = (
        "import sys\n"
        "import rmp3d.behaviors, rmp3d.simulation\n"
        "slow = {'networkx', 'trimesh', 'scipy.optimize', 'scipy.ndimage', 'matplotlib'}\n"
        "assert not slow & set(sys.modules), slow & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_every_verb_explains_itself(rmp3d):
    for verb in cli.VERBS:
        code, out, _ = rmp3d(verb, "--help")
        assert code == 0
        assert f"usage: rmp3d {verb}" in out
    code, out, _ = rmp3d("--version")
    assert (code, out.split()[0]) == (0, "rmp3d")


@pytest.mark.parametrize(
    "verb",
    [
        "scenes",
        "scenarios",
        "models",
        "behaviors",
        "formations",
        "samplers",
        "planners",
        "spaces",
    ],
)
def test_lists_print_a_line_each_or_json(rmp3d, verb):
    code, out, _ = rmp3d(verb, "--json")
    rows = json.loads(out)
    assert code == 0
    assert len(rows) >= 2
    assert all(row["name"] and row["summary"] for row in rows)
    _, text, _ = rmp3d(verb)
    assert [line.split()[0] for line in text.splitlines()] == [row["name"] for row in rows]
    _, longer, _ = rmp3d(verb, "-v")
    assert len(longer) >= len(text)


def test_behaviors_list_steering_combining_and_perception_with_the_units_of_their_options(rmp3d):
    rows = {row["name"]: row for row in json.loads(rmp3d("behaviors", "--json")[1])}
    assert rows["steering"]["kind"] == "group behavior"
    assert rows["seek"]["kind"] == "steering behavior"
    assert rows["priority"]["kind"] == "combining scheme"
    assert rows["view_cone"]["kind"] == "perception"
    assert rows["view_cone"]["options"]["memory"] == 0.0
    assert rows["view_cone"]["units"] == {
        "range": "m",
        "angle": "degrees",
        "near": "m",
        "memory": "s",
    }
    assert "range = 20 m" in rmp3d("behaviors", "-v")[1]


def test_models_are_described_in_the_units_of_their_files(rmp3d):
    _, out, _ = rmp3d("models", "-v")
    assert "max_turn_rate = 240 degrees/s" in out
    assert "mass = 75 kg" in out
    assert "capsule_axis = [0.28, 1.47] m" in out
    assert 'vehicle = "flying"' in out
    _, out, _ = rmp3d("models", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert rows["pedestrian"]["options"]["size"][2] == 1.745
    assert rows["pedestrian"]["options"]["max_turn_rate"] == 240
    assert rows["pedestrian"]["units"]["max_turn_rate"] == "degrees/s"


def test_models_checks_and_describes_a_character_file(rmp3d, tmp_path):
    mesh = BUILTIN / "pedestrian.glb"
    text = (BUILTIN / "pedestrian.toml").read_text(encoding="utf-8")
    text = text.replace('"pedestrian', f'"{mesh.parent.as_posix()}/pedestrian')
    path = tmp_path / "me.toml"
    path.write_text(text.replace("mass = 75", "mass = 80"), encoding="utf-8")
    code, out, _ = rmp3d("models", path)
    assert code == 0
    assert out.startswith("me ")
    assert "mass = 80 kg" in out
    for old, new, problem in (
        ("mass = 75.0", 'mass = "heavy"', '`vehicle.mass`: must be a number, given "heavy"'),
        ("mass = 75.0", "mas = 75.0", "`vehicle.mas`: unknown key; did you mean `mass`?"),
        ("radius = 0.28", "radius = 0.1", "sticks"),
    ):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        code, _, err = rmp3d("models", path)
        assert code == 2
        assert err.startswith(f"rmp3d models: {path}: ")
        assert problem in err
    assert rmp3d("models", "pedestran")[0] == 2


def test_the_completion_script_completes(rmp3d, tmp_path):
    code, script, _ = rmp3d("completion", "bash")
    assert code == 0
    ask = "COMP_WORDS=(rmp3d {0}); COMP_CWORD={1}; _rmp3d; echo ${{COMPREPLY[@]}}"
    for words, expected in (
        ("ver", "verify"),
        ("run cav", "cave"),
        ("run --mem", "--members"),
        ("planne", "planners"),
    ):
        line = ask.format(words, len(words.split()))
        done = subprocess.run(
            ["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.stdout.split() == [expected], done.stderr


def test_inspect_says_what_is_in_a_scene(rmp3d, scenario, tmp_path):
    code, out, _ = rmp3d("inspect", scenario(), "--json", "-o", tmp_path / "map.png")
    facts = json.loads(out)
    assert code == 0
    assert facts["walkable_area"] == pytest.approx(20 * 10 + 5 * 10)
    assert facts["bounds"] == [[0, 0, 0], [20, 10, 6]]
    parts = {part["name"]: part for part in facts["parts"]}
    assert parts["pillar"]["watertight"]
    assert parts["pillar"]["role"] == "obstacle"
    assert parts["floor"] == {
        "name": "floor",
        "role": "ground",
        "triangles": 2,
        "watertight": False,
        "bounds": [[0, 0, 0], [20, 10, 0]],
    }
    assert (tmp_path / "map.png").stat().st_size > 1000


@pytest.mark.slow
def test_inspect_takes_any_mesh(rmp3d, world):
    code, out, _ = rmp3d("inspect", world.folder / "yard.obj")
    assert code == 0
    assert "pillar" in out
    assert (
        "no roles are given (`scene.roles`): triangles that are flat enough count as ground" in out
    )
    code, _, err = rmp3d("inspect", world.folder / "yard.obj", "--set", "scene.upp=y")
    assert code == 2
    assert "did you mean `up`?" in err


def test_inspect_says_what_the_reader_noticed_and_no_roles_only_if_so(rmp3d, scenario, tmp_path):
    mesh = tmp_path / "flat.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\n")
    code, out, _ = rmp3d("inspect", mesh)
    assert code == 0
    assert "note: flat.obj: 1 of 2 triangles have no area and were dropped" in out
    _, out, _ = rmp3d("inspect", scenario())
    assert "no roles are given" not in out


def test_plan_prints_a_certified_path(rmp3d, scenario, tmp_path):
    code, out, _ = rmp3d("plan", scenario(), "--json", "-o", tmp_path / "map.png")
    facts = json.loads(out)
    assert code == 0
    assert facts["solved"]
    assert facts["certified"]
    assert (facts["space"], facts["seed"], facts["reason"]) == ("ground", 3, None)
    path = np.array(facts["path"])
    assert path.shape[1] == 3
    assert len(out.splitlines()) < 2 * len(path) + 100  # twice: also in `groups`
    assert facts["length"] == pytest.approx(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    assert facts["clearance_min"] > 0
    assert facts["nodes"] >= facts["largest_component"] >= 2
    assert facts["queries"]["collision"] > 0
    seconds = facts["seconds"]
    parts = seconds["load"] + seconds["build"] + seconds["query"]
    assert parts == pytest.approx(seconds["total"], abs=1e-5)
    assert (tmp_path / "map.png").exists()


def test_json_has_a_line_for_each_row_of_numbers():
    facts = {"a": [[1, -2.5e-18], [3.0, 4]], "b": [], "text": "[\n1, 2 ]", "mixed": [1, "x", None]}
    text = json_text(facts)
    assert json.loads(text) == facts
    assert '"a": [\n    [1, -2.5e-18],\n    [3.0, 4]\n  ]' in text
    assert '"mixed": [\n' in text


@pytest.mark.slow
def test_run_verify_and_export_go_together(rmp3d, scenario, tmp_path):
    recording = tmp_path / "a.rmp3d"
    code, out, _ = rmp3d("run", scenario(), "--json", "-o", recording, "--set", "name=walk")
    facts = json.loads(out)
    assert code == 0
    assert (facts["scenario"], facts["seed"]) == ("walk", 3)
    assert facts["recording"] == str(recording)
    assert facts["seconds_simulated"] == pytest.approx((facts["frames"] - 1) * facts["dt"])
    (group,) = facts["groups"]
    keys = {"name", "behavior", "members", "arrived", "formation_changes", "jams"}
    assert keys | {"formation_error_mean", "energy"} <= set(group)
    assert group["arrived"] == 2
    assert facts["min_clearance"]["scene"] > 0

    code, out, _ = rmp3d("verify", recording, "--json")
    proof = json.loads(out)
    assert (code, proof["ok"], proof["findings"]) == (0, True, [])
    assert (proof["frames"], proof["arrived"]) == (facts["frames"], 2)
    code, out, _ = rmp3d("verify", recording)
    assert code == 0
    assert "no findings" in out
    code, out, _ = rmp3d("verify", recording, "--scenario", scenario(), "--set", "seed=4", "--json")
    (found,) = json.loads(out)["findings"]
    assert (code, found["kind"]) == (1, "scenario")
    assert found["text"] == "`seed`: 3 in the recording, 4 expected"

    code, _, _ = rmp3d("export", recording, tmp_path / "a.csv", tmp_path / "a.npz")
    assert code == 0
    with np.load(tmp_path / "a.npz") as arrays:
        assert len(arrays["position"]) == facts["frames"]


def test_equal_runs_give_equal_files_and_another_seed_another(rmp3d, scenario, tmp_path):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        rmp3d("run", scenario(), "-q", "--seed", seed, "--duration", 3, "-o", tmp_path / name)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_a_run_in_which_somebody_does_not_arrive_is_a_finding(rmp3d, scenario, tmp_path):
    recording = tmp_path / "short.rmp3d"
    code, out, err = rmp3d("run", scenario(), "--duration", 1, "-o", recording)
    assert re.search(r"its path of \d+ m takes \d+ s or more at .* the run ends after 1 s", err)
    assert code == 1
    assert "recording:" in out
    code, out, _ = rmp3d("verify", recording)
    assert code == 1
    assert "not_arrived" in out
    code, out, _ = rmp3d("run", scenario(), "--duration", 1, "-o", recording, "-q")
    assert (code, out) == (1, "")


def test_the_name_of_a_scenario_or_study_leads_to_no_other_folder(rmp3d, tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.chdir(own)
    settings = "[simulation]\nduration = 0.1\n[planner]\nnodes = 20\n"
    (own / "walk.toml").write_text(f'name = "../walk"\n[scene]\nname = "plain"\n{settings}')
    (own / "many.toml").write_text(
        'name = "../many"\nscenario = "plain"\n[set]\nsimulation.duration = 0.1\n'
    )
    rmp3d("run", "walk.toml", "--set", "groups.0.start=west", "--set", "groups.0.goal=east")
    rmp3d("study", "many.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["own"]
    assert {path.name for path in own.iterdir()} >= {"_walk.rmp3d", "_many.study"}


def test_a_goal_that_cannot_be_reached_is_a_finding(rmp3d, scenario):
    unreachable = scenario(goal=('goal = "east"', "goal = [17.0, 2.0, 3.0]"))  # on the terrace
    code, out, _ = rmp3d("plan", unreachable, "--json")
    facts = json.loads(out)
    assert (code, facts["solved"], facts["certified"], facts["path"]) == (1, False, False, [])
    assert "no path" in facts["reason"]
    code, _, err = rmp3d("run", unreachable)
    assert code == 1
    assert "no path" in err


def test_a_start_in_collision_names_the_part(rmp3d, scenario):
    bad = scenario(start=('start = "west"', "start = [5.0, 8.0, 0.0]"))  # in the pillar
    for verb in ("plan", "run"):
        code, _, err = rmp3d(verb, bad)
        assert code == 2
        assert "pillar" in err
        assert "start" in err


BAD = {
    "no such file": (["run", "none.toml"], "none.toml: no such file"),
    "no such scene": (["run", "parkng"], "did you mean `parking`?"),
    "no such recording": (["verify", "none.rmp3d"], "none.rmp3d: no such file"),
    "key of no scenario": (["verify", "a.rmp3d", "--set", "seed=1"], "of `--scenario SCENARIO`"),
    "scenario of a plan": (["verify", "a.json", "--scenario", "a"], "a.json is a plan"),
    "no such mesh": (["inspect", "none.obj"], "none.obj: no such file"),
    "no such verb": (["vrify", "a"], "no verb `vrify`; did you mean `verify`?"),
    "no such shell": (["completion", "fish"], "no shell `fish`; choose from bash, zsh"),
    "no such option": (
        ["run", "parking", "--membrs", "3"],
        "no option `--membrs`; did you mean `--members`?",
    ),
    "option before the verb": (
        ["--debug", "scenes"],
        "`--debug` must come behind the verb",
    ),
    "no such argument": (["scenes", "parking"], "rmp3d scenes: no argument `parking`"),
    "no argument": (["verify"], "rmp3d verify: FILE is missing"),
    "no number": (["run", "parking", "--members", "many"], "must be a whole number, got `many`"),
    "zero members": (["run", "parking", "--members", "0"], "parking: `groups[0].members`"),
    "negative time": (["run", "parking", "--duration", "-1"], "`simulation.duration`"),
    "unknown behavior": (["plan", "parking", "--behavior", "narow"], "`groups[0].behavior`"),
    "unknown formation": (["plan", "parking", "--formation", "lines"], "lines"),
    "unknown region": (["plan", "parking", "--set", "groups.0.goal=carz"], "did you mean `cars`?"),
    "unknown character": (["plan", "parking", "--set", "groups.0.character=pedestran"], "pedestr"),
    "bad camera size": (["view", "parking", "--size", "12"], "--size 12"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_error_and_exit_code_2(rmp3d, case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, message = BAD[case]
    code, out, err = rmp3d(*arguments)
    assert code == 2
    assert message in err
    assert out == ""
    assert len(err.strip().splitlines()) <= 2
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def mesh_files(world, folder):
    whole = (world.folder / "yard.obj").read_bytes()
    box = world.write_obj(folder / "box.obj", {"box": world.box([0, 0, 0], [1, 1, 1])})
    text = box.read_text()
    return {
        "empty.obj": b"",
        "no-faces.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
        "nan.obj": text.replace("v 1.0 1.0 1.0", "v nan 1.0 1.0").encode(),
        "infinite.obj": text.replace("v 1.0 1.0 1.0", "v inf 1.0 1.0").encode(),
        "index.obj": text.replace("f 1 ", "f 99 ").encode(),
        "truncated.glb": b"glTF\x02\x00\x00\x00\xff\xff\x00\x00" + b"\x00" * 10,
        "truncated.stl": b"\x00" * 80 + b"\x09\x00\x00\x00" + b"\x00" * 60,
        "wrong.xyz": whole,
        "text.ply": b"this is not a mesh",
    }


def test_broken_meshes_are_clear_errors(rmp3d, world, tmp_path):
    for name, content in mesh_files(world, tmp_path).items():
        path = tmp_path / name
        path.write_bytes(content)
        code, out, err = rmp3d("inspect", path)
        assert (code, out) == (2, ""), name
        assert name in err
        assert len(err.strip().splitlines()) <= 2, err


def test_a_recording_that_is_none_is_a_clear_error(rmp3d, world, tmp_path):
    for name, content in {"a.rmp3d": b"", "b.rmp3d": b"x" * 900}.items():
        (tmp_path / name).write_bytes(content)
        for verb in ("verify", "view"):
            code, _, err = rmp3d(verb, tmp_path / name)
            assert code == 2
            assert "not a recording" in err
    code, _, err = rmp3d("export", tmp_path / "a.rmp3d", tmp_path / "a.xyz")
    assert code == 2
    assert ".xyz" in err


def test_an_output_that_cannot_be_written_is_a_clear_error(rmp3d, scenario, tmp_path):
    missing = tmp_path / "no" / "folder" / "a.rmp3d"
    code, _, err = rmp3d("run", scenario(), "-o", missing)
    assert code == 2
    assert "cannot be written" in err
    code, _, err = rmp3d("plan", scenario(), "-o", tmp_path / "no" / "map.png")
    assert code == 2
    assert "map.png" in err


def test_debug_shows_where_an_error_comes_from():
    with pytest.raises(Exception, match="did you mean"):
        cli.main(["run", "parkng", "--debug"])


def test_an_unexpected_error_is_one_line_too(rmp3d, monkeypatch):
    from rmp3d.verbs import scenes

    def broken(options):
        raise RuntimeError("surprise")

    monkeypatch.setattr(scenes, "run", broken)
    code, out, err = rmp3d("scenes")
    assert (code, out) == (2, "")
    assert "unexpected RuntimeError: surprise" in err
    assert "Traceback" not in err


def test_the_reader_of_the_output_may_leave():
    command = f"{sys.executable} -m rmp3d behaviors -v --json | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "[\n"


@pytest.mark.slow
def test_the_demo_plans_runs_verifies_and_says_where_its_pictures_are(
    rmp3d, scenario, tmp_path, monkeypatch
):
    monkeypatch.delenv("DISPLAY", raising=False)
    code, out, err = rmp3d("demo", scenario(), "-o", tmp_path)
    assert code == 0
    assert "arrived" in out
    assert "no findings" in out
    pictures = [line.removeprefix("picture: ") for line in err.splitlines() if "picture:" in line]
    assert pictures
    assert all(os.path.getsize(path) > 1000 for path in pictures)
    assert "<html" in (tmp_path / "replay.html").read_text(encoding="utf-8")[:500]
    code, out, _ = rmp3d("demo", scenario(), "-o", tmp_path, "--json")
    facts = json.loads(out)
    assert (facts["run"]["scenario"], facts["verify"]["ok"]) == ("yard", True)


YARD = "scene.regions.tiny={lower=[1, 1, 0], upper=[1.5, 1.5, 1]}"
MISPLACED = {
    "scene.regions.x={lower=[1, 1, 1], upper=[0, 0, 0]}": "`scene.regions.x`: `lower`",
    "scene.regions.x={lower=[1, 1, 1]}": "`scene.regions.x`: needs either",
    "scene.bounds=[[1, 1, 1], [0, 0, 0]]": "`scene.bounds`: must be",
    'scene.roles={"x*"="ground"}': "`scene.roles`: no part fits `x*`",
    "groups.0.goal=nowhere": "`groups[0].goal`: no region named `nowhere`",
    "groups.0.start=tiny": "`groups[0].start`: region `tiny` has room for",
    "groups.0.goal=tiny": "`groups[0].goal`: region `tiny` has room for",
    "groups.0.start=[999, 0, 0]": "`groups[0].start`: the start [999.0, 0.0, 0.0] is",
    "groups.0.goal=[999, 0, 0]": "`groups[0].goal`: the goal [999.0, 0.0, 0.0] is",
    "groups.0.character=pedestran": "`groups[0].character`: no character named",
    'groups.0.behavior={name="narrow_passages", formation="lin"}': (
        "`groups[0].behavior.formation`: no formation named `lin`"
    ),
}


@pytest.mark.parametrize("change", MISPLACED)
def test_what_does_not_fit_the_scene_names_file_and_key(rmp3d, scenario, tmp_path, change):
    path = scenario()
    code, _, err = rmp3d(
        "run", path, "-q", "-o", tmp_path / "a.rmp3d", "--set", YARD, "--set", change
    )
    assert code == 2
    assert err.startswith(f"rmp3d run: {path}: {MISPLACED[change]}")
    if change.startswith("scene"):
        _, _, err = rmp3d("inspect", path, "--set", change)
        assert err.startswith(f"rmp3d inspect: {path}: {MISPLACED[change]}")


def test_a_run_that_is_refused_for_lack_of_room_leaves_no_file(scenario, tmp_path, capsys):
    crowded = scenario("crowded.toml", members=("members = 2", "members = 900"))
    assert cli.main(["run", str(crowded), "-q", "-o", str(tmp_path / "a.rmp3d")]) == 2
    assert "has room for" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
