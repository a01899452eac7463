import pytest

from rmp3d.terminal.part_table import MOST_ROWS, family, part_table


def part(name, triangles=10, role="obstacle", closed=True, at=0.0):
    bounds = [[at, 0.0, 0.0], [at + 1.0, 2.0, 3.0]]
    return {"name": name, "role": role, "triangles": triangles, "watertight": closed,
            "bounds": bounds}  # fmt: skip


def test_a_few_parts_have_a_row_each():
    text = part_table([part("floor", role="ground"), part("wall", closed=False)], 120)
    assert len(text.splitlines()) == 3
    assert "(0.00 0.00 0.00) .. (1.00 2.00 3.00)" in text


@pytest.mark.parametrize(
    ("name", "common"),
    [("ID668_1", "ID"), ("wall.002", "wall"), ("chair (3)", "chair"), ("12", "12"),
     ("room/lamp-4", "room/lamp"), ("floor", "floor")],
)  # fmt: skip
def test_names_that_differ_by_a_number_are_a_family(name, common):
    assert family(name) == common


def test_many_parts_are_grouped_by_name_and_role():
    parts = [part(f"ID{row}_1", triangles=row, at=row, closed=row % 2 == 0) for row in range(215)]
    parts += [part("floor", triangles=1, role="ground")]
    lines = part_table(parts, 120).splitlines()
    assert len(lines) == 3
    assert lines[1].split()[:6] == ["ID*", "obstacle", "215", str(sum(range(215))), "108", "of"]
    assert "(0.00 0.00 0.00) .. (215.00 2.00 3.00)" in lines[1]
    assert lines[2].split()[:3] == ["floor", "ground", "1"]


def test_very_many_groups_are_cut_and_the_rest_is_counted():
    letters = [chr(97 + row // 26) + chr(97 + row % 26) for row in range(200)]
    lines = part_table([part(name) for name in letters], 120).splitlines()
    assert len(lines) == 1 + MOST_ROWS + 1
    assert lines[-1] == "... and 160 more parts of fewer triangles (--json lists all)"


@pytest.mark.parametrize("width", [80, 100, 132])
def test_lines_fit_the_terminal(width):
    parts = [part("a_very_long_name_of_an_exporter_" * 5 + str(row)) for row in range(9)]
    lines = part_table(parts, width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[1].startswith("a_ver")
    assert [line.split()[0][-1] for line in lines[1:]] == [str(row) for row in range(9)]
