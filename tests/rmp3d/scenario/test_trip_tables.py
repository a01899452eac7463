"""Trips from a CSV file: what the cells mean, and what is refused with line and column."""

import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenario.loading import load
from rmp3d.scenario.trip_tables import read_trips

TEXT = """start,goal,via,stay,count,rate,until,times,at_goal
gate,door,kiosk; 1 2 0,5; 3,4,,,,leave
,3 0.5 0,,,,1.5,60,1; 2.5,
"""


def written(tmp_path, text):
    path = tmp_path / "trips.csv"
    path.write_text(text)
    return path


def test_cells_are_names_points_numbers_and_lists_of_them(tmp_path):
    first, second = read_trips(written(tmp_path, TEXT))
    assert first == {
        "start": "gate", "goal": "door", "via": ["kiosk", [1.0, 2.0, 0.0]], "stay": [5.0, 3.0],
        "count": 4, "at_goal": "leave",
    }  # fmt: skip
    assert second == {"goal": [3.0, 0.5, 0.0], "rate": 1.5, "until": 60.0, "times": [1.0, 2.5]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty; the first row names the columns"),
        ("start,gaol\n", "line 1: unknown column `gaol`"),
        ("x" * 2000 + "\n", "line 1: unknown column `x{9}.{1,60}`; known: start"),
        ("goal,goal\n", "line 1: a column is there twice"),
        ("goal,count\ndoor\n", "line 2: 1 cells, 2 columns"),
        ("goal,count\ndoor,many\n", "line 2: column `count`: must be a whole number, got `many`"),
        ("goal,start\n,gate\n", "line 2: column `goal`: empty"),
        ("goal\na\n8 0\n", "line 3: column `goal`: a point is three numbers .*, got `8 0`"),
        ('goal\n"8,0,0"\n', "line 2: column `goal`: a point is three numbers"),
        ("goal\nnan 0 0\n", "line 2: column `goal`: a point is three numbers"),
        ("goal,weight\na,1\nb,nan\n", "line 3: `weight`: must be 0 or more, got nan"),
        ("goal,rate,until\na,1e9,9\n", "line 2: `rate`: 9,000,000,000 members"),
        ("goal,until\na," + "0.5;" * 900 + "\n", r"must be a number, got `[0-9.; ]{60}`$"),
        ("goal,at_goal\na,vanish\n", "line 2: `at_goal`: must be `stay` or `leave`"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_trips(written(tmp_path, text))


def test_a_scenario_takes_the_file_beside_it_and_contains_its_trips(tmp_path):
    written(tmp_path, "start,goal,count,rate,until\nwest,east,2,,\neast,west,,0.5,10\n")
    path = tmp_path / "a.toml"
    path.write_text(
        '[scene]\nname = "plain"\n[[groups]]\nmembers = 2\nstart = "west"\n'
        'behavior = { name = "crowd", trips = "trips.csv" }\n'
    )
    (group,) = load(str(path)).groups
    assert [trip["goal"] for trip in group.behavior["trips"]] == ["east", "west"]
    assert group.reserve == 5


def test_which_trip_of_a_scenario_is_wrong_is_said(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(
        '[scene]\nname = "plain"\n[[groups]]\nmembers = 2\nstart = "west"\n'
        '[groups.behavior]\nname = "crowd"\ntrips = [{ goal = "east" }, '
        '{ goal = "east", weight = -1.0 }]\n'
    )
    with pytest.raises(InputError, match=r"behavior\.trips\[1\]`: `weight`: must be 0 or more"):
        load(str(path))
