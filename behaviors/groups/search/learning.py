"""Link weights: what searching members write at places and read there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rmp3d.behaviors.groups.search.search_map import SearchMap
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable, shortened
from rmp3d.planner.roadmap.learned import GOAL_NODE, START_NODE, LearnedWeights

# Weights stay in this range; a direction starts with 1.
LEAST, MOST = 0.01, 100.0
# A direction with more than the first is trail, with less than the second it is a dead end.
TRAIL, DEAD = 1.5, 0.5
# What an earlier run has left has faded into this range: a trail can still be followed, but many
# leave it; a dead end is unlikely, but not closed.
FADED = 0.6, 1.6
# No neighbor is less likely than in this ratio to a plain one.
LEAST_SHARE = 1e-12
LONGEST_SAID = 160  # letters of where weights come from, in an error


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How weights change.

    Attributes:
        reward: Added to the weight of every link of the route to the goal, towards the goal.
        dead_end: Factor on the weight of a direction that leads into a dead end only.
        walked: Factor on the weight of a link for every time that a member has chosen it. It
            counts where there is no trail, so that members spread.
        false_trail: Share of a trail that is left when a member followed it and found no goal.
        cycle: Share of a trail that is left when a member followed it round a cycle.
        evaporation: Share of what was learned that is forgotten in a second [1/s].
    """

    reward: float = 10.0
    dead_end: float = 0.1
    walked: float = 0.3
    false_trail: float = 0.1
    cycle: float = 0.5
    evaporation: float = 0.0

    def __post_init__(self) -> None:
        for name in ("dead_end", "walked"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise InputError(
                    f"`{name}` must be above 0 and at most 1, got {getattr(self, name)}"
                )
        for name in ("false_trail", "cycle", "evaporation"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InputError(f"`{name}` must be from 0 to 1, got {getattr(self, name)}")
        if not 0.0 <= self.reward < np.inf:
            raise InputError(f"`reward` must be 0 or more, got {self.reward}")


class LinkWeights:
    r"""A weight for each direction of each link, and how often the members chose the link.

    A member at a place that may take the directions :math:`i` takes one with probability

    .. math:: p_i \propto w_i^2 \, q_i

    where :math:`w` is the weight. :math:`q_i` is 1 on a trail (w > 1.5), elsewhere
    ``walked`` to the power of the number of times that the link was chosen, times the ease with
    which a vehicle turns there.

    Args:
        known: The map.
        learning: How weights change; may be replaced.
        used: Whether weights count; if not, all are 1 and stay so.

    Attributes:
        weight: (E, 2) of each link, from its lower place to the higher, and back.
        chosen: (E,) how often the link was chosen.
        dead_before: Whether an earlier run has left marks of dead ends.
    """

    def __init__(self, known: SearchMap, learning: Learning, used: bool = True) -> None:
        self._map = known
        self.learning = learning
        self._used = used
        self.weight = np.ones((len(known.links), 2))
        self.chosen = np.zeros(len(known.links), np.intp)
        self.dead_before = False

    def _row(self, a: int, b: int) -> tuple[int, int]:
        return self._map.link(a, b), int(a > b)

    def of(self, a: int, b: int) -> float:
        """Return the weight of the direction from a place to its neighbor."""
        return float(self.weight[self._row(a, b)])

    def is_trail(self, a: int, b: int) -> bool:
        """Return whether a trail leads from a place to its neighbor."""
        return self.of(a, b) > TRAIL

    def is_dead(self, a: int, b: int) -> bool:
        """Return whether nothing is to be found from a place by way of its neighbor."""
        return self.of(a, b) < DEAD

    def choose(
        self, here: int, neighbors: Sequence[int], rng: np.random.Generator,
        ease: Sequence[float] | None = None,
    ) -> int:  # fmt: skip
        """Return one of the neighbors of a place, drawn by weight; note that it was chosen.

        Args:
            here: The place.
            neighbors: (K,) of it.
            rng: One number is drawn from it.
            ease: (K,) how easily each is taken from the way that one came; None: all alike.
        """
        draw = float(rng.random())
        ease = [1.0] * len(neighbors) if ease is None else ease
        rows = [self._row(here, neighbor) for neighbor in neighbors]
        share = []
        for (link, way), easy in zip(rows, ease, strict=True):
            weight = float(self.weight[link, way])
            fresh = self.learning.walked ** int(self.chosen[link]) if self._used else 1.0
            share.append(max(weight**2 * (1.0 if weight > TRAIL else fresh * easy), LEAST_SHARE))
        total = np.cumsum(share)
        pick = min(int(np.searchsorted(total, draw * total[-1], "right")), len(neighbors) - 1)
        self.chosen[rows[pick][0]] += self._used
        return neighbors[pick]

    def reward(self, route: Sequence[int]) -> None:
        """Strengthen every link of a route (places), in its direction."""
        for a, b in pairwise(route):
            self._put(a, b, max(self.of(a, b), 1.0) + self.learning.reward)

    def close_dead_end(self, a: int, b: int) -> None:
        """Weaken the direction from a place to a neighbor from where only the way back leads."""
        if not self.is_dead(a, b):
            self._put(a, b, self.of(a, b) * self.learning.dead_end)

    def doubt(self, trail: Sequence[int], share: float) -> None:
        """Leave this share of what was laid on a trail (places)."""
        for a, b in pairwise(trail):
            self._put(a, b, 1.0 + share * max(self.of(a, b) - 1.0, 0.0))

    def forget(self, seconds: float) -> None:
        """Let weights evaporate: they return towards 1."""
        if self.learning.evaporation > 0.0:
            kept = (1.0 - self.learning.evaporation) ** seconds
            self.weight = 1.0 + kept * (self.weight - 1.0)

    def _put(self, a: int, b: int, weight: float) -> None:
        if self._used:
            self.weight[self._row(a, b)] = min(max(weight, LEAST), MOST)

    def begin_with(self, learned: LearnedWeights, *, faded: bool) -> None:
        """Take the weights of an earlier run on the same roadmap.

        Links of start and goal that lead elsewhere now begin anew.

        Args:
            learned: Kept with the roadmap.
            faded: Whether they have faded since.

        Raises:
            InputError: The links of the map are others than those of the earlier run.
        """
        former, weight = learned.between(), np.ones_like(self.weight)
        missing = 0
        for row, (a, b) in enumerate(self._map.nodes[self._map.links].tolist()):
            if (a, b) in former:
                weight[row] = former[a, b], former[b, a]
            else:
                missing += a not in (START_NODE, GOAL_NODE)
        between = {(a, b) for a, b in learned.pairs.tolist() if a not in (START_NODE, GOAL_NODE)}
        own = {(a, b) for a, b in self._map.nodes[self._map.links].tolist()}
        foreign = len(between - own)
        if missing or foreign:
            raise InputError(
                f"the weights in the roadmap's file are of another search map: {foreign} of its "
                f"{len(between)} links are not in this one; search with the same "
                f"`place_distance`, `detour`, `nodes` and number of nodes as then "
                f"({_said(learned.provenance)}), or begin anew with `recall = 'none'`"
            )
        self.weight = np.clip(weight, *(FADED if faded else (LEAST, MOST)))
        self.dead_before = bool((self.weight < DEAD).any())

    def learned(self, provenance: Mapping[str, object]) -> LearnedWeights:
        """Return the weights as they are kept with the roadmap."""
        return LearnedWeights(self._map.nodes[self._map.links], self.weight, provenance)


def _said(provenance: Mapping[str, object]) -> str:
    facts = (f"{name} {value}" for name, value in provenance.items())
    return shortened(printable(", ".join(facts)), LONGEST_SAID) or "of unknown origin"
