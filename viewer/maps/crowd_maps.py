r"""Density, speed and flow of a crowd on the ground, at a moment and on average over a time.

Each member i is spread over the cells around it by a Gaussian of standard deviation R, whose
weights :math:`w_i(x)` sum up to one over the cells of its storey:

.. math::
    \rho(x) = \sum_i w_i(x) / a, \qquad
    J(x) = \sum_i |v_i| \, w_i(x) / a, \qquad
    V(x) = J(x) / \rho(x)

with the area a of a cell: density [1/m^2], flow [1/(m s)] and speed [m/s] (Helbing, Johansson and
Al-Abideen 2007, "Dynamics of crowd disasters", with one difference: no weight is lost beyond the
edge of the ground). So the density's integral is the number of members. J is the flow whichever way
members go; averages over a time are those of density and flow, and their quotient is the speed.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.storeys import storey_at

SPREAD = 1.0  # [m] standard deviation R
REACH = 2.5  # in standard deviations: beyond, there is no weight


@dataclass(frozen=True, eq=False)
class GroundCells:
    """Square cells of the ground, a layer for each storey.

    Attributes:
        low: (2,) lower corner of the cells in plan [m].
        cell: Side of a cell [m].
        storeys: (S,) heights of the storeys [m], from below.
        height: (S, I, J) of the ground in the middle of each cell [m], NaN where there is none.
    """

    low: Float
    cell: float
    storeys: Float
    height: Float

    @cached_property
    def is_ground(self) -> Bool:
        """(S, I, J) where there is ground."""
        return np.asarray(np.isfinite(self.height))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Storeys, and cells along x and y."""
        storeys, columns, rows = self.height.shape
        return storeys, columns, rows

    @cached_property
    def _stencil(self) -> Index:
        """(K, 2) cells around one that a member in it may reach."""
        reach = int(np.ceil(REACH * SPREAD / self.cell + 0.5))
        steps = np.arange(-reach, reach + 1)
        around = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
        near = np.hypot(*around.T) * self.cell <= REACH * SPREAD + self.cell
        return np.asarray(around[near])

    def spread(self, feet: Float, amounts: Float) -> Float:
        """Return amounts (N, A) of members spread over the ground around them, per area.

        Args:
            feet: (N, 3) where members stand [m].
            amounts: (N, A) of each.

        Returns:
            (A, S, I, J) amounts per square meter. Members without ground around them are left out.
        """
        storeys, columns, rows = self.shape
        count = amounts.shape[1]
        total = np.zeros((count, storeys * columns * rows))
        if len(feet) == 0:
            return total.reshape(count, *self.shape)
        layer = storey_at(self.storeys, feet[:, 2])  # (N,)
        home = np.floor((feet[:, :2] - self.low) / self.cell).astype(np.intp)  # (N, 2)
        cells = home[:, None] + self._stencil  # (N, K, 2)
        inside: Bool = np.all((cells >= 0) & (cells < np.array([columns, rows])), axis=2)
        safe = np.where(inside[..., None], cells, 0)
        flat = (layer[:, None] * columns + safe[..., 0]) * rows + safe[..., 1]  # (N, K)
        inside &= self.is_ground.ravel()[flat]
        offset = self.low + (cells + 0.5) * self.cell - feet[:, None, :2]
        square = (offset * offset).sum(axis=2) / SPREAD**2
        weight = np.where(inside & (square <= REACH**2), np.exp(-0.5 * square), 0.0)
        whole = weight.sum(axis=1)
        weight /= np.where(whole > 0.0, whole, 1.0)[:, None] * self.cell**2
        for row in range(count):
            value = weight * amounts[:, row, None]
            total[row] = np.bincount(flat.ravel(), value.ravel(), total.shape[1])
        return total.reshape(count, *self.shape)


@dataclass(frozen=True, eq=False)
class CrowdMap:
    """A crowd on the cells of the ground.

    Attributes:
        density: (S, I, J) [1/m^2].
        flow: (S, I, J) [1/(m s)].
    """

    density: Float
    flow: Float

    @property
    def speed(self) -> Float:
        """(S, I, J) [m/s], 0 where nobody is."""
        found = np.zeros_like(self.density)
        np.divide(self.flow, self.density, out=found, where=self.density > 0.0)
        return found


def crowd_map(cells: GroundCells, feet: Float, velocity: Float) -> CrowdMap:
    """Return density and flow of members with feet at (N, 3) [m] and velocities (N, 3) [m/s]."""
    amounts = np.column_stack([np.ones(len(feet)), np.linalg.norm(velocity, axis=1)])
    return CrowdMap(*(frozen(each) for each in cells.spread(feet, amounts)))


def mean_map(maps: list[CrowdMap]) -> CrowdMap:
    """Return the average over moments as far apart from each other, of which there is one."""
    return CrowdMap(
        frozen(np.mean([each.density for each in maps], axis=0)),
        frozen(np.mean([each.flow for each in maps], axis=0)),
    )
