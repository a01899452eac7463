"""Whatever a file is called or says, the terminal is only written to, never commanded."""

import io
import sys

import pytest

from rmp3d import cli
from rmp3d.terminal.escaping import LONGEST_LINE, EscapingStream, escaped_output, one_line

HOSTILE = "a\x1b[31mb\x07\x00\x9b2J\u202ec\udcff"
SHOWN = "a\\x1b[31mb\\x07\\x00\\x9b2J\\u202ec\\udcff"


def test_what_is_not_to_be_printed_is_shown_and_lines_stay_lines():
    stream = io.StringIO()
    print("one", HOSTILE, "two\nthree", file=EscapingStream(stream))
    assert stream.getvalue() == f"one {SHOWN} two\nthree\n"


def test_what_the_terminal_cannot_encode_is_shown_too():
    raw = io.BytesIO()
    stream = EscapingStream(io.TextIOWrapper(raw, "ascii"))
    print("Größe 3 木", file=stream)
    stream.flush()
    assert raw.getvalue() == b"Gr\\xf6\\xdfe 3 \\u6728\n"


def test_output_is_as_before_when_it_is_over(capsys):
    before = sys.stdout, sys.stderr
    with escaped_output():
        sys.stdout.write("a\x1bb\n")
        with escaped_output():  # once is enough
            sys.stderr.write("c\x1bd\n")
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("a\\x1bb\n", "c\\x1bd\n")


@pytest.mark.parametrize("text", [HOSTILE, "a\nb", "x" * 10_000_000, "\n" * 10_000])
def test_a_message_is_one_line_of_bounded_length(text):
    assert one_line(text).isprintable()
    assert len(one_line(text)) <= LONGEST_LINE


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", "a\x1b[2Jb\n.obj"],
        ["inspect", "a\0b.obj"],
        ["run", "a\x1b[2Jb\n.toml"],
        ["run", "a\x1b[2Jb\n"],
        ["run", "a\0b.toml"],
        ["run", "parking", "--set", "\x1b[2J=1\n"],
        ["run", "parking", "--set", 'groups.0.goal="\\u001b[2J\\n"'],
        ["run", "parking", "--set", "planner.roadmap=\\u0000"],
        ["run", "parking", "--set", 'planner.roadmap="\\u0000"'],
        ["run", "parking", "--set", 'groups.0.character="\\u0000.toml"'],
        ["run", "parking", "--set", 'scene={mesh="\\u0000.obj"}'],
        ["run", "parking", "--\x1b[2J"],
        ["run", "parking", "--members", "\x1b[2J"],
        ["run", "parking", "--behavior", "\x1b[2J\n"],
        ["run", "parking", "--with", "\0.py"],
        ["plan", "a\0b.env"],
        ["plan", "a\x1bb\n.cfg"],
        ["verify", "a\0b\x1b.rmp3d"],
        ["\x1b[2J"],
    ],
    ids=repr,
)
def test_errors_are_one_printable_line_with_exit_code_2(capsys, arguments):
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert "bug of rmp3d" not in err
    assert len(err) < 1000


def test_names_of_parts_stay_in_their_cells(capsys, tmp_path):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\no \x1b[2Jwall\u202e\x85\nf 1 2 3\n"
    (tmp_path / "m.obj").write_text(text, encoding="utf-8")
    assert cli.main(["inspect", str(tmp_path / "m.obj")]) == 0
    out, _ = capsys.readouterr()
    assert out.replace("\n", "").isprintable()
    assert "\\x1b[2Jwall\\u202e" in out
