"""The assignment of rows to columns that costs least."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index


def least_cost_assignment(cost: Float) -> tuple[Index, Index]:
    """Return rows and columns (K,) each; every row has one column, or every column one row.

    The sum of the costs is least (Crouse 2016, "On implementing 2D rectangular assignment
    algorithms", as SciPy has it). Rows ascend.

    Args:
        cost: (R, C) of giving each row each column.
    """
    from scipy.optimize import linear_sum_assignment  # a fifth of a second to load

    rows, columns = linear_sum_assignment(cost)
    return np.asarray(rows, np.intp), np.asarray(columns, np.intp)
