"""Damages to recordings that HDF5 itself finds sound."""

import json
import random
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from benchmarks.faults.trees import change_tree

ODD_ATTRIBUTES: list[Any] = [
    0, -1, 2**40, 1e308, np.nan, "", "x" * 5000, "{}", "[]", "null", "\x1b[2J", b"\xff\xfe",
    np.zeros(0), np.zeros((3, 3)), np.array([b"a", b"b"]), True,
]  # fmt: skip


def change_hdf5(path: Path, rng: random.Random) -> str:
    """Change, drop, reshape or redirect an attribute or a dataset of a recording."""
    try:
        file = h5py.File(path, "r+", libver="latest", locking=False)
    except OSError:  # the file of a killed writer: HDF5 must be told that nobody writes
        data = bytearray(path.read_bytes())
        data[11] = 0
        path.write_bytes(data)
        return "byte 11 is 0"
    with file:
        try:
            return _change(file, rng)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            return f"HDF5 itself refuses ({error})"


def _change(file: h5py.File, rng: random.Random) -> str:
    names: list[str] = []
    file.visit(names.append)
    arrays = [name for name in names if isinstance(file[name], h5py.Dataset)]
    ways = {"attribute": 4, "text": 3, "drop": 2, "values": 4, "cut": 3, "array": 3, "link": 2}
    way = rng.choices(list(ways), list(ways.values()))[0]
    if way in ("attribute", "text"):
        return _change_attribute(file, rng, names, way)
    name = rng.choice(names if way == "drop" else arrays)
    if way == "values":
        return f"{name}: {_change_values(file[name], rng)}"
    if way == "cut":
        shape = list(file[name].shape)
        if not shape or file[name].chunks is None:
            return f"{name}: cannot be cut"
        axis = rng.randrange(len(shape))
        shape[axis] = rng.choice([0, max(shape[axis] - 1, 0), shape[axis] + 1, shape[axis] * 2])
        file[name].resize(shape)
        return f"{name}: shape {shape}"
    old = file[name]
    dtype, shape = getattr(old, "dtype", None), getattr(old, "shape", None)
    del file[name]
    if way == "array":
        return f"{name}: {_other_array(file, name, dtype, shape, rng)}"
    if way == "link":
        return f"{name}: {_link(file, name, arrays, rng)}"
    return f"{name}: dropped"


def _change_attribute(file: h5py.File, rng: random.Random, names: list[str], way: str) -> str:
    holders = [file, *[file[name] for name in names]]
    holder = rng.choice([each for each in holders if len(each.attrs)] or [file])
    if not len(holder.attrs):
        return "no attributes"
    key = rng.choice(sorted(holder.attrs))
    value = holder.attrs[key]
    if way == "text" and isinstance(value, str) and value[:1] in "{[":
        tree = json.loads(value)
        label = change_tree(tree, rng) if tree else "empty"
        holder.attrs[key] = json.dumps(tree)
        return f"{holder.name}@{key}: {label}"
    if rng.random() < 0.2:
        del holder.attrs[key]
        return f"{holder.name}@{key}: dropped"
    odd = rng.choice(ODD_ATTRIBUTES)
    holder.attrs[key] = odd
    return f"{holder.name}@{key} = {odd!r:.40}"


def _change_values(array: h5py.Dataset, rng: random.Random) -> str:
    if not array.size or array.dtype.names or array.dtype.kind not in "fiu":
        return "kept"
    values = array[...]
    flat = values.reshape(-1)
    odd = [np.nan, np.inf, 1e308, -1.0] if array.dtype.kind == "f" else [-1, 0, 2**31 - 1, 127]
    value = rng.choice(odd)
    rows = slice(None) if rng.random() < 0.3 else rng.randrange(len(flat))
    with np.errstate(all="ignore"):
        flat[rows] = np.array(value).astype(array.dtype)
    array[...] = values
    return f"{'all' if isinstance(rows, slice) else rows} = {value}"


def _other_array(
    file: h5py.File, name: str, dtype: np.dtype, shape: tuple[int, ...], rng: random.Random
) -> str:
    way = rng.choice(["type", "rank", "huge", "text", "scalar", "empty", "compound"])
    if way == "type":
        file[name] = np.zeros(shape, rng.choice(["<f4", ">f8", "<i2", "<u8", "S3", "<c16"]))
    elif way == "rank":
        file[name] = np.zeros((*shape, 2), dtype if dtype.kind in "fiu" else "<f8")
    elif way == "huge":
        many = tuple(10**6 for _ in shape) or (10**9,)
        file.create_dataset(name, many, "<f8", chunks=tuple(1 for _ in many), compression="gzip")
    elif way == "text":
        file[name] = "some text"
    elif way == "scalar":
        file[name] = 5.0
    elif way == "empty":
        file[name] = h5py.Empty("<f8")
    else:
        file[name] = np.zeros(shape, [("a", "<f8"), ("b", "S9")])
    return way


def _link(file: h5py.File, name: str, arrays: list[str], rng: random.Random) -> str:
    way = rng.choice(["soft", "external", "group", "itself", "other"])
    if way == "soft":
        file[name] = h5py.SoftLink("/nowhere")
    elif way == "itself":
        file[name] = h5py.SoftLink(f"/{name}")
    elif way == "external":
        file[name] = h5py.ExternalLink("/dev/zero", "/x")
    elif way == "group":
        file.create_group(name)
    else:
        other = rng.choice([each for each in arrays if each != name])
        file[name] = file[other]
    return way
