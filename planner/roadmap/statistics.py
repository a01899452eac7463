"""What a roadmap holds and what it cost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Statistics:
    """What a roadmap holds and what it cost.

    Attributes:
        nodes: Free configurations.
        edges: Certified edges.
        untried: Pairs that a lazy roadmap has not yet tried to join.
        components: Connected components.
        largest_component: Nodes of the largest one.
        collision_queries: See `QueryCounts`.
        distance_queries: See `QueryCounts`.
        attempts: Attempts of the sampler.
        seconds: Wall time of building.
        interrupted: Whether the user stopped the building.
    """

    nodes: int
    edges: int
    untried: int
    components: int
    largest_component: int
    collision_queries: int
    distance_queries: int
    attempts: int
    seconds: float
    interrupted: bool
