"""Every link of every page leads to a file, and to a heading of it where it names one."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("benchmarks/*.md")])
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
# Pages that `make docs` writes from the code, so that they are not among the files.
MADE = re.compile(r"docs/reference/(commands|keys|api/[\w.-]+)\.md")


def name(path):
    return str(path.relative_to(ROOT))


@cache
def anchors(path):
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in found]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_of_a_page_leads_somewhere(page):
    lost = []
    for target in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            continue  # another site: the tests do not reach out
        there = (page.parent / path).resolve() if path else page
        if MADE.fullmatch(name(there)):
            continue
        if not there.exists() or (anchor and anchor not in anchors(there)):
            lost.append(target)
    assert not lost, f"{name(page)}: {lost}"


def test_no_page_is_an_orphan():
    """Each page of docs/ is linked from another one."""
    linked = set()
    for page in PAGES:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            there = (page.parent / target.partition("#")[0]).resolve()
            linked |= {there} - {page}
    docs = {page for page in PAGES if page.is_relative_to(ROOT / "docs")}
    assert not [name(page) for page in docs - linked]
