"""The count of collision work, by which cost is compared without a clock."""

from dataclasses import asdict, dataclass


@dataclass
class QueryCounts:
    """Queries made so far.

    Attributes:
        collision: Configurations and motions tested for contact. A certified motion counts as
            one with the compiled kernels (one call proves it), and as its number of single
            tests with python-fcl.
        distance: Clearances measured.
    """

    collision: int = 0
    distance: int = 0

    def copy(self) -> "QueryCounts":
        """Return the counts as they are now."""
        return QueryCounts(**asdict(self))

    def since(self, earlier: "QueryCounts") -> "QueryCounts":
        """Return the queries made after ``earlier``."""
        return QueryCounts(self.collision - earlier.collision, self.distance - earlier.distance)
