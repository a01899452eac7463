"""Scenario files: defaults, overrides, and errors that name file and key."""

import re

import pytest

import rmp3d as rp
from rmp3d.cli import main
from rmp3d.geometry.errors import InputError
from rmp3d.scenario import Scenario, ScenarioTable, check_places, goal_region
from rmp3d.scenario.loading import load
from rmp3d.scenes import builtin_scenes

MINIMAL = '[scene]\nname = "parking"\n'


@pytest.fixture
def write(tmp_path):
    def file(text: str, name: str = "mine.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return file


@pytest.mark.parametrize("name", builtin_scenes())
def test_every_built_in_scene_has_a_scenario(name):
    scenario = load(name)
    assert scenario.name == name
    assert scenario.member_count >= 1


def test_every_key_but_the_scene_has_a_default(write):
    scenario = load(write(MINIMAL))
    assert scenario.name == "mine"
    assert scenario.seed == 0
    assert [group.name for group in scenario.groups] == ["group 1"]
    assert scenario.groups[0].behavior == {"name": "narrow_passages"}
    assert scenario.planner.sampler == {"name": "uniform"}
    assert scenario.simulation.dt == 1 / 30


def test_names_stand_for_tables_without_options(write):
    text = MINIMAL + '[[groups]]\nbehavior = "self_guided"\n[planner]\nsampler = "halton"\n'
    scenario = load(write(text))
    assert scenario.groups[0].behavior == {"name": "self_guided"}
    assert scenario.planner.sampler == {"name": "halton"}


def test_paths_start_at_the_scenario_s_folder(write, tmp_path):
    text = '[scene]\nmesh = "sub/yard.obj"\n[[groups]]\ncharacter = "me.toml"\n'
    (tmp_path / "me.toml").touch()
    scenario = load(write(text))
    assert scenario.scene.mesh == str(tmp_path / "sub" / "yard.obj")
    assert scenario.groups[0].character == str(tmp_path / "me.toml")


def test_paths_in_overrides_start_at_the_working_folder(write, tmp_path, monkeypatch):
    here = tmp_path / "elsewhere"
    here.mkdir()
    (here / "me.toml").touch()
    monkeypatch.chdir(here)
    overrides = ['groups.0.character="me.toml"', 'scene.mesh="yard.obj"']
    for target in (write('[scene]\nmesh = "sub/yard.obj"\n'), "parking"):
        scenario = load(str(target), overrides)
        assert scenario.groups[0].character == str(here / "me.toml")
        assert scenario.scene.mesh == str(here / "yard.obj")
    kept = load(str(write('[scene]\nmesh = "sub/yard.obj"\n')), overrides[:1])
    assert kept.scene.mesh == str(tmp_path / "sub" / "yard.obj")


def test_overrides_reach_any_key():
    scenario = load(
        "parking",
        [
            "planner.sampler=halton",
            "planner.nodes=77",
            "groups.0.goal=motorcycles",
            "groups[0].behavior.spacing=1.5",
            "simulation.duration = 12.5",
            'name="a b"',
        ],
        seed=4,
        members=3,
        formation="column",
    )
    assert scenario.planner.sampler == {"name": "halton"}
    assert scenario.planner.nodes == 77
    assert scenario.groups[0].goal == "motorcycles"
    assert scenario.groups[0].members == 3
    assert scenario.groups[0].behavior == {
        "name": "narrow_passages",
        "formation": "column",
        "spacing": 1.5,
    }
    assert scenario.simulation.duration == 12.5
    assert (scenario.name, scenario.seed) == ("a b", 4)


def test_another_behavior_starts_from_its_own_defaults():
    assert load("parking", behavior="self_guided").groups[0].behavior == {"name": "self_guided"}
    set_too = load("parking", ["groups.0.behavior.spacing=0.9"], behavior="self_guided")
    assert set_too.groups[0].behavior == {"name": "self_guided", "spacing": 0.9}
    with pytest.raises(InputError, match=r"`groups\[0\].behavior.spacng`: unknown key.*spacing"):
        load("parking", ["groups.0.behavior.spacng=0.9"], behavior="self_guided")
    with pytest.raises(InputError, match=r"--behavior self_guided: but --set says .*`herding`"):
        load("parking", ["groups.0.behavior.name=herding"], behavior="self_guided")


def test_a_sampler_option_can_be_set_where_only_its_name_was_given(write):
    path = write(MINIMAL + '[planner]\nsampler = "gaussian"\n')
    scenario = load(path, ["planner.sampler.std=0.25"])
    assert scenario.planner.sampler == {"name": "gaussian", "std": 0.25}


def test_the_canonical_text_survives_a_round_trip():
    scenario = load("canyon")
    assert ScenarioTable.from_json(scenario.to_json()) == scenario
    with pytest.raises(InputError, match="not a scenario"):
        ScenarioTable.from_json("{}")


GROUP = MINIMAL + "[[groups]]\n"
OPTIONS = GROUP + "[groups.behavior]\nname = 'narrow_passages'\n"
BAD = {
    "not TOML": ("seed = = 1", "not valid TOML"),
    "cut off": ('[scene]\nname = "par', "not valid TOML"),
    "no scene": ("seed = 1", "`scene`"),
    "unknown key": (
        MINIMAL + "[simulation]\nduratoin = 3",
        "`simulation.duratoin`: unknown key; did you mean `duration`?",
    ),
    "unknown key of a group": (
        GROUP + "member = 3",
        "`groups[0].member`: unknown key; did you mean `members`?",
    ),
    "unknown table": (
        MINIMAL + "[planer]\nnodes = 3",
        "`planer`: unknown key; did you mean `planner`?",
    ),
    "wrong type": (
        GROUP + 'members = "nine"',
        '`groups[0].members`: must be a whole number from 1 to 100000, given "nine"',
    ),
    "zero members": (
        GROUP + "members = 0",
        "`groups[0].members`: must be a whole number from 1 to 100000, given 0",
    ),
    "a million members": (
        GROUP + "members = 1000000",
        "`groups[0].members`: must be a whole number from 1 to 100000, given 1000000",
    ),
    "no groups": ("groups = []\n" + MINIMAL, "`groups`"),
    "groups that are no list": ("groups = 3\n" + MINIMAL, "`groups`"),
    "zero time step": (
        MINIMAL + "[simulation]\ndt = 0",
        "`simulation.dt`: must be a number from 1e-06 to 1, given 0",
    ),
    "tiny time step": (
        MINIMAL + "[simulation]\ndt = 1e-300",
        "`simulation.dt`: must be a number from 1e-06 to 1, given 1e-300",
    ),
    "too many steps": (
        MINIMAL + "[simulation]\ndt = 1e-5\nduration = 86400",
        "`simulation.dt`: 1e-05 s makes 8,640,000,000 steps of `simulation.duration` (86400.0 s); "
        "at most 10,000,000 are simulated",
    ),
    "too many members in all": (
        MINIMAL + "".join(f"[[groups]]\nname = 'g{n}'\nmembers = 10000\n" for n in range(11)),
        "`groups`: 110,000 members in all; at most 100,000 are simulated",
    ),
    "a number beyond all sense": (
        GROUP + "goal = [0, 1e308, 0]",
        "`groups[0].goal[1]`: must be at most 1e+12 in size, given 1e+308",
    ),
    "a number of thousands of digits": (
        f"seed = 0x{'f' * 4000}\n" + MINIMAL,
        "`seed`: must be a number of 64 bits, given a number of too many digits",
    ),
    "a name of many letters": (
        f"name = '{'x' * 5000}'\n" + MINIMAL,
        "`name`: must be text of up to 200 letters, given",
    ),
    "a point of two numbers in a list of points": (
        GROUP
        + "[groups.behavior]\nname = 'steering'\n"
        + "behaviors = [{ name = 'path_following', points = [[0, 0]] }]",
        "`groups[0].behavior.behaviors[0].points[0]`: must be a list of 3 numbers, given [0, 0]",
    ),
    "a word in a point in a list of points": (
        GROUP
        + "[groups.behavior]\nname = 'steering'\n"
        + "behaviors = [{ name = 'path_following', points = [[0, 0, 'a'], [1, 2, 3]] }]",
        '`groups[0].behavior.behaviors[0].points[0][2]`: must be a number, given "a"',
    ),
    "no number": (
        MINIMAL + "[simulation]\ndt = nan",
        "`simulation.dt`: must be a finite number, given nan",
    ),
    "infinite duration": (MINIMAL + "[simulation]\nduration = inf", "must be a finite number"),
    "infinite goal": (GROUP + "goal = [inf, 0, 0]", "`groups[0].goal[0]`: must be a finite number"),
    "step longer than run": (MINIMAL + "[simulation]\ndt = 1\nduration = 0.5", "is longer than"),
    "unknown behavior": (
        GROUP + 'behavior = "narow_passages"',
        "`groups[0].behavior`: no group behavior named `narow_passages`; did you mean",
    ),
    "a number as behavior": (GROUP + "behavior = 5", "`groups[0].behavior`: must be "),
    "unknown option": (OPTIONS + "spacin = 1", "did you mean `spacing`?"),
    "wrong option type": (
        OPTIONS + "spacing = 'a'",
        "`groups[0].behavior.spacing`: must be a number",
    ),
    "nameless behavior": (GROUP + "behavior = {}", "needs a `name`"),
    "unknown sampler": (MINIMAL + "[planner]\nsampler = 'haltn'", "did you mean `halton`?"),
    "unknown local planner": (
        MINIMAL + "[planner]\nlocal_planner = 'strait'",
        "`planner.local_planner`",
    ),
    "unknown space": (MINIMAL + "[planner]\nspace = 'groun'", "did you mean `ground`?"),
    "unknown backend": (MINIMAL + "[planner]\nbackend = 'pqp'", "`planner.backend`"),
    "no stop rule": (MINIMAL + "[planner]\nnodes = 0", "needs a stop rule"),
    "negative nodes": (
        MINIMAL + "[planner]\nnodes = -3",
        "`planner.nodes`: must be a whole number from 0 to 10000000, given -3",
    ),
    "negative radius": (
        GROUP + "goal_radius = -1.0",
        "`groups[0].goal_radius`: must be a number above 0, given -1.0",
    ),
    "unknown formation": (
        OPTIONS + "formation = 'lin'",
        "`groups[0].behavior.formation`: no formation named",
    ),
    "unknown key of a region": (
        MINIMAL + "[scene.regions.a]\nlwer = [0, 0, 0]",
        "`scene.regions.a.lwer`: unknown key; did you mean `lower`?",
    ),
    "unknown axis": ('[scene]\nup = "q"', '`scene.up`: must be "y" or "z", given "q"'),
    "two groups of one name": (
        MINIMAL + '[[groups]]\nname = "a"\n[[groups]]\nname = "a"',
        "two groups are named `a`",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_in_a_file_is_named(write, case):
    text, message = BAD[case]
    path = write(text)
    with pytest.raises(InputError) as caught:
        load(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(path)
    assert len(str(caught.value).splitlines()) <= 2


def test_a_built_in_scene_that_there_is_not_is_named_with_file_and_key(write, capsys):
    path = write('[scene]\nname = "mixture"')
    assert main(["plan", path]) == 2
    told = f"{path}: `scene.name`: no built-in scene named `mixture` (choose from canyon, "
    assert told in capsys.readouterr().err


def test_the_group_of_a_file_without_groups_can_be_changed(write):
    scenario = load(write(MINIMAL), ["groups.0.goal=cars"], members=3)
    assert (scenario.groups[0].goal, scenario.groups[0].members) == ("cars", 3)


def test_what_is_wrong_in_an_override_is_named():
    with pytest.raises(InputError, match="expected key=value"):
        load("parking", ["planner.nodes"])
    with pytest.raises(
        InputError, match=re.escape("`groups` has 1 entries, counted from 0; no `3`")
    ):
        load("parking", ["groups.3.members=1"])
    with pytest.raises(InputError, match="`seed` is not a table"):
        load("parking", ["seed.x=1"])
    for given in ("5", "[1]", "2020-01-01"):
        with pytest.raises(InputError, match=re.escape("`groups[0].behavior`: must be a table")):
            load("parking", [f"groups.0.behavior={given}"], formation="line")
    with pytest.raises(InputError, match=r"--set a\.a.* more than 32 parts") as error:
        load("parking", [".".join("a" * 3000) + "=1"])
    assert len(str(error.value)) < 200
    with pytest.raises(InputError, match="did you mean `planner`"):
        load("parking", ["planer.nodes=1"])
    with pytest.raises(InputError, match=re.escape("`groups[0].members`: must be a whole")):
        load("parking", members=0)


def test_a_target_that_is_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match=re.escape("did you mean `parking`?")):
        load("parkng")
    with pytest.raises(InputError, match="no such file"):
        load(str(tmp_path / "none.toml"))
    (tmp_path / "a.obj").write_text("")
    with pytest.raises(InputError, match="not a scenario file"):
        load(str(tmp_path / "a.obj"))
    with pytest.raises(InputError, match="is a folder"):
        load(str(tmp_path))


def test_an_unknown_region_is_named_with_the_near_one(world):
    scenario = world.scenario(2)
    check_places(scenario, world.scene)
    bad = ScenarioTable.from_json(scenario.to_json().replace('"goal":"east"', '"goal":"eastt"'))
    message = "`groups[0].goal`: no region named `eastt`; did you mean `east`?"
    with pytest.raises(InputError, match=re.escape(message)):
        check_places(bad, world.scene)


def test_a_goal_point_becomes_a_ball_with_room_for_the_members(world):
    group = world.scenario(9).groups[0]
    assert goal_region(group, world.scene, 0.3) is world.scene.region("east")
    text = world.scenario(9).to_json().replace('"goal":"east"', '"goal":[14.0,2.0,0.0]')
    point = ScenarioTable.from_json(text).groups[0]
    region = goal_region(point, world.scene, 0.3)
    assert region.radius == pytest.approx(4 * 0.3 * 3)
    assert region.center.tolist() == pytest.approx([14.0, 2.0, 0.0])


def test_roles_keep_their_order_in_a_recording():
    floor = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]]
    scene = rp.Scene.from_mesh({"floor": floor}, roles={"floor": "ground", "*": "obstacle"})
    scenario = Scenario(scene, rp.Group(members=1, start=(-3.0, 0, 0), goal=(3.0, 0, 0)))
    roles = ScenarioTable.from_json(scenario.table.to_json()).scene.roles
    assert list(roles.items()) == [("floor", "ground"), ("*", "obstacle")]


@pytest.mark.parametrize("character", ['"ogn.toml"', '["pedestrian", "ogn.toml"]'])
def test_a_missing_file_of_a_character_is_named_with_scenario_and_key(tmp_path, character):
    path = tmp_path / "a.toml"
    path.write_text(f'[scene]\nname = "plain"\n[[groups]]\ncharacter = {character}\n')
    with pytest.raises(InputError) as caught:
        load(str(path))
    assert str(caught.value) == (
        f"{path}: `groups[0].character`: {tmp_path / 'ogn.toml'}: no such file"
    )
