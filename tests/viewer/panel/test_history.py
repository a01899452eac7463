from hypothesis import given
from hypothesis import strategies as st

from rmp3d.viewer.panel.history import History, differences

TABLES = st.recursive(
    st.integers(0, 3) | st.text("ab", max_size=1),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


def test_drafts_are_gone_back_to_and_forward_again_one_by_one():
    table = {"a": 1}
    history = History(table)
    assert not history.can_undo
    for value in (2, 3):
        table["a"] = value
        history.note(table)
    history.note(table)  # no change
    assert [history.undo()["a"], history.undo()["a"], history.undo()["a"]] == [2, 1, 1]
    assert history.redo()["a"] == 2
    history.note({"a": 9})
    assert not history.can_redo
    assert history.undo()["a"] == 2


def test_a_draft_that_is_gone_back_to_is_a_copy():
    history = History({"a": [1]})
    history.note({"a": [2]})
    history.undo()["a"].append(5)
    assert history.redo() == {"a": [2]}


@given(TABLES, TABLES)
def test_tables_differ_where_and_only_where_something_else_is_stated(before, after):
    found = differences(before, after)
    assert bool(found) == (before != after)
    assert len(set(found)) == len(found)
    assert all(at(before, path) != at(after, path) for path in found)


def at(place, path):
    for key in path:
        place = place[key] if isinstance(place, list) else (place or {}).get(key)
    return place


def test_the_paths_of_what_differs():
    before = {"planner": {"nodes": 1}, "groups": [{"a": 1, "b": 2}], "c": [1]}
    after = {"planner": {"nodes": 2}, "groups": [{"a": 1}], "c": [1, 2], "d": 0}
    assert differences(before, after) == [
        ("planner", "nodes"), ("groups", 0, "b"), ("c",), ("d",)
    ]  # fmt: skip
