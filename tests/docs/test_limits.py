"""The page on limits has the numbers of the code."""

from pathlib import Path

import pytest

from rmp3d.behaviors.groups.afterwards import rounds
from rmp3d.behaviors.groups.steered import acting_options, spec
from rmp3d.geometry import (
    checked_toml,
    number_limits,
    seams,
    steps,
    toml_depth,
    validation_errors,
)
from rmp3d.geometry.input_files import size_text
from rmp3d.models import gltf_scene, skeleton
from rmp3d.planner.obstruction import floor
from rmp3d.planner.optimizing import settings as optimizing_settings
from rmp3d.planner.problems import files
from rmp3d.planner.roadmap import storage
from rmp3d.plans import saved
from rmp3d.scenario import measuring, tables, trip_tables
from rmp3d.scenes import description, meshes, motions, patterns, placing, polygons, tokens
from rmp3d.scenes.formats import (
    ac3d_parser,
    archives,
    gltf_structure,
    instances,
    mesh_format,
    pictures,
    ply_header,
    textures,
    wavefront,
)
from rmp3d.scenes.problems import pmpl, rigid_problem
from rmp3d.studies import folder, minimizing, table
from rmp3d.terminal import escaping
from rmp3d.viewer import settings

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "limits.md"
ROWS = {
    "size of a TOML file": size_text(checked_toml.MAX_BYTES),
    "tables and lists within": f"{toml_depth.MAX_DEPTH} |",
    "numbers, in any unit": f"up to {number_limits.LARGEST_NUMBER:g} in size",
    "members of a group": f"| {tables.MAX_MEMBERS:,} |",
    "members of all groups": f"| {tables.MAX_MEMBERS_OF_ALL:,} |",
    "groups": f"| {tables.MAX_GROUPS:,} |",
    "meshes that a scene places": f"| {description.MAX_MESHES:,} |",
    "motions, and presences": f"| {description.MAX_MOTIONS:,} |",
    "key frames of a motion": f"| {description.MAX_KEYS:,} |",
    "key frames of all parts": f"| {motions.MAX_FRAMES:,} |",
    "patterns of parts": f"letters of names of parts: {patterns.MOST_LETTERS:,}; ",
    "measuring lines": f"| {measuring.MAX_LINES:,} |",
    "changes during a run": f"| {tables.MAX_CHANGES:,} |",
    "goals, rules, triggers": f"| {acting_options.MAX_CHOICES} |",
    "costs that `--cost`": f"| {optimizing_settings.MOST_AGAINST + 1}, each once |",
    "trips of a table": f"| {trip_tables.MAX_TRIPS:,} |",
    "steering behaviors of a group": f"| {spec.MAX_BEHAVIORS} |",
    "posts of a patrol": f"| {rounds.MAX_POSTS} |",
    "time step": f"{tables.LEAST_DT:g} s to 1 s",
    "steps of a run": f"{tables.MAX_STEPS:,}",
    "size of a file, and of": size_text(mesh_format.MAX_BYTES),
    "triangles": f"| {meshes.MAX_TRIANGLES:,} |",
    "parts": f"| {meshes.MAX_PARTS:,} |",
    "coordinates": f"up to {meshes.MAX_COORDINATE:g} in size",
    "reach of a scene": f"{placing.FARTHEST:g} m from the origin",
    "elements that a header": f"{mesh_format.MAX_COUNT:,}, ",
    "triangles of the ground": f"{seams.FOUND:,} places, and {seams.FOUND_OF_AN_EDGE} more for "
    f"each edge of a border; {seams.LOOKS:,} and {seams.LOOKS_OF_AN_EDGE:,} triangles looked at",
    "triangles of the ground that lie right": f"{steps.CUTS:,} parts looked at, and "
    f"{steps.CUTS_OF_A_TRIANGLE} more for each triangle; {steps.PARTS:,} parts made, and "
    f"{steps.PARTS_OF_A_TRIANGLE} more |",
    "triangles that a survey": f"| {floor.LOOKS:,}; where more",
    "work to cut concave": f"{polygons.BUDGET:,} corners looked at",
    "material libraries": f"{wavefront.MAX_LIBRARIES} of {size_text(wavefront.MAX_LIBRARY_BYTES)}",
    "header of a `.ply`": f"{ply_header.MAX_LINES:,} lines",
    "objects of an `.ac`": f"{ac3d_parser.MAX_OBJECTS:,}",
    "nodes of a glTF file": f"{gltf_structure.MAX_NODES:,}",
    "nodes within one another": f"{gltf_structure.MAX_DEPTH} (glTF), {instances.MAX_DEPTH} (COLL",
    "nodes and uses of meshes": f"| {instances.MAX_INSTANCES:,} |",
    "triangles that repeated": f"| {instances.MAX_REPEATED:,} |",
    "files in an archive": f"| {archives.MAX_ENTRIES:,} |",
    "size of an unpacked": f"{archives.MAX_RATIO} times its own, or {size_text(archives.SMALL)}",
    "pixels of a texture": f"{textures.MAX_PIXELS:,}; of all textures of a file "
    f"{textures.MAX_PIXELS_OF_ALL:,}",
    "texels of a texture": f"{pictures.LARGEST_SIDE:,} a side; of all textures of a file "
    f"{pictures.MOST_TEXELS:,}",
    "size of a text file": size_text(tokens.MAX_BYTES),
    "bodies of an `.env`": f"{pmpl.MAX_BODIES:,}",
    "triangles of bodies of an": f"| {files.MAX_REPEATED:,} |",
    "configurations of a": f"{pmpl.MAX_STOPS:,}",
    "coordinates of a problem": f"up to {rigid_problem.FARTHEST:g} in size",
    "size of a roadmap file": size_text(storage.MAX_BYTES),
    "header of a roadmap file": f"{storage.LONGEST_LINE:,} bytes",
    "size of a rig": size_text(mesh_format.MAX_BYTES),
    "joints of a skeleton": f"| {skeleton.MOST_JOINTS} |",
    "key frames of all clips": f"| {gltf_scene.MAX_KEYS:,} |",
    "animations of a rig": f"| {gltf_scene.MAX_POSES:,} |",
    "size of a plan": size_text(saved.LARGEST),
    "size of a table of trips": size_text(trip_tables.MAX_BYTES),
    "members that the trips": f"| {trip_tables.MAX_COMERS:,} |",
    "runs of a study": f"| {table.MAX_RUNS:,} |",
    "trials of a study": f"| {minimizing.MAX_TRIALS:,} |",
    "size of what a study": size_text(folder.LARGEST_ROW),
    "size of the window's": size_text(settings.MOST_BYTES),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_the_number_of_the_code(row):
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {row}")]
    assert any(ROWS[row] in line for line in rows), rows


def test_limits_of_both_ways_to_repeat_meshes_are_one():
    assert gltf_structure.MAX_REPEATED == instances.MAX_REPEATED


def test_the_lengths_of_what_is_printed_are_those_of_the_code():
    text = " ".join(PAGE.read_text("utf-8").split())
    assert f"at most {escaping.LONGEST_LINE:,} letters" in text
    assert f"at most {validation_errors.LONGEST}." in text
