"""Points of a polyline that only lie on its straight runs, and can be left out."""

import numpy as np

from rmp3d.geometry import Float, Index


def bends(points: Float, slack: float) -> Index:
    """Return the rows of points (K, 3) that are left where a straight run is one piece.

    What is left out is off the run by ``slack`` [m] at most; where more would be, all points of the
    run stay, and so does any point at which the polyline turns back.
    """
    if len(points) < 3:
        return np.arange(len(points))
    way = np.diff(points, axis=0)
    size = np.linalg.norm(way, axis=1)
    unit = np.divide(way, size[:, None], out=np.zeros_like(way), where=size[:, None] > 0.0)
    turn = np.linalg.norm(unit[1:] - unit[:-1], axis=1)
    stays = np.ones(len(points), np.bool_)
    stays[1:-1] = (turn * np.maximum(size[1:], size[:-1]) > slack) | (turn > 1.0)
    rows = np.flatnonzero(stays)
    run = np.clip(np.searchsorted(rows, np.arange(len(points)), side="right") - 1, 0, len(rows) - 2)
    start, along = points[rows[run]], points[rows[run + 1]] - points[rows[run]]
    square = (along**2).sum(axis=1)
    share = ((points - start) * along).sum(axis=1)
    share = np.clip(np.divide(share, square, out=np.zeros(len(points)), where=square > 0.0), 0, 1)
    off = np.linalg.norm(points - start - share[:, None] * along, axis=1) > slack
    stays |= np.bincount(run, off, len(rows))[run] > 0.0
    return np.flatnonzero(stays)
