"""The parts that pages are made of: facts, tables, figures, and the page around them."""

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from rmp3d.viewer.texts import language, tr

ROWS_SHOWN = 2000
"""Of a table; the file that the page is about has the rest."""
CARDS = 3
"""A table of more columns does not fit on a phone."""


def html_page(title: str, lead: str, facts: str, sections: Mapping[str, str]) -> str:
    """Return a page: title, a line in words, facts, and sections by their headings."""
    template = Template((files(__package__) / "report.html").read_text(encoding="utf-8"))
    body = "\n".join(f"<h2>{escape(tr(name))}</h2>\n{text}" for name, text in sections.items())
    return template.substitute(
        title=escape(title), lead=escape(lead), facts=facts, sections=body, language=language(),
        swipe=tr("swipe: it goes on to the right"),
    )  # fmt: skip


def html_facts(facts: Mapping[str, str]) -> str:
    """Return a list of facts and their names."""
    rows = "".join(f"<dt>{escape(_named(k))}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
    return f"<dl>{rows}</dl>"


def html_figure(title: str, body: str, note: str = "") -> str:
    """Return a picture, or SVG, with its title and what to look for."""
    said = f'<p class="note">{escape(tr(note))}</p>' if note else ""
    return (
        f"<figure><figcaption>{escape(_titled(title))}</figcaption>"
        f'<div class="chart">{body}</div>{said}</figure>'
    )


def html_gallery(pictures: Sequence[tuple[bytes, str, str]]) -> str:
    """Return JPEG pictures beside each other, each with when it was and a sentence."""
    figures = []
    for data, when, text in pictures:
        shown = base64.b64encode(data).decode()
        figures.append(
            f'<figure><img alt="{escape(text)}" src="data:image/jpeg;base64,{shown}">'
            f"<p><strong>{escape(when)}</strong> {escape(text)}</p></figure>"
        )
    return f'<div class="gallery">{"".join(figures)}</div>'


def html_moments(moments: Sequence[tuple[bytes | None, str, str]], summary: str) -> str:
    """Return sentences that are folded away, each with when it was; so are their pictures.

    Args:
        moments: A JPEG picture or none, when it was, and a sentence.
        summary: What is read before it is opened.
    """
    lines = []
    for data, when, text in moments:
        said = f"<strong>{escape(when)}</strong> {escape(text)}"
        if data is None:
            lines.append(f"<p>{said}</p>")
            continue
        shown = base64.b64encode(data).decode()
        lines.append(
            f"<details><summary>{said}</summary>"
            f'<img alt="{escape(text)}" src="data:image/jpeg;base64,{shown}"></details>'
        )
    inside = "".join(lines)
    return (
        f'<details class="moments"><summary>{escape(summary)}</summary>'
        f'<div class="scroll">{inside}</div></details>'
    )


def _titled(title: str) -> str:
    """Return a title in the language that is shown; what is after its last colon may be a name."""
    said = tr(title)
    words, colon, name = title.rpartition(": ")
    return tr(words) + colon + name if said == title and colon else said


def _named(name: str) -> str:
    """Return the name of a fact in the language that is shown; a body's name may be before it."""
    body, comma, words = name.rpartition(", ")
    return body + comma + tr(words)


def html_data(table: Any) -> str:
    """Return data as indented JSON, which is folded away until somebody wants it."""
    text = escape(json.dumps(table, indent=2))
    return f"<details><summary>{escape(tr('Show all of it'))}</summary><pre>{text}</pre></details>"


def html_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table; numbers are to the right, and only the first rows are there if it is long."""
    header = [tr(name.strip()) for name in header]
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    lines = [
        "<tr>"
        + "".join(f"<td{_kind(cell)}>{escape(cell_text(cell))}</td>" for cell in row)
        + "</tr>"
        for row in rows[:ROWS_SHOWN]
    ]
    more = len(rows) - len(lines)
    rest = tr("and {count} more, in the file that this page is about", count=more)
    note = f"<p>{rest}</p>" if more > 0 else ""
    table = (
        f"{_table_tag(header)}<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
    return f'<div class="scroll">{table}</div>{note}'


def _table_tag(header: Sequence[str]) -> str:
    """Return the beginning of a table: on a phone each row of a wide one is a card.

    There is no line of headings then, and each cell says its own, from a property of the table.
    """
    if len(header) <= CARDS:
        return "<table>"
    names = "; ".join(f"--c{row}: {json.dumps(name)}" for row, name in enumerate(header, 1))
    return f'<table class="cards" style="{escape(names)}">'


def _kind(cell: object) -> str:
    return ' class="n"' if isinstance(cell, int | float) else ""


def cell_text(value: object) -> str:
    """Return the text of a value: numbers with three decimals, nothing as a dash."""
    if value is None:
        return "–"  # noqa: RUF001
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 1e4 else f"{value:.0f}"
    if isinstance(value, list):
        return ", ".join(cell_text(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} = {cell_text(item)}" for key, item in value.items())
    return str(value)
