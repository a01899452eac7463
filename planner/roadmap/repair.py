"""A roadmap of a scene in which parts appear and go: only what they touch is proved again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.roadmap.building import with_nodes
from rmp3d.planner.roadmap.roadmap import Roadmap

ADDED = 32
"""Places in which a node is tried where a part goes that was there when the roadmap was made."""
ABOVE = 0.5
"""These are over ground within so far [m] of the lower end of the part."""


class ChangingRoadmap:
    """A roadmap, and its edges that parts stand in.

    An edge whose box does not meet that of a part, grown by the body, cannot touch the part. The
    boxes are kept in one array and compared at once, which takes less time than the proofs of the
    few edges that meet; so they need no tree.

    Args:
        roadmap: As it was made; its space has a `CollisionWorld`.
        shown: Which parts were there then.

    Attributes:
        roadmap: The one that holds now.
        touched: Edges that were proved again by the last change.
    """

    def __init__(self, roadmap: Roadmap, shown: Sequence[str]) -> None:
        self.roadmap, self.touched = roadmap, 0
        self._shown, self._made_with = tuple(shown), set(shown)
        self._lower, self._upper = _boxes(roadmap.polylines)
        self._dropped: Roadmap = replace(
            Roadmap.empty(roadmap.space), configurations=roadmap.configurations
        )

    def show(self, names: Sequence[str], rng: np.random.Generator) -> None:
        """Let these parts be there, and no others; the space's world must show them already.

        Args:
            names: Of those parts.
            rng: For new nodes where a part has gone.
        """
        world = self.roadmap.space.world
        assert isinstance(world, CollisionWorld)
        appeared = [name for name in names if name not in self._shown]
        gone = [name for name in self._shown if name not in names]
        self._shown, self.touched = tuple(names), 0
        for name in appeared:
            own = world.of_parts([name])
            if own is not None:
                self._drop(own)
        if gone:
            self._take_back(world)
        for name in gone:
            if name in self._made_with:
                self._made_with.remove(name)
                self._fill(world.scene.part(name).mesh.bounds, rng)

    def _drop(self, world: CollisionWorld) -> None:
        """Leave out the edges that are not free in a world that has nothing but a part."""
        low, high = world.body.capsule_axis
        reach = world.body.radius + 2.0 * world.tolerance
        box = np.array(world.scene.parts[0].mesh.bounds)
        box[0] -= [reach, reach, reach + high]
        box[1] += [reach, reach, reach - low]
        near = ((self._lower <= box[1]) & (self._upper >= box[0])).all(axis=1)
        rows = np.flatnonzero(near)
        self.touched += len(rows)
        if len(rows) == 0:
            return
        free = world.polylines_are_free([_bare(self.roadmap.polylines[row]) for row in rows])
        lost = np.zeros(len(near), np.bool_)
        lost[rows[~free]] = True
        self._dropped = self._dropped.with_edges_of(_selected(self.roadmap, lost))
        self.roadmap = _selected(self.roadmap, ~lost)
        self._lower, self._upper = self._lower[~lost], self._upper[~lost]

    def _take_back(self, world: CollisionWorld) -> None:
        """Take back the edges left out before that are free now."""
        dropped = self._dropped
        if len(dropped.edges) == 0:
            return
        free = world.polylines_are_free([_bare(points) for points in dropped.polylines])
        self.touched += len(free)
        back = _selected(dropped, free)
        lower, upper = _boxes(back.polylines)
        self.roadmap = self.roadmap.with_edges_of(back)
        self._lower = np.concatenate([self._lower, lower])
        self._upper = np.concatenate([self._upper, upper])
        self._dropped = _selected(dropped, ~free)

    def _fill(self, box: Float, rng: np.random.Generator) -> None:
        """Add nodes where a part was that was there when the roadmap was made."""
        space = self.roadmap.space
        if space.width != 3:
            return
        around = 2.0 * space.world.body.radius
        places = rng.uniform(box[0] - around, box[1] + around, (ADDED, 3))
        if space.grounded:
            surface = space.surface  # type: ignore[attr-defined]
            places[:, 2] = box[0, 2]
            places, face = surface.locate(places, ABOVE, ABOVE)
            places = places[face >= 0]
        nodes = np.unique(places[space.is_free(places)], axis=0)
        if len(nodes) == 0:
            return
        before = len(self.roadmap.edges)
        self.roadmap = with_nodes(self.roadmap, nodes)
        lower, upper = _boxes(self.roadmap.polylines[before:])
        self._lower = np.concatenate([self._lower, lower])
        self._upper = np.concatenate([self._upper, upper])
        self.touched += len(self.roadmap.edges) - before
        self._dropped = replace(self._dropped, configurations=self.roadmap.configurations)


def _selected(roadmap: Roadmap, kept: Bool) -> Roadmap:
    """Return the roadmap with some of its edges (E,); corners of what appeared are not in it."""
    return replace(roadmap.with_edges_at(np.flatnonzero(kept)), corners=0)


def _boxes(polylines: Sequence[Float]) -> tuple[Float, Float]:
    """Return the corners (E, 3) of the boxes around polylines."""
    if not polylines:
        return np.zeros((0, 3)), np.zeros((0, 3))
    points = np.concatenate([_bare(each) for each in polylines])
    first: Index = np.cumsum([0] + [len(each) for each in polylines[:-1]])
    return np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)


def _bare(polyline: Float) -> Float:
    """Return the positions (K, 3) of a polyline."""
    return polyline[:, :3]
