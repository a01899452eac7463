"""The pages of the site in one folder: those of docs/, those made from the code, the tables.

Pages in docs/ can be read as they are, too, so they link to files anywhere in the repository. On
the site a link leads to the page made of that file; where there is none, its words stay.
"""

import os
import posixpath
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from scripts.site import api_pages, commands, keys

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "Tutorials": (
        "installation",
        "tutorials/first-run",
        "tutorials/from-python",
        "tutorials/own-scene",
        "tutorials/own-character",
        "tutorials/own-behavior",
        "tutorials/warehouse",
    ),
    "How to": (
        "how-to/inspect",
        "how-to/viewer",
        "how-to/viewing",
        "how-to/watch-a-plan",
        "how-to/scenes-from-elsewhere",
        "how-to/problems",
        "how-to/exports",
        "how-to/blender",
        "how-to/figures",
        "how-to/report",
        "how-to/studies",
    ),
    "Reference": (
        "reference/commands",
        "reference/scenario",
        "reference/keys",
        "reference/groups",
        "reference/formations",
        "reference/herding",
        "reference/steering",
        "reference/steering-gallery",
        "reference/perception",
        "reference/action-selection",
        "reference/samplers",
        "reference/recording",
        "reference/exit-codes",
        "reference/limits",
        "reference/api/index",
    ),
    "Explanation": (
        "explanation/how-it-works",
        "architecture",
        "explanation/roadmaps",
        "explanation/rigid",
        "explanation/safety",
        "explanation/verification",
        "explanation/figures",
    ),
    "Project": ("measurements", "contributing", "changelog"),
}
"""The order of the pages; a page of docs/ that is not here is added to the end of its chapter."""


def write_sources(folder: Path) -> None:
    """Write every page of the site, with its pictures, into a folder that is not there yet."""
    shutil.copytree(ROOT / "docs" / "pictures", folder / "pictures")
    pages = gather()
    for name, (text, origin) in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(linked(text, name, origin, pages), encoding="utf-8")


def gather() -> dict[str, tuple[str, Path]]:
    """Return text and origin (the file whose links they are) of every page by its file name."""
    docs = ROOT / "docs"
    pages = {}
    for path in sorted(docs.rglob("*.md")):
        pages[str(path.relative_to(docs))] = (path.read_text(encoding="utf-8"), path)
    for path in sorted((ROOT / "benchmarks").glob("*.md")):
        pages[f"benchmarks/{path.name}"] = (path.read_text(encoding="utf-8"), path)
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        pages[name.lower()] = ((ROOT / name).read_text(encoding="utf-8"), ROOT / name)
    made = {"reference/commands.md": commands.page(), "reference/keys.md": keys.page()}
    api = api_pages.pages()
    made |= {f"reference/api/{name}": text for name, text in api.items()}
    pages |= {name: (text, docs / name) for name, text in made.items()}

    text, origin = pages["index.md"]
    pages["index.md"] = (text + "".join(_contents(*each) for each in _chapters(pages)), origin)
    text, origin = pages["reference/api/index.md"]
    names = [name.removesuffix(".md") for name in api if name != "index.md"]
    pages["reference/api/index.md"] = (text + _contents("", names), origin)
    text, origin = pages["measurements.md"]
    tables = [name.removesuffix(".md") for name in pages if name.startswith("benchmarks/")]
    pages["measurements.md"] = (text + _contents("", tables), origin)
    return pages


def _chapters(pages: Mapping[str, object]) -> list[tuple[str, list[str]]]:
    chapters = {title: list(names) for title, names in CHAPTERS.items()}
    told = {name for names in chapters.values() for name in names}
    folders = {"tutorials": "Tutorials", "how-to": "How to", "explanation": "Explanation"}
    for page in pages:
        name = page.removesuffix(".md")
        if (
            name not in told
            and name.split("/")[0] in (*folders, "reference")
            and "/api/" not in name
        ):
            chapters[folders.get(name.split("/")[0], "Reference")].append(name)
    return list(chapters.items())


def _contents(title: str, names: list[str]) -> str:
    caption = f":caption: {title}\n" if title else ""
    return f"\n```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(names) + "\n```\n"


def linked(text: str, name: str, origin: Path, pages: Mapping[str, tuple[str, Path]]) -> str:
    """Return a page whose links lead to pages of the site."""
    by_origin = {path: page for page, (_, path) in pages.items()}

    def change(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"\w+:", target):
            return found.group(0)
        there = Path(os.path.normpath(origin.parent / path))
        pictures = ROOT / "docs" / "pictures"
        if there.is_relative_to(pictures):
            page = str(there.relative_to(ROOT / "docs"))
        elif there in by_origin:
            page = by_origin[there]
        else:  # a file of the repository, not of the site
            file = str(there.relative_to(ROOT))
            named = words.strip("`/").replace("\\", "") in (file, there.name)
            return f"`{file}`" if named else f"{words} (`{file}`)"
        inside = posixpath.relpath(page, posixpath.dirname(name) or ".")
        return f"{mark}[{words}]({inside}{hash_}{anchor})"

    parts = CODE_BLOCK.split(text)  # every second one is a block of code
    return "".join(part if k % 2 else LINK.sub(change, part) for k, part in enumerate(parts))
