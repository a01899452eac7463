"""Draw which package imports which, from the imports: ``python -m scripts.packages_drawing``.

The packages stand on one another; an arc on the right leads from a package to one that it imports.
A test compares `docs/pictures/packages.svg` with what this makes.
"""

import ast
from collections import Counter
from collections.abc import Mapping
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
DRAWING = ROOT / "docs" / "pictures" / "packages.svg"
IDEAS: Mapping[str, str] = {
    "rmp3d": "command line, scenario, simulation, recording, proof",
    "viewer": "window, pictures, video, files for other programs",
    "behaviors": "steering, formations, groups, safety",
    "planner": "spaces, samplers, roadmaps, certified paths",
    "models": "characters: mesh, body, limits of motion",
    "scenes": "meshes with parts, roles and regions",
    "geometry": "arrays, rotations, distances between meshes",
}
"""One line for each package, from the top down: each imports those below only."""

LEFT, WIDTH, HEIGHT, GAP = 16, 440, 52, 18
COLORS = ("#c7d9f2", "#cfe3ea", "#cdeadf", "#d9ebc9", "#ecebc4", "#f3dfc2", "#f0d3cf")
INKS = ("#2456a6", "#2d7d8f", "#1f8a5f", "#5a8a2a", "#8a861f", "#a8691f", "#a04a3f")


def imports() -> Counter[tuple[str, str]]:
    """Return how many files of a package import another package, by both names."""
    count: Counter[tuple[str, str]] = Counter()
    for package in IDEAS:
        for path in (ROOT / package).rglob("*.py"):
            count.update({(package, other) for other in _imported(path) if other != package})
    return count


def _imported(path: Path) -> set[str]:
    """Return the packages that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    parts = (name.split(".") for name in names)
    return {part[1] for part in parts if len(part) > 1 and part[0] == "rmp3d" and part[1] in IDEAS}


def drawing() -> str:
    """Return the drawing as SVG."""
    rows = {package: row for row, package in enumerate(IDEAS)}
    total = 16 + len(rows) * (HEIGHT + GAP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {total}" width="680" '
        f'height="{total}" font-family="sans-serif">',
        "<title>The packages, from the top down, and which imports which</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#456"/></marker></defs>',
        f'<rect width="680" height="{total}" rx="8" fill="#ffffff"/>',
    ]
    for package, row in rows.items():
        top = 16 + row * (HEIGHT + GAP)
        lines += [
            f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
            f'fill="{COLORS[row]}" stroke="#8899aa"/>',
            f'<text x="{LEFT + 12}" y="{top + 21}" font-size="15" font-weight="bold" '
            f'fill="#123">{package}</text>',
            f'<text x="{LEFT + 12}" y="{top + 41}" font-size="14" fill="#234">'
            f"{escape(IDEAS[package])}</text>",
        ]
    lines += [_arc(rows[upper], rows[lower]) for upper, lower in sorted(imports())]
    return "\n".join([*lines, "</svg>", ""])


def _arc(upper: int, lower: int) -> str:
    """Return an arc from one row to a lower one; the further, the wider."""
    # Arcs leave a box in its lower half and come to one in its upper half, spread by their length.
    start = 16 + upper * (HEIGHT + GAP) + 18 + 5 * (lower - upper)
    end = 16 + lower * (HEIGHT + GAP) + 36 - 5 * (lower - upper)
    x, out = LEFT + WIDTH, LEFT + WIDTH + 34 * (lower - upper)
    return (
        f'<path d="M{x} {start}C{out} {start} {out} {end} {x + 2} {end}" fill="none" '
        f'stroke="{INKS[upper]}" marker-end="url(#head)"/>'
    )


def main() -> None:
    """Write the drawing."""
    DRAWING.write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":
    main()
