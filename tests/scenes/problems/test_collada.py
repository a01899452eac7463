import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.scenes.problems import collada

# A unit square in the plane z = 0 (two triangles, each also back to front, as SketchUp writes
# them), with normals; and a line far away. The node `part` is used twice, moved and mirrored.
DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified>
  <up_axis>Z_UP</up_axis></asset>
 <library_geometries><geometry id="square"><mesh>
  <source id="p"><float_array id="pa" count="18">0 0 0 1 0 0 1 1 0 0 1 0 0 0 9 0 0 11</float_array>
   <technique_common><accessor source="#pa" count="6" stride="3">
    <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
   </accessor></technique_common></source>
  <source id="n"><float_array id="na" count="6">0 0 1 0 0 -1</float_array>
   <technique_common><accessor source="#na" count="2" stride="3">
    <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
   </accessor></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
   <input semantic="NORMAL" source="#n" offset="1"/>
   <p>0 0 1 0 2 0  0 0 2 0 3 0  2 1 1 1 0 1  3 1 2 1 0 1</p></triangles>
  <lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>4 5</p></lines>
 </mesh></geometry></library_geometries>
 <library_nodes><node id="part"><instance_geometry url="#square"/></node></library_nodes>
 <library_visual_scenes><visual_scene id="s">
  <node id="a"><translate>0 0 2</translate>
   <node id="b"><scale>3 1 1</scale><instance_node url="#part"/></node></node>
  <node id="c"><matrix>-1 0 0 0 0 1 0 5 0 0 1 0 0 0 0 1</matrix><instance_node url="#part"/></node>
 </visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""


@pytest.fixture
def document(tmp_path):
    def write(text=DOCUMENT):
        path = tmp_path / "square.dae"
        path.write_text(text)
        return path

    return write


def test_nodes_are_applied_doubled_faces_dropped_and_z_up_turned_to_y_up(document):
    read = collada.read(document())
    assert len(read.mesh.faces) == 4
    assert read.mesh.areas.sum() == pytest.approx(3.0 + 1.0)
    # In the file: x in [0, 3], y in [0, 1], z = 2, and x in [-1, 0], y in [5, 6], z = 0.
    assert read.mesh.bounds == pytest.approx(np.array([[-1, 0, -6], [3, 2, 0]]))


def test_the_center_counts_corners_by_normal_and_the_ends_of_lines(document):
    read = collada.read(document())
    first = np.array([[0, 0, 2], [3, 0, 2], [3, 1, 2], [0, 1, 2]], float)
    second = np.array([[0, 5, 0], [-1, 5, 0], [-1, 6, 0], [0, 6, 0]], float)
    lines = np.array([[0, 0, 11], [0, 0, 13], [0, 5, 9], [0, 5, 11]], float)
    mean = np.concatenate([first, first, second, second, lines]).mean(axis=0)
    assert read.center == pytest.approx([mean[0], mean[2], -mean[1]])
    assert read.bounds == pytest.approx(np.array([[-1, 0, -6], [3, 13, 0]]))


def test_y_up_stays_and_x_up_is_turned(document):
    plain = collada.read(document(DOCUMENT.replace("Z_UP", "Y_UP")))
    assert plain.mesh.bounds == pytest.approx(np.array([[-1, 0, 0], [3, 6, 2]]))
    turned = collada.read(document(DOCUMENT.replace("Z_UP", "X_UP")))
    assert turned.mesh.bounds == pytest.approx(np.array([[-6, -1, 0], [0, 3, 2]]))


def test_a_unit_scales(document):
    text = DOCUMENT.replace("<up_axis>", '<unit name="centimeter" meter="0.01"/><up_axis>')
    assert collada.read(document(text)).mesh.areas.sum() == pytest.approx(4e-4)


def test_other_formats_are_read_in_their_own_axes(tmp_path):
    trimesh.creation.box(extents=(1, 2, 3)).export(tmp_path / "box.stl")
    read = collada.read(tmp_path / "box.stl")
    assert read.mesh.bounds == pytest.approx(np.array([[-0.5, -1, -1.5], [0.5, 1, 1.5]]))
    assert read.center == pytest.approx(np.zeros(3))


def test_an_export_of_trimesh_is_a_closed_box(tmp_path):
    trimesh.creation.box(extents=(1, 2, 3)).export(tmp_path / "box.dae")
    read = collada.read(tmp_path / "box.dae")
    assert read.mesh.is_watertight
    assert len(read.mesh.faces) == 12


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</COLLADA>", "", "cannot be read as COLLADA"),
        ("0 0 0 1 0 0 1 1 0", "0 0 0 1 0 1e999 1 1 0", "not finite"),
        ("<p>0 0 1 0 2 0  0", "<p>0 0 1 0 77 0  0", "a mesh in it cannot be read"),
        ('url="#part"', 'url="#whole"', "a mesh in it cannot be read .*Node #whole not found"),
        ("3 1 1</scale>", "3 1</scale>", "a mesh in it cannot be read .*Scale node"),
        ('<scene><instance_visual_scene url="#s"/></scene>', "", "contains no triangles"),
    ],
)
def test_a_broken_file_is_an_input_error(document, old, new, message):
    assert old in DOCUMENT
    with pytest.raises(InputError, match=message):
        collada.read(document(DOCUMENT.replace(old, new, 1)))


def test_nodes_that_double_again_and_again_are_refused(document):
    nodes, before = "", "part"
    for level in range(40):
        twice = f'<instance_node url="#{before}"/>' * 2
        nodes += f'<node id="n{level}">{twice}</node>'
        before = f"n{level}"
    text = DOCUMENT.replace("</library_nodes>", f"{nodes}</library_nodes>")
    text = text.replace(
        '1</scale><instance_node url="#part"/>', f'1</scale><instance_node url="#{before}"/>'
    )
    with pytest.raises(InputError, match="3,298,534,883,333 instances; at most 50,000"):
        collada.read(document(text))


def test_entities_are_not_expanded_without_bound_nor_read_from_files(document, tmp_path):
    doubled = "".join(f'<!ENTITY e{i + 1} "&e{i};&e{i};&e{i};&e{i};">' for i in range(30))
    bomb = f'<!DOCTYPE COLLADA [<!ENTITY e0 "0 0 0 ">{doubled}]>'
    (tmp_path / "secret.txt").write_text("0 0 0")
    secret = f'<!DOCTYPE COLLADA [<!ENTITY e30 SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
    for declaration in (bomb, secret):
        text = DOCUMENT.replace("?>", f"?>{declaration}", 1).replace(">0 0 0 1", ">&e30; 1", 1)
        with pytest.raises(InputError, match="cannot be read as COLLADA"):
            collada.read(document(text))


def test_only_lines_are_no_mesh(document):
    head, _, rest = DOCUMENT.partition('<triangles count="4">')
    _, _, tail = rest.partition("</triangles>")
    with pytest.raises(InputError, match="contains no triangles"):
        collada.read(document(head + tail))


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        collada.read(tmp_path / "none.dae")


def test_what_the_parser_says_is_told_without_its_types(document):
    with pytest.raises(InputError, match="a mesh in it cannot be read") as caught:
        collada.read(document(DOCUMENT.replace('url="#part"', 'url="#whole"', 1)))
    assert "Error" not in str(caught.value)
