"""Column: one behind the other, or a few abreast."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, check_abreast
from rmp3d.geometry.arrays import Float

# Members of a file, above which there are more files.
LONGEST_FILE = 10


@FORMATIONS.register("column")
@dataclass(frozen=True)
class Column:
    """Travel in file, one behind the other along the path (thesis, 4.4.1), or in several files.

    Attributes:
        abreast: Number of files; 0: one for every ten members, where there is space.
    """

    abreast: int = 0

    def __post_init__(self) -> None:
        check_abreast(self.abreast)

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), rank by rank from the front, in each the middle first."""
        row = np.arange(count)
        files = self.files(count)
        place = np.arange(files) - (files - 1) / 2.0
        place = place[np.lexsort((-place, np.abs(place)))]
        return spacing * np.stack([row // files, place[row % files], np.zeros(count)], axis=1)

    def files(self, count: int) -> int:
        """Return how many files ``count`` members walk in."""
        return max(1, min(count, self.abreast or -(-count // LONGEST_FILE)))

    def narrower(self, count: int) -> Iterator["Column"]:
        """Yield columns of fewer and fewer files, down to a single one."""
        for files in range(self.files(count) - 1, 0, -1):
            yield replace(self, abreast=files)
