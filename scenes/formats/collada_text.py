"""Mends a COLLADA document whose writer broke it: decimal commas, materials that are missing."""

import io
import re

from lxml import etree

from rmp3d.scenes.formats.instances import SAFE
from rmp3d.scenes.formats.stated_units import HEAD

DECIMAL_COMMA = re.compile(rb"(?<=\d),(?=\d)")
UNIT = re.compile(rb"""<unit\b[^>]{0,1000}\bmeter\s*=\s*["']\d{1,30},\d{1,30}["']""")
TARGET = re.compile(rb"""(\btarget\s*=\s*["'])#?([^"'<>]{1,1000})(["'])""")
SHOWN = 3  # missing materials that are named


def mended(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return a document with decimal points and known materials, and notes on what was missing.

    Writers that follow the language of their machine write all numbers with a comma; the numbers
    of a list are separated by spaces. A mesh whose material is missing would be left out; it gets
    the first material that is there.
    """
    if UNIT.search(data, 0, HEAD):
        data = DECIMAL_COMMA.sub(b".", data)
    materials: dict[str, None] = {}
    used: dict[str, None] = {}
    tags = ["{*}material", "{*}instance_material"]
    for _, element in etree.iterparse(io.BytesIO(data), events=("start",), tag=tags, **SAFE):
        if etree.QName(element).localname == "material":
            materials[element.get("id", "")] = None
        else:
            used[element.get("target", "").removeprefix("#")] = None
    missing = {name.encode() for name in used if name and name not in materials}
    first = next(iter(materials), "")
    if not missing or not first:
        return data, ()

    def known(found: re.Match[bytes]) -> bytes:
        return found[1] + b"#" + first.encode() + found[3] if found[2] in missing else found[0]

    names = sorted(missing)[:SHOWN]
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    named = ", ".join(f"`{name.decode()}`" for name in names) + more
    note = f"{named}: no such material is in the file; `{first}` is drawn in its place"
    return TARGET.sub(known, data), (note,)
