"""Islands that arched footbridges join over water: one sheet of ground that can be walked."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import loft, outward, quad, rod

SHORE, LAWN = "#e2cd9b", "#86ad62"
PLANKS, BEAM, RAILING = ("#a97b4a", "#9d7042"), "#6f4e30", "#ece6da"
CORNERS = 36
SHALLOW, SANDY = -0.75, 0.86  # the banks end here; the lawn is this share of an island
SUNK, THICK, CURB = 0.5, 0.2, 0.22  # of a bridge's structure under the planks, and its sides
RAIL = 1.0


@dataclass(frozen=True)
class BridgeSpan:
    """A straight arched footbridge.

    Attributes:
        start: (x, y) of the middle of its first end [m].
        end: (x, y) of the middle of its second end.
        width: Between the railings [m].
        rise: Of its middle over its ends [m].
    """

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    rise: float

    def edge(self, share: float, aside: float, lift: float = 0.0) -> Float:
        """Return a point (3,) at a share of the length, aside to the left, over the planks."""
        start, end = np.array(self.start), np.array(self.end)
        along = (end - start) / np.linalg.norm(end - start)
        plan = start + share * (end - start) + aside * np.array([-along[1], along[0]])
        return np.array([*plan, self.rise * np.sin(np.pi * share) + lift])

    def corners(self, share: float) -> tuple[Float, Float]:
        """Return the planks' right and left edge (3,) at a share of the length."""
        return self.edge(share, -self.width / 2), self.edge(share, self.width / 2)


@dataclass(frozen=True)
class Island:
    """An island of wavy outline that bridges end at.

    Attributes:
        center: (x, y) [m].
        radii: Along x and y [m].
        wave: Phase of its outline [rad].
    """

    center: tuple[float, float]
    radii: tuple[float, float]
    wave: float

    def shore(self, angle: Float) -> Float:
        """Return points (K, 2) of the outline without bridges, at angles (K,)."""
        swell = 1.0 + 0.05 * np.sin(3.0 * angle + self.wave) + 0.03 * np.sin(5.0 * angle)
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.array(self.center) + circle * np.array(self.radii) * swell[:, None]

    def outline(self, ends: list[tuple[Float, Float]]) -> Float:
        """Return the outline (K, 2), counter-clockwise, with the ends of bridges as sides of it.

        Args:
            ends: Two points (2,) each, in any order, near the shore.
        """
        angles = np.arange(CORNERS) * 2.0 * np.pi / CORNERS
        points = list(self.shore(angles))
        for end in ends:
            own = np.array([self._angle(point) for point in end])
            width = abs(_turned(own[1] - own[0]))
            middle = own[0] + 0.5 * _turned(own[1] - own[0])
            near = [abs(_turned(self._angle(p) - middle)) < 0.5 * width + 0.09 for p in points]
            points = [p for p, gone in zip(points, near, strict=True) if not gone]
            points += list(end)
        return np.array(sorted(points, key=self._angle))

    def _angle(self, point: Float) -> float:
        offset = (np.asarray(point) - self.center) / self.radii
        return float(np.arctan2(offset[1], offset[0]) % (2.0 * np.pi))


def _turned(angle: float) -> float:
    """Return an angle from -pi to pi."""
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def add_island(model: Model, island: Island, ends: list[tuple[Float, Float]]) -> None:
    """Add lawn and beach (to the part ``ground``), and the banks down into the water."""
    rim = np.insert(island.outline(ends), 2, 0.0, axis=1)
    center = np.array([*island.center, 0.0])
    inner = center + SANDY * (rim - center)
    outer = center + 1.14 * (rim - center) + [0.0, 0.0, SHALLOW]
    count = len(rim)
    fan = np.array([[count, k, (k + 1) % count] for k in range(count)])
    model.add("ground", LAWN, TriangleMesh(np.concatenate([inner, center[None]]), fan))
    model.add("ground", SHORE, ribbon(inner, rim))
    model.add("banks", SHORE, ribbon(rim, outer))


def ribbon(inner: Float, outer: Float) -> TriangleMesh:
    """Return the closed band between two loops (K, 3), facing up where the outer one is wider."""
    count = len(inner)
    k = np.arange(count)
    n = (k + 1) % count
    faces = np.concatenate([np.stack([k, k + count, n + count], 1), np.stack([k, n + count, n], 1)])
    return TriangleMesh(np.concatenate([inner, outer]), faces)


def add_bridge(model: Model, name: str, bridge: BridgeSpan) -> None:
    """Add planks (to the part ``ground``), the arch under them, and a railing on each side."""
    shares = np.linspace(0.0, 1.0, 15)
    for row in range(len(shares) - 1):
        (a, b), (c, d) = bridge.corners(shares[row]), bridge.corners(shares[row + 1])
        model.add("ground", PLANKS[row % 2], quad(a, c, d, b))
    half = bridge.width / 2
    rings = []
    for share in shares:
        sides = (-half - CURB, half + CURB)
        top = [bridge.edge(share, aside, -SUNK) for aside in sides]
        low = [bridge.edge(share, aside, -SUNK - THICK) for aside in reversed(sides)]
        rings.append([*top, *low])
    model.add(f"{name} arch", BEAM, outward(loft(rings)))
    for side, word in ((1.0, "left"), (-1.0, "right")):
        _railing(model, f"{name} railing {word}", bridge, side, shares)


def _railing(model: Model, name: str, bridge: BridgeSpan, side: float, shares: Float) -> None:
    """Add a curb and a solid low parapet that collide, and the rail over them, which is seen."""
    inner, outer = side * bridge.width / 2, side * (bridge.width / 2 + CURB)
    rings = [
        [
            bridge.edge(s, a, z)
            for a, z in ((inner, -0.62), (outer, -0.62), (outer, 0.4), (inner, 0.4))
        ]
        for s in shares
    ]
    model.add(name, BEAM, outward(loft(rings)))
    middle = side * (bridge.width + CURB) / 2
    for a, b in pairwise(shares):
        rail = rod(bridge.edge(a, middle, RAIL), bridge.edge(b, middle, RAIL), 0.045)
        model.add(f"{name} rail", RAILING, rail)
        knee = rod(bridge.edge(a, middle, 0.7), bridge.edge(b, middle, 0.7), 0.025, 5)
        model.add(f"{name} rail", RAILING, knee)
    for share in np.linspace(0.0, 1.0, 10):
        foot, head = bridge.edge(share, middle, 0.3), bridge.edge(share, middle, RAIL)
        model.add(f"{name} rail", RAILING, rod(foot, head, 0.04, 5))
