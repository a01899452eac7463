import networkx as nx
import numpy as np
import pytest

from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.graphml import save_graphml
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space


def test_networkx_reads_the_roadmap_back(rooms, walker, tmp_path):
    space = make_space("ground", rooms, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=60), np.random.default_rng(0))
    save_graphml(roadmap, tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml", node_type=int)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (60, len(roadmap.edges))
    for node, facts in graph.nodes(data=True):
        np.testing.assert_array_equal(
            [facts["x"], facts["y"], facts["z"]], roadmap.configurations[node]
        )
        assert facts["clearance"] == roadmap.clearance[node]
        assert facts["component"] == roadmap.component[node]
    for a, b, facts in graph.edges(data=True):
        edge = roadmap.graph.edges[a, b]
        assert {name: edge[name] for name in facts if name != "id"} == {
            name: facts[name] for name in ("length", "clearance", "weight")
        }


def test_a_folder_that_is_not_there_is_told(rooms, walker, tmp_path):
    space = make_space("ground", rooms, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=3), np.random.default_rng(0))
    with pytest.raises(RoadmapFileError, match="cannot be written"):
        save_graphml(roadmap, tmp_path / "no" / "a.graphml")
