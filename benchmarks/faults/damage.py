"""Damages to files: bytes, words, and the structures of TOML, JSON, XML, HDF5 and roadmaps."""

import hashlib
import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from benchmarks.faults.damaged_hdf5 import change_hdf5
from benchmarks.faults.trees import change_tree

Damage = Callable[[Path, random.Random], str]

WORDS = [
    b"", b"0", b"-1", b"1e308", b"-1e308", b"1e309", b"1e-320", b"nan", b"inf", b"-inf",
    b"99999999999", b"9" * 400, b"4294967295", b"2147483648", b"18446744073709551616", b"1_0",
    b"0x1", b"+", b"-", b".", b"#", b"[", b"]", b"{", b"}", b"(", b";", b":", b"=", b"<", b">",
    b'"', b"'", b'"""', b"\\", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xf0\x9f\x90\xb8",
    "\u00e9\u2028".encode(), b"../x", b"/etc/passwd", b"/dev/zero", b".", b"..", b"/", b"true",
    b"null", b"[]", b"{}", b"x" * 300, b"%s%n", b"\r", b"\n\n", b"\x1b[31m", b"=1+1", b"&lol;",
    b"1 2 3", b"element face 999999999", b"element vertex -1", b"numvert 999999999", b"kids -1",
    b"kids 9999999", b"refs 99999999", b"Active", b"Passive", b"Box", b"a.g", b"mtllib /dev/zero",
]  # fmt: skip

CELLS = [
    "", " ", "nan", "inf", "-1", "1e308", "1e-320", "0", "1000000000", "99999999999999999999", "x",
    "0 0", "0 0 0 0", "nan 0 0", "1e9 1e9 1e9", "gate; ", ";", "gate;gate", "=1+1", '"', '"a\nb"',
    "\x1b[2J", "\u00e9\u2028", "leave", "stay", "1.5", "true", "../x", "x" * 3000,
]  # fmt: skip


def damages_for(name: str) -> list[Damage]:
    """Return the damages that suit a file of this name; those of its structure come twice."""
    suffix = Path(name).suffix
    structure = {
        ".toml": [change_toml, change_toml, change_toml, nest_toml],
        ".json": [change_json, change_json],
        ".csv": [change_table, change_table],
        ".gltf": [change_json, change_json, nest_json],
        ".glb": [change_glb, change_glb],
        ".dae": [change_xml, change_xml],
        ".3mf": [change_zip],
        ".roadmap": [change_roadmap, change_roadmap, change_roadmap],
        ".rmp3d": [change_hdf5, change_hdf5, change_hdf5],
        ".cache": [exchange, exchange],
    }.get(suffix, [])
    return [flip, flip, cut, splice, repeat, *[word] * 3, number, *structure, *structure]


def flip(path: Path, rng: random.Random) -> str:
    """Flip one to five bits."""
    data = bytearray(path.read_bytes())
    places = [rng.randrange(len(data)) for _ in range(rng.choice([1, 1, 1, 2, 5]))]
    for place in places:
        data[place] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    return f"flip at {places}"


def cut(path: Path, rng: random.Random) -> str:
    """Cut the file short, or its beginning off."""
    data = path.read_bytes()
    place = rng.choice([0, 1, rng.randrange(len(data)), len(data) - 1 - rng.randrange(9)])
    path.write_bytes(data[:place] if rng.random() < 0.9 else data[place:])
    return f"cut at {place}"


def splice(path: Path, rng: random.Random) -> str:
    """Put a piece of this or of another file beside it at some place."""
    data = path.read_bytes()
    other = rng.choice([p for p in sorted(path.parent.iterdir()) if p.is_file()]).read_bytes()
    start, place = rng.randrange(len(other) + 1), rng.randrange(len(data))
    piece = other[start : start + rng.choice([4, 40, 400, 4000])]
    over = rng.random() < 0.5
    path.write_bytes(data[:place] + piece + data[place + (len(piece) if over else 0) :])
    return f"splice of {len(piece)} bytes at {place}"


