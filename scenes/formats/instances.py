"""Count what a COLLADA or 3MF file makes of its meshes, before it is read.

A node may repeat other nodes, and these others again: a few lines can stand for any number of
triangles.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any
from zipfile import ZipFile

from lxml import etree

from rmp3d.geometry.errors import InputError

MAX_INSTANCES = 50_000
"""Most nodes, and uses of meshes, that all nodes make together."""
MAX_REPEATED = 1_000_000
"""Most triangles that instances make beyond those of the meshes themselves."""
MAX_DEPTH = 200
"""Most nodes within one another, also through instances."""
MAX_REREAD = 64 * 2**20
"""Most bytes of models that the components of a 3MF file refer to, together."""
SAFE: Any = {"resolve_entities": False, "no_network": True}


@dataclass
class _Node:
    """A node: what it contains, what it repeats, and its own triangles."""

    children: list["_Node"] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    meshes: list[str] = field(default_factory=list)


def check_collada(file: IO[bytes]) -> None:
    """Check the instances of a COLLADA file.

    Raises:
        InputError: There are too many, or nodes repeat one another in a circle.
        lxml.etree.XMLSyntaxError: It is not well-formed XML.
    """
    known: dict[str, _Node] = {}
    scenes: list[_Node] = []
    sizes: defaultdict[str, int] = defaultdict(int)
    open_nodes: list[_Node] = []
    mesh = ""
    kinds = "node visual_scene geometry instance_node instance_geometry p"
    for event, tag, element in _events(file, kinds.split()):
        if tag in ("node", "visual_scene") and event == "start":
            node = _Node()
            if tag == "visual_scene":
                scenes.append(node)
            elif open_nodes:
                open_nodes[-1].children.append(node)
            known.setdefault(element.get("id", ""), node)
            open_nodes.append(node)
            if len(open_nodes) > MAX_DEPTH:
                raise InputError(f"its nodes are nested more than {MAX_DEPTH} deep")
        elif tag in ("node", "visual_scene"):
            open_nodes.pop()
        elif tag == "p" and event == "end":
            sizes[mesh] += len(element.text or "") // 6  # a triangle takes at least so many letters
        elif tag == "geometry" and event == "start":
            mesh = element.get("id", "")
        elif open_nodes and tag.startswith("instance_") and event == "start":
            node = open_nodes[-1]
            names = node.repeats if tag == "instance_node" else node.meshes
            names.append(element.get("url", "").lstrip("#"))
    _check(scenes, known, sizes)


def check_3mf(archive: ZipFile) -> None:
    """Check the instances of a 3MF file.

    Raises:
        InputError: There are too many, or objects repeat one another in a circle.
        lxml.etree.XMLSyntaxError: It is not well-formed XML.
    """
    models = [name for name in archive.namelist() if "3d/3dmodel.model" in name.lower()]
    if not models:
        raise InputError("there is no `3D/3dmodel.model` in it")
    entries = {entry.filename: entry.file_size for entry in archive.infolist()}
    known: dict[str, _Node] = {}
    sizes: defaultdict[str, int] = defaultdict(int)
    world = _Node()
    reread = 0
    with archive.open(models[0]) as file:
        for event, tag, element in _events(file, ["object", "item"]):
            if event == "start":
                continue
            if tag == "item":
                world.repeats.append(element.get("objectid", ""))
                continue
            name = element.get("id", "")
            node = known.setdefault(name, _Node())
            node.meshes.append(name)
            sizes[name] += sum(len(each) for each in element.iter("{*}triangles"))
            for component in element.iter("{*}component"):
                node.repeats.append(component.get("objectid", ""))
                paths = [value for key, value in component.attrib.items() if key.endswith("path")]
                reread += sum(entries.get(path.strip("/"), 0) for path in paths)
            element.clear()
    if reread > MAX_REREAD:
        raise InputError("its components refer to too much: a model in it is used again and again")
    _check([world], known, sizes)


def _events(file: IO[bytes], kinds: Sequence[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield "start" or "end", the kind, and the element, for elements of some kinds."""
    tags = [f"{{*}}{kind}" for kind in kinds]
    for event, element in etree.iterparse(file, events=("start", "end"), tag=tags, **SAFE):
        yield event, etree.QName(element).localname, element


def _check(roots: Sequence[_Node], known: dict[str, _Node], sizes: dict[str, int]) -> None:
    done: dict[int, tuple[int, int]] = {}
    totals = [_total(root, known, sizes, done, 0) for root in roots]
    instances = sum(count for count, _ in totals)
    if instances > MAX_INSTANCES:
        raise InputError(
            f"its nodes make {instances:,} instances; at most {MAX_INSTANCES:,} are read"
        )
    triangles, own = sum(size for _, size in totals), sum(sizes.values())
    if triangles > own + MAX_REPEATED:
        raise InputError(
            f"its nodes repeat meshes of {own:,} triangles to {triangles:,}; at most "
            f"{MAX_REPEATED:,} more are read"
        )


def _total(
    node: _Node,
    known: dict[str, _Node],
    sizes: dict[str, int],
    done: dict[int, tuple[int, int]],
    depth: int,
) -> tuple[int, int]:
    """Return how many instances a node makes, and how many triangles they have."""
    if depth > MAX_DEPTH:
        raise InputError("its nodes repeat one another in a circle, or too deeply")
    if id(node) not in done:
        below = [*node.children, *(known[name] for name in node.repeats if name in known)]
        parts = [_total(each, known, sizes, done, depth + 1) for each in below]
        count = 1 + len(node.meshes) + sum(part[0] for part in parts)
        triangles = sum(sizes.get(name, 0) for name in node.meshes)
        done[id(node)] = count, triangles + sum(part[1] for part in parts)
    return done[id(node)]
