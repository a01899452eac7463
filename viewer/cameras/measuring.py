"""How far it is between two points of a scene: straight, level, up, and along the ground."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.scenes import Scene
from rmp3d.viewer.texts import tr

STEP = 0.25  # [m] of steps that the way along the ground takes
ON_GROUND = 0.3  # [m] from the ground within which a point counts as on it


@dataclass(frozen=True, eq=False)
class Measured:
    """Distances between two points.

    Attributes:
        start: (3,) [m].
        end: (3,) [m].
        ground: (K, 3) the way over the ground, straight in plan, as far as there is ground [m];
            K = 0 if the start is not on the ground.
        arrives: Whether that way leads to the end.
    """

    start: Float
    end: Float
    ground: Float
    arrives: bool

    @classmethod
    def between(cls, scene: Scene, start: Float, end: Float) -> "Measured":
        """Return the distances between two points (3,) [m] of a scene."""
        ground, arrives = _along_ground(scene, start, end)
        return cls(frozen(start), frozen(end), frozen(ground), arrives)

    @property
    def straight(self) -> float:
        """Along the straight line [m]."""
        return float(np.linalg.norm(self.end - self.start))

    @property
    def level(self) -> float:
        """On the map [m]."""
        return float(np.linalg.norm((self.end - self.start)[:2]))

    @property
    def rise(self) -> float:
        """How much higher the end is [m]."""
        return float(self.end[2] - self.start[2])

    @property
    def slope(self) -> float:
        """Of the straight line against the level [rad], negative downwards."""
        return float(np.arctan2(self.rise, self.level))

    @property
    def along_ground(self) -> float:
        """How long `ground` is [m]."""
        return float(np.linalg.norm(np.diff(self.ground, axis=0), axis=1).sum())

    @property
    def lines(self) -> list[str]:
        """The distances in words, the straight one first."""
        along = f"{self.along_ground:.2f}"
        lines = [
            tr("straight {length} m", length=f"{self.straight:.2f}"),
            tr("on the map {length} m", length=f"{self.level:.2f}"),
            tr(
                "height {rise} m · slope {slope}°",
                rise=f"{self.rise:+.2f}",
                slope=f"{np.degrees(self.slope):+.1f}",
            ),
        ]
        if self.arrives:
            lines.append(tr("along the ground {length} m", length=along))
        elif len(self.ground):
            lines.append(tr("along the ground: ends after {length} m", length=along))
        else:
            lines.append(tr("along the ground: starts beside it"))
        return lines


def _along_ground(scene: Scene, start: Float, end: Float) -> tuple[Float, bool]:
    """Return the way (K, 3) [m] over the ground, straight in plan, and whether it arrives."""
    surface = scene.footing(STEP).surface
    if surface is None:
        return np.zeros((0, 3)), False
    place, face = surface.locate(np.stack([start, end]), ON_GROUND, ON_GROUND)
    if face[0] < 0:
        return np.zeros((0, 3)), False
    ground, _, whole = surface.polyline(place[0], int(face[0]), (place[1] - place[0])[:2])
    arrives = bool(whole and face[1] >= 0 and abs(ground[-1, 2] - place[1, 2]) < ON_GROUND)
    return ground, arrives
