import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.roadmap.building import build_roadmap, extend_roadmap
from rmp3d.planner.roadmap.learned import LearnedWeights
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.roadmap.storage import load_roadmap, save_roadmap
from rmp3d.planner.spaces import make_space

START, GOAL = np.array([-8.0, 4.0, 0]), np.array([8.0, 4.0, 0])


@pytest.fixture
def space(rooms, walker):
    return make_space("ground", rooms, walker)


def build(space, **settings):
    rules = RoadmapSettings(**{"nodes": 120, **settings})
    return build_roadmap(space, rules, np.random.default_rng(0))


@pytest.fixture
def file(space, tmp_path):
    path = tmp_path / "rooms.roadmap"
    save_roadmap(build(space), path)
    return path


@pytest.mark.parametrize(
    "settings",
    [{}, {"lazy": True}, {"local_planner": {"name": "potential_field", "steps": 5}}, {"nodes": 1}],
)
def test_the_same_seed_gives_the_same_bytes_and_reading_gives_them_back(
    rooms, walker, tmp_path, settings
):
    a, b, c = (tmp_path / name for name in "abc")
    for path in (a, b):
        space = make_space("ground", rooms, walker)
        save_roadmap(build(space, **settings), path)
    save_roadmap(load_roadmap(a, space), c)
    assert a.read_bytes() == b.read_bytes() == c.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


def test_what_is_read_is_what_was_written(space, file):
    written, found = build(space), load_roadmap(file, space)
    for name in ("configurations", "clearance", "edges", "edge_length", "edge_clearance"):
        np.testing.assert_array_equal(getattr(found, name), getattr(written, name))
        assert not getattr(found, name).flags.writeable
    for a, b in zip(found.polylines, written.polylines, strict=True):
        np.testing.assert_array_equal(a, b)
    assert (found.attempts, found.counts) == (written.attempts, written.counts)


def test_queries_and_extension_go_on_from_the_file(space, file):
    loaded, rng = load_roadmap(file, space), np.random.default_rng
    path, again = (query(r, START, GOAL, rng(0)).points for r in (build(space), loaded))
    assert path.tobytes() == again.tobytes()
    larger = extend_roadmap(loaded, RoadmapSettings(nodes=200), rng(1))
    assert len(larger.configurations) == 200
    np.testing.assert_array_equal(larger.configurations[:120], loaded.configurations)


LEARNED = LearnedWeights(
    np.array([[-1, 3], [-2, 5], [3, 5]]), np.array([[11.0, 0.1], [1.0, 11.0], [11.0, 1.0]]),
    {"rule": "trails", "runs": 2},
)  # fmt: skip


def test_weights_are_kept_with_the_roadmap_and_files_without_them_stay_as_they_were(
    space, file, tmp_path
):
    plain = load_roadmap(file, space)
    assert plain.learned is None
    save_roadmap(replace(plain, learned=LEARNED), tmp_path / "wiser")
    found = load_roadmap(tmp_path / "wiser", space)
    np.testing.assert_array_equal(found.learned.pairs, LEARNED.pairs)
    np.testing.assert_array_equal(found.learned.weight, LEARNED.weight)
    assert found.learned.provenance == LEARNED.provenance
    save_roadmap(replace(found, learned=None), tmp_path / "plain")
    assert (tmp_path / "plain").read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda facts, data: facts.update(learned="much"),
        lambda facts, data: facts.pop("learned"),
        lambda facts, data: facts["arrays"].pop("learned_weight"),
        lambda facts, data: facts["arrays"].pop("learned_pairs"),
        lambda facts, data: data[:-8] + np.array(-1.0).tobytes(),
        lambda facts, data: data[:-8] + np.array(np.nan).tobytes(),
        lambda facts, data: data[:-96] + np.array([[-3, 3]]).tobytes() + data[-80:],
        lambda facts, data: data[:-96] + np.array([[5, 1000]]).tobytes() + data[-80:],
    ],
)
def test_unsound_weights_are_refused(space, file, tmp_path, change):
    path = tmp_path / "wiser"
    save_roadmap(replace(load_roadmap(file, space), learned=LEARNED), path)

    def apply(facts, data):
        answer = change(facts, data)
        return answer if isinstance(answer, bytes) else None

    path.write_bytes(resealed(path.read_bytes(), apply))
    with pytest.raises(RoadmapFileError, match="not a sound roadmap file"):
        load_roadmap(path, space)


def test_an_empty_roadmap_can_be_stored(space, tmp_path):
    save_roadmap(Roadmap.empty(space), tmp_path / "none")
    assert len(load_roadmap(tmp_path / "none", space).configurations) == 0


def test_regions_do_not_matter(make, rooms, walker, file):
    from rmp3d.scenes import Region

    region = Region.sphere("here", [0.0, 0, 0], 1.0)
    same = make.scene(*rooms.parts, bounds=rooms.bounds, regions=[region])
    assert len(load_roadmap(file, make_space("ground", same, walker)).configurations) == 120


