import pytest

from rmp3d.geometry import InputError, Registry
from rmp3d.geometry.registry import unknown_name


@pytest.fixture
def shapes():
    registry = Registry("shape")

    @registry.register("square")
    class Square:
        """Four equal sides.

        And equal angles.
        """

    @registry.register("circle")
    class Circle:
        pass

    return registry


def test_classes_are_found_by_name_in_name_order(shapes):
    assert list(shapes) == ["circle", "square"]
    assert len(shapes) == 2
    assert "square" in shapes
    assert "cube" not in shapes
    assert shapes["square"].__name__ == "Square"


def test_an_unknown_name_gets_the_nearest_and_the_whole_list(shapes):
    with pytest.raises(
        InputError,
        match=r"no shape named `sqare`; did you mean `square`\? \(choose from circle, square\)",
    ):
        shapes["sqare"]
    with pytest.raises(InputError, match=r"no shape named `xyz` \(choose from circle, square\)"):
        shapes["xyz"]
    with pytest.raises(InputError, match=r"\(there are none\)"):
        Registry("thing")["a"]


def test_a_name_is_given_once(shapes):
    with pytest.raises(ValueError, match="two classes are registered as shape 'circle'"):
        shapes.register("circle")(shapes["square"])
    assert shapes["circle"].__name__ == "Circle"


def test_the_summary_is_the_first_line_of_the_docstring(shapes):
    assert shapes.summary("square") == "Four equal sides."
    assert shapes.summary("circle") == ""


def test_register_gives_the_class_back(shapes):
    class Triangle:
        pass

    assert shapes.register("triangle")(Triangle) is Triangle


def test_names_that_are_not_words_are_still_explained():
    assert unknown_name("row", 7, ["8"]) == "no row named `7` (choose from 8)"


def test_of_very_many_names_the_first_are_listed_and_the_others_counted():
    names = [f"walk number {number} through the long hall" for number in range(90)]
    said = unknown_name("scenario", "walk nmber 7 through the long hall", names)
    assert "did you mean `walk number 7 through the long hall`?" in said
    assert said.endswith("... (90 in all))")
    assert len(said) < 600
