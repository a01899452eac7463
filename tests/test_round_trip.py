"""Every registered class can be written as a table, and read from it again."""

from dataclasses import MISSING, fields, is_dataclass, replace

import pytest

from rmp3d.behaviors import ACTIVITIES, FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS
from rmp3d.behaviors.combining import COMBININGS
from rmp3d.behaviors.perception import PERCEPTIONS
from rmp3d.geometry.choices import choose, table_of
from rmp3d.geometry.errors import InputError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.scenario.loading import load
from rmp3d.scenes import builtin_scenarios

REGISTRIES = [
    ACTIVITIES, COMBININGS, FORMATIONS, GROUP_BEHAVIORS, LOCAL_PLANNERS, PERCEPTIONS, SAMPLERS,
    STEERING_BEHAVIORS,
]  # fmt: skip
REQUIRED = {
    "acting": {
        "goals": {"rest": {"behaviors": ["arrive"], "target": "here", "until": "speed < 1"}}
    },
    "crowd": {
        "trips": [{"goal": "here", "via": ["there"], "stay": 2.0, "rate": 1.0, "until": 5.0}]
    },
    "herded": {"behaviors": ["wander", {"name": "separation", "weight": 2.0}]},
    "path_following": {"points": ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0))},
    "slots": {"offsets": ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0))},
    "steering": {"behaviors": [{"name": "seek", "among": "all"}], "target": (1.0, 2.0, 3.0)},
}
EVERY = [(registry, name) for registry in REGISTRIES for name in registry]


@pytest.mark.parametrize(("registry", "name"), EVERY, ids=[f"{r.kind} {n}" for r, n in EVERY])
def test_every_registered_class_survives_a_table(registry, name):
    assert is_dataclass(registry[name])
    own = choose(registry, {"name": name, **REQUIRED.get(name, {})}, "here")
    for changed in [own, *changes(own)]:
        table = table_of(registry, changed)
        assert table["name"] == name
        again = choose(registry, table, "here")
        assert type(again) is type(changed)
        assert options(again) == options(changed)
        assert table_of(registry, table) == table


def options(own):
    """What an object was made with; some classes compare by identity."""
    return {field.name: getattr(own, field.name) for field in fields(own) if field.init}


def changes(own):
    """The same with one number or switch changed, as far as that is allowed."""
    for field in fields(own):
        value = getattr(own, field.name)
        if not field.init or field.default is MISSING or not isinstance(value, bool | int | float):
            continue
        new = not value if isinstance(value, bool) else value + 1
        for tried in [new] if isinstance(new, bool | int) else [new, 0.5 * value]:
            try:
                yield replace(own, **{field.name: tried})
                break
            except (InputError, ValueError):
                continue


@pytest.mark.parametrize("name", sorted(builtin_scenarios()))
def test_the_behaviors_of_built_in_scenarios_survive_a_table(name):
    for group in load(name).groups:
        own = choose(GROUP_BEHAVIORS, group.behavior, "here")
        table = table_of(GROUP_BEHAVIORS, own)
        assert table.items() <= {**as_lists(group.behavior)}.items()
        assert choose(GROUP_BEHAVIORS, table, "here") == own


def as_lists(value):
    """A value with lists where it has tuples."""
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    return [as_lists(item) for item in value] if isinstance(value, list | tuple) else value