def test_a_roadmap_of_something_else_is_refused(make, rooms, walker, file):
    moved = make.scene(*rooms.parts[:-1], bounds=rooms.bounds)
    wide = make.scene(*rooms.parts, bounds=((-12, -5, -1), (10, 5, 4)))
    others = {
        "of another scene": make_space("ground", moved, walker),
        "another body: `radius` is 0.28 there, 0.2 here": make_space(
            "ground", rooms, make.body(0.2, (0.28, 1.45))
        ),
        "another body: `capsule_axis`": make_space("ground", rooms, make.body(0.28, (0.28, 1.5))),
        "another space: `name` is ground there, translation": make_space(
            "translation", rooms, walker
        ),
        "another space: `bounds`": make_space("ground", wide, walker),
        "another space: `tolerance`": make_space("ground", rooms, walker, tolerance=0.01),
    }
    for message, other in others.items():
        with pytest.raises(RoadmapFileError, match=message):
            load_roadmap(file, other)


def test_files_that_are_none_are_refused(space, file, tmp_path):
    content = file.read_bytes()
    bad = tmp_path / "bad"
    cases = {
        "not a roadmap file": [b"", b"PK\x03\x04 zip", b"rmp3d roadmap\n", bytes(range(256))],
        "of version 2": [content.replace(b"roadmap 1", b"roadmap 2", 1)],
        "damaged": [content[:-1], content + b"x", content[:400] + b"?" + content[401:]],
    }
    for message, contents in cases.items():
        for changed in contents:
            bad.write_bytes(changed)
            with pytest.raises(RoadmapFileError, match=message):
                load_roadmap(bad, space)
    with pytest.raises(RoadmapFileError, match="no such file"):
        load_roadmap(tmp_path / "missing", space)
    with pytest.raises(RoadmapFileError, match="cannot be written"):
        save_roadmap(Roadmap.empty(space), tmp_path / "no" / "folder")


def resealed(content, change):
    """The file with its header changed and its hash made right, as a forger would."""
    first, header, data = content.split(b"\n", 2)
    facts = json.loads(header)
    data = change(facts, data) or data
    body = json.dumps(facts).encode() + b"\n" + data
    digest = hashlib.sha256(body).hexdigest().encode()
    return b" ".join([*first.split(b" ")[:3], digest]) + b"\n" + body


@pytest.mark.parametrize(
    "change",
    [
        lambda facts, data: facts.pop("of"),
        lambda facts, data: facts.pop("arrays"),
        lambda facts, data: facts.update(of="this"),
        lambda facts, data: facts["of"].update(scene="this"),
        lambda facts, data: facts["of"].update(body="this"),
        lambda facts, data: facts["of"].update(space=["ground"]),
        lambda facts, data: facts.update(arrays="all"),
        lambda facts, data: facts.update(queries=5),
        lambda facts, data: facts.update(attempts=float("inf")),
        lambda facts, data: facts.update(local_planner=3),
        lambda facts, data: facts.update(attempts="many"),
        lambda facts, data: facts["arrays"].update(edges=[-1, 2]),
        lambda facts, data: facts["arrays"].update(edges=[10**30, 2]),
        lambda facts, data: facts["arrays"].update(untried=[0, 3]),
        lambda facts, data: facts["arrays"].update(configurations=[120, 2]),
        lambda facts, data: facts["arrays"].update(configurations=[[30, "x"]] * 5000),
        lambda facts, data: data[:-24],
        lambda facts, data: b"\xff" * len(data),
        lambda facts, data: bytes(len(data)),
    ],
)
def test_unsound_content_is_refused(space, file, tmp_path, change):
    kept = file.read_bytes()
    bad = tmp_path / "bad"
    bad.write_bytes(resealed(kept, lambda facts, data: None))
    assert len(load_roadmap(bad, space).configurations) == 120

    def apply(facts, data):
        answer = change(facts, data)
        return answer if isinstance(answer, bytes) else None

    bad.write_bytes(resealed(kept, apply))
    with pytest.raises(RoadmapFileError, match="not a sound roadmap file") as error:
        load_roadmap(bad, space)
    assert not re.search(r"object|'\w+'|NoneType|subscript", str(error.value))
    assert len(str(error.value)) < 400 + len(str(bad))


def test_random_damage_is_always_refused(space, file, tmp_path):
    rng = np.random.default_rng(0)
    content = file.read_bytes()
    bad = tmp_path / "bad"
    for _ in range(100):
        changed = bytearray(content)
        changed[rng.integers(len(content))] ^= int(rng.integers(1, 256))
        bad.write_bytes(changed)
        with pytest.raises(RoadmapFileError):
            load_roadmap(bad, space)


@pytest.mark.slow
def test_another_process_writes_the_same_bytes(tmp_path):
    command = [sys.executable, "-m", "rmp3d", "plan", "parking", "-q", "--save"]
    for name in "ab":
        subprocess.run([*command, str(tmp_path / name)], check=True)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
