"""Roadmaps as GraphML, for Gephi, Cytoscape, yEd, igraph and the like."""

from pathlib import Path

from rmp3d.geometry.whole_file import whole_file
from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.roadmap.roadmap import Roadmap

NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""Of the numbers of a configuration; what does not turn has the first three."""


def save_graphml(roadmap: Roadmap, path: Path) -> None:
    """Write the roadmap's graph.

    A node has ``x``, ``y``, ``z`` and ``clearance`` [m], where bodies turn a unit quaternion
    ``qw``, ``qx``, ``qy``, ``qz``, and the number of its ``component``; an edge has ``length``
    and ``clearance`` [m] and ``weight``. Motions that are not straight and pairs not yet tried
    are left out.

    Raises:
        RoadmapFileError: The file cannot be written.
    """
    import networkx as nx  # slow to load

    graph = nx.Graph(name=roadmap.space.world.scene.name)
    component = roadmap.component.tolist()
    for node, facts in roadmap.graph.nodes(data=True):
        place = dict(zip(NAMES, facts["configuration"].tolist(), strict=False))
        graph.add_node(node, **place, clearance=facts["clearance"], component=component[node])
    for a, b, facts in roadmap.graph.edges(data=True):
        graph.add_edge(a, b, **{key: facts[key] for key in ("length", "clearance", "weight")})
    with whole_file(path, "the graph", RoadmapFileError) as file:
        nx.write_graphml(graph, file)