def repeat(path: Path, rng: random.Random) -> str:
    """Repeat a piece many times; the file stays below 1 MB."""
    data = path.read_bytes()
    start = rng.randrange(len(data))
    piece = data[start : start + rng.choice([1, 2, 8, 40, 400])]
    times = min(rng.choice([2, 50, 2000, 10**6]), (2**20 - 2**14) // len(piece))
    path.write_bytes(data[:start] + piece * times + data[start:])
    return f"repeat {piece[:20]!r} {times} times at {start}"


def word(path: Path, rng: random.Random) -> str:
    """Replace, drop or swap words."""
    data = path.read_bytes()
    parts = data.replace(b">", b"> ").replace(b"<", b" <").replace(b"\n", b" \n ").split(b" ")
    label = []
    for _ in range(rng.choice([1, 1, 2, 4])):
        a, b = rng.randrange(len(parts)), rng.randrange(len(parts))
        way = rng.choice(["word", "word", "word", "drop", "swap", "twice"])
        label.append(f"{way} {a}")
        if way == "word":
            parts[a] = rng.choice(WORDS)
        elif way == "drop" and len(parts) > 1:
            del parts[a]
        elif way == "swap":
            parts[a], parts[b] = parts[b], parts[a]
        else:
            parts[a:a] = parts[min(a, b) : max(a, b)][:50]
    path.write_bytes(b" ".join(parts))
    return ", ".join(label)


def number(path: Path, rng: random.Random) -> str:
    """Replace four or eight bytes by a number out of sense."""
    data = bytearray(path.read_bytes())
    size = rng.choice([4, 8])
    kind = rng.choice(["nan", "inf", "huge", "minus", "zero", "count"])
    value = {
        "nan": np.array(np.nan, f"<f{size}").tobytes(),
        "inf": np.array(np.inf, f"<f{size}").tobytes(),
        "huge": np.array(1e38 if size == 4 else 1e300, f"<f{size}").tobytes(),
        "minus": b"\xff" * size,
        "zero": b"\0" * size,
        "count": rng.choice([2**31 - 1, 2**24, 10**9]).to_bytes(size, "little"),
    }[kind]
    place = rng.randrange(max(len(data) - size, 1)) // rng.choice([1, 4]) * 1
    data[place : place + size] = value
    path.write_bytes(data)
    return f"{kind} of {size} bytes at {place}"


def exchange(path: Path, rng: random.Random) -> str:
    """Put the content of another file of this kind, from beside it, under its name."""
    others = sorted(each for each in path.parent.glob(f"*{path.suffix}") if each != path)
    other = rng.choice(others)
    path.write_bytes(other.read_bytes())
    return f"the content of {other.name}"


def _without_none(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {str(k): _without_none(v) for k, v in tree.items() if v is not None}
    if isinstance(tree, list):
        return [_without_none(v) for v in tree if v is not None]
    return tree


def change_toml(path: Path, rng: random.Random) -> str:
    """Change one to three values of a TOML file."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    labels = [change_tree(tree, rng) for _ in range(rng.choice([1, 1, 1, 2, 3])) if tree]
    path.write_text(tomli_w.dumps(_without_none(tree)), encoding="utf-8")
    return "; ".join(labels)


def nest_toml(path: Path, rng: random.Random) -> str:
    """Nest tables or lists deeply, or make many of them."""
    text = path.read_text(encoding="utf-8")
    deep = rng.choice([10, 300, 3000, 20000])
    key = rng.choice(["x", "scene.roles", "groups", "planner.sampler"])
    way, line = rng.choice(
        [
            ("key", ".".join(["a"] * deep) + " = 1"),
            ("lists", f"{key} = " + "[" * deep + "]" * deep),
            ("tables", f"{key} = " + "{a=" * deep + "1" + "}" * deep),
            ("header", "[" + ".".join(["a"] * deep) + "]"),
            ("many", "\n".join(f"[[groups]]\nname = 'g{n}'" for n in range(deep))),
            ("regions", "\n".join(f"[scene.regions.r{n}]" for n in range(deep))),
            ("digits", f"{key} = " + "9" * deep),
        ]
    )
    path.write_text(rng.choice([f"{line}\n{text}", f"{text}\n{line}\n"]), encoding="utf-8")
    return f"nest {way} {deep} of {key}"


def change_json(path: Path, rng: random.Random) -> str:
    """Change one to three values of a JSON file."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    labels = [change_tree(tree, rng) for _ in range(rng.choice([1, 1, 2, 3])) if tree]
    path.write_text(json.dumps(tree), encoding="utf-8")
    return "; ".join(labels)


def change_table(path: Path, rng: random.Random) -> str:
    """Change, drop or double a cell or a row of a table."""
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    row = rng.randrange(len(rows))
    column = rng.randrange(len(rows[row]))
    way = rng.choice(["cell", "cell", "cell", "drop", "twice", "row", "long", "many"])
    if way == "cell":
        rows[row][column] = rng.choice(CELLS)
    elif way == "drop":
        del rows[row][column]
    elif way == "twice":
        rows[row].insert(column, rows[row][column])
    elif way == "row":
        rows[row:row] = [rows[rng.randrange(len(rows))]]
    elif way == "long":
        rows[row][column] = ";".join([rows[row][column] or "0"] * 20_000)
    else:
        rows += [rows[row]] * (500_000 // (len(",".join(rows[row])) + 1))
    path.write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    return f"{way} {row}, {column}"


def nest_json(path: Path, rng: random.Random) -> str:
    """Nest lists in a JSON file, or let its nodes be children of each other."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    deep = rng.choice([100, 5000, 100_000])
    if rng.random() < 0.5:
        path.write_text(path.read_text()[:-1] + ',"x":' + "[" * deep + "]" * deep + "}")
        return f"nest {deep}"
    for node in tree.get("nodes", []):
        node["children"] = [rng.randrange(len(tree["nodes"])) for _ in range(3)]
    path.write_text(json.dumps(tree))
    return "nodes in circles"


def change_glb(path: Path, rng: random.Random) -> str:
    """Change the JSON part of a binary glTF file, its lengths put right."""
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    tree = json.loads(data[20 : 20 + size])
    label = "; ".join(change_tree(tree, rng) for _ in range(rng.choice([1, 1, 2])) if tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    total = 20 + len(text) + len(rest)
    header = data[:8] + total.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    path.write_bytes(header + data[16:20] + text + rest)
    return label


def change_xml(path: Path, rng: random.Random) -> str:
    """Change, drop or double an element of an XML file, or one of its attributes."""
    from lxml import etree

    tree = etree.fromstring(path.read_bytes())
    every = [element for element in tree.iter() if isinstance(element.tag, str)]
    one = rng.choice(every[1:] or every)
    way = rng.choice(["text", "attribute", "drop", "twice", "tag", "into itself", "many"])
    value = rng.choice([each for each in WORDS if each.isascii() and each.isalnum()] or [b"0"])
    parent = one.getparent()
    if way == "text":
        one.text = value.decode()
    elif way == "attribute" and one.attrib:
        one.set(rng.choice(sorted(one.attrib)), value.decode())
    elif way == "drop" and parent is not None:
        parent.remove(one)
    elif way == "tag":
        one.tag = rng.choice(every).tag
    elif way == "many" and parent is not None:
        copies = min(20_000, 500_000 // (len(etree.tostring(one)) + 1))
        parent.extend([etree.fromstring(etree.tostring(one)) for _ in range(copies)])
    elif parent is not None:
        (one if way == "into itself" else parent).append(etree.fromstring(etree.tostring(one)))
    path.write_bytes(etree.tostring(tree))
    return f"{way} of <{etree.QName(one).localname}>"


def change_zip(path: Path, rng: random.Random) -> str:
    """Change the model inside a 3MF file, or what else is in the archive."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    model = next(name for name in entries if name.endswith(".model"))
    way = rng.choice(["model", "model", "model", "drop", "name", "blanks"])
    label = way
    if way == "model":
        inner = path.with_name(".inner.xml")
        inner.write_bytes(entries[model])
        label = rng.choice([change_xml, word, flip, cut])(inner, rng)
        entries[model] = inner.read_bytes()
        inner.unlink()
    elif way == "drop":
        del entries[rng.choice(sorted(entries))]
    elif way == "name":
        entries[rng.choice(["../x.model", "/etc/x", "x" * 300, model.upper()])] = entries[model]
    else:
        entries[model] += b" " * rng.choice([10**6, 3 * 10**8])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return label


def change_roadmap(path: Path, rng: random.Random) -> str:
    """Change the header or the arrays of a roadmap, its checksum put right."""
    first, _, body = path.read_bytes().partition(b"\n")
    line, _, data = body.partition(b"\n")
    if rng.random() < 0.6:
        header = json.loads(line)
        label = "; ".join(change_tree(header, rng) for _ in range(rng.choice([1, 1, 2])))
        body = json.dumps(header).encode() + b"\n" + data
    else:
        inner = path.with_name(".inner.bin")
        inner.write_bytes(data)
        label = rng.choice([number, number, flip, cut])(inner, rng)
        body = line + b"\n" + inner.read_bytes()
        inner.unlink()
    words = first.rsplit(b" ", 1)
    path.write_bytes(words[0] + b" " + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    return label
