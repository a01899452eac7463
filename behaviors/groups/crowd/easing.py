"""Members of a group that are far ahead of the others slow down, so that it stays together."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index

# The share of their speed that they keep, at least.
SLOWEST = 0.3


def eased(left: Float, party: Index, span: Float) -> Float:
    """Return by what factor (n,) members go slower than they could.

    Args:
        left: (n,) distance that each has still to go [m].
        party: (n,) row of the party of each, in ascending order.
        span: (P,) how far ahead of the middle of its party a member begins to slow down [m];
            infinite: it does not.
    """
    order = np.lexsort((left, party))
    first = np.searchsorted(party, np.arange(len(span)))
    size = np.bincount(party, minlength=len(span))
    low, high = first + np.maximum(size - 1, 0) // 2, first + size // 2
    ranked = left[order]
    top = len(ranked) - 1
    median = 0.5 * (ranked[np.minimum(low, top)] + ranked[np.minimum(high, top)])
    own = span[party]
    ahead = median[party] - left
    with np.errstate(invalid="ignore"):
        slower = np.clip(1.0 - (ahead - own) / own, SLOWEST, 1.0)
    return np.where(np.isinf(own), 1.0, slower)
