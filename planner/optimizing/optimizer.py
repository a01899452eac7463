"""The optimizer of one leg: rules take turns by counted work, and the cheapest path is kept."""

from collections.abc import Callable, Sequence

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.costs import Cost
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.optimizing.classes import same_class
from rmp3d.planner.optimizing.dense import DenseGraph
from rmp3d.planner.optimizing.fresh_trees import FreshTrees
from rmp3d.planner.optimizing.local_search import LocalSearch
from rmp3d.planner.optimizing.other_turns import OtherTurns
from rmp3d.planner.optimizing.patient import PatientSearches
from rmp3d.planner.optimizing.places import Places
from rmp3d.planner.optimizing.pool import Pool
from rmp3d.planner.optimizing.rules import RULES, SHARES
from rmp3d.planner.optimizing.samples import informed_samples
from rmp3d.planner.optimizing.settings import MOST_ALTERNATIVES
from rmp3d.planner.paths.polyline import points_at
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.trees.graph import Graph
from rmp3d.planner.trees.turns import work_of

BATCHES = 4  # of moves, in one turn of a local search
SAMPLES = 120  # drawn in one turn
DEARER = 10.0  # factor of what is near a place that a detour has to avoid
AROUND = (0.05, 0.2)  # what is near, times the cost of the best path: the range
WHOLE = 0.7  # share of detours that avoid whole paths, where other classes are wanted
PLACES = np.linspace(0.0, 1.0, 24)  # of a path that is avoided as a whole
BESIDE = (0.03, 0.1)  # what is near a whole path, times the cost of the best one: the range
SEARCHES = 200  # of the pool for one detour
HOPELESS = 1.6  # a detour that costs so much more is not looked at
QUICK = 16  # batches of moves after which a way is compared with the best
PROMISING = 1.15  # it is followed further if it costs no more than that then, for one of the best
OTHER = 0.3  # share of searches for other turns that begin with any known path, not with the best
MANY = 6.0  # factor of the share of detours where other classes are wanted
CLASSES = 8  # paths of other classes that are remembered, where they are not wanted


class PathOptimizer:
    """Makes the path of one leg cheaper, and collects paths of other classes.

    - ``local``: moves within the class, see `LocalSearch`.
    - ``samples``: informed samples in the pool, see `informed_samples` and `Pool`.
    - ``detours``: the cheapest path of the pool when what is near known paths is dearer.
    - ``trees``: for a rigid body: new trees, see `FreshTrees`. Beside them there are
      patient searches, each with a third of the work while it lasts, see `PatientSearches`.
    - ``turns``: for a body that turns: about the same way, turned otherwise, see `OtherTurns`.
    - ``dense``: a graph that grows denser without end, see `DenseGraph`.

    A path that the last three find is shortened before it is compared: as found, it would nearly
    always be longer than one that was shortened, even where it leads through a door that the
    other goes round.

    Args:
        space: What the path is in.
        cost: What is made small.
        vertices: (K, W) certified path.
        rng: Source of randomness.
        rules: Those of `SHARES` that are used.
        horizon: Paths that cost up to so many times the best are worth finding; 1: better ones.
        grown: What the search for the path has grown, if it is known; see `Leg`.

    Attributes:
        known: Cost and vertices of the cheapest path of each class that was seen, cheapest first.
        spent: Work so far, in motion queries.
    """

    def __init__(
        self,
        space: Space,
        cost: Cost,
        vertices: Float,
        rng: np.random.Generator,
        rules: Sequence[str] = RULES,
        horizon: float = 1.0,
        grown: tuple[Float, Index] | None = None,
    ) -> None:
        self.space, self.cost, self._rng = space, cost, rng
        self._horizon = horizon
        self.local = self._search(vertices)
        self._places = Places(space)
        self.pool = Pool(space, cost, vertices[0], vertices[-1])
        self.known: list[tuple[float, Float]] = []
        self.spent = 0.0
        self._trees: FreshTrees | None = None
        self._patient: PatientSearches | None = None
        self._other: OtherTurns | None = None
        self._candidate: LocalSearch | None = None
        self._tried = 0
        self._dense = DenseGraph(space, cost, vertices[0], vertices[-1], rng.spawn(1)[0])
        turns: dict[str, Callable[[], None]] = {
            "local": self._locally, "samples": self._by_samples, "detours": self._by_detours,
            "dense": self._by_dense_graph,
        }  # fmt: skip
        if isinstance(space, RigidBodySpace) and space.world.backend != "fcl":
            self._trees = FreshTrees(space, cost, vertices[0], vertices[-1], rng)
            turns["trees"] = self._by_trees
            if "trees" in rules:
                self._patient = PatientSearches(space, cost, vertices[0], vertices[-1], rng)
            if space.turns:
                self._other = OtherTurns(space, cost, rng)
                turns["turns"] = self._by_other_turns
        self._turns = {name: turn for name, turn in turns.items() if name in rules}
        self._work = dict.fromkeys(self._turns, 0.0)
        self._pooled = np.inf
        if grown is not None:
            self.pool.add_trees(*grown, horizon * self.total)

    @property
    def vertices(self) -> Float:
        """The cheapest path (K, W) so far."""
        return self.local.vertices

    @property
    def total(self) -> float:
        """Its cost."""
        return self.local.total

    def advance(self) -> str:
        """Let one rule have a turn; return its name."""
        before = self._work_done()
        patient = self._patient
        if patient is not None and self._candidate is None and patient.is_due(self.spent):
            self._search_patiently(patient)
            work = self._work_done() - before
            patient.work += work
            self.spent += work
            return "trees"
        able = [name for name in self._turns if name != "local" or not self.local.is_settled]
        if not able:
            self.local.unsettle()
            able = ["local"]
        name = min(able, key=lambda each: self._work[each] / self._share(each))
        self._turns[name]()
        work = self._work_done() - before
        # A rule that was idle is not given what it missed.
        self._work[name] += max(work, 1.0)
        for other in self._turns.keys() - set(able):
            level = min(self._work[each] / self._share(each) for each in able)
            self._work[other] = max(self._work[other], level * self._share(other))
        self.spent += work
        return name

    def _share(self, name: str) -> float:
        """Return the share of a rule."""
        return SHARES[name] * (MANY if name == "detours" and self._horizon > 1.0 else 1.0)

    def _work_done(self) -> float:
        searched = self.pool.work + self._dense.work
        searched += self._other.work if self._other is not None else 0.0
        return work_of(self.space.world.counts) + searched

    def others(self, vertices: Float) -> list[tuple[float, Float]]:
        """Return cost and path of each class that is known, but for that of a path (K, W).

        Those through other places come first, the cheapest of these before the others.
        """
        rest = [each for each in self.known if each[1] is not vertices]
        rest = [each for each in rest if not self._are_alike(each[1], vertices)]
        new = self._places.are_new([vertices, *(path for _, path in rest)])[1:]
        return [rest[row] for row in np.argsort(~new, kind="stable").tolist()]

    def places(self) -> int:
        """Return through how many places the paths lead that are known."""
        return int(self._places.are_new([path for _, path in self.known]).sum())

    def restarted(self, vertices: Float) -> "PathOptimizer":
        """Return an optimizer that begins again with a path (K, W), and has spent as much."""
        fresh = PathOptimizer(
            self.space, self.cost, vertices, self._rng, tuple(self._turns), self._horizon
        )
        fresh.spent = self.spent
        fresh._patient = self._patient  # they know no path, and go on
        return fresh

    def offer(self, vertices: Float) -> None:
        """Take a certified path (K, W) with the same ends as one to be shortened and compared."""
        self._candidate = self._search(vertices)
        self._tried = 0

    def _search(self, vertices: Float) -> LocalSearch:
        """Return a local search; where other classes are wanted, it stays in its class."""
        return LocalSearch(self.space, self.cost, vertices, self._rng, self._horizon > 1.0)

    def _are_alike(self, one: Float, other: Float) -> bool:
        """Return whether two short paths are of one class."""
        return same_class(self.space, one, other, self._horizon > 1.0)

    def _shorten_candidate(self) -> None:
        """Go on with the path that was found last; compare it when it is short."""
        search = self._candidate
        assert search is not None
        for _ in range(BATCHES):
            search.advance()
        self._tried += BATCHES
        if search.total < self.total:
            self._candidate = None
            self._remember(self.local)
            self.local = search
            return
        # The longer it is tried, the nearer it must have come.
        margin = (PROMISING - 1.0) * min(1.0, QUICK / self._tried)
        worth = max(1.0 + margin, self._horizon) * self.total
        hopeful = self._tried < QUICK or search.total < worth
        if self._tried == QUICK:
            # What can be moved onto the best path would only become that path.
            hopeful = hopeful and not same_class(self.space, search.vertices, self.vertices)
        if not hopeful or search.is_settled:
            self._candidate = None
            self.pool.add_path(search.vertices)
            self._remember(search)

    def _locally(self) -> None:
        for _ in range(BATCHES):
            self.local.advance()
        if self.local.is_settled and self.total < self._pooled:
            self._pooled = self.total
            self.pool.add_path(self.vertices)
            self._remember(self.local)

    def _by_samples(self) -> None:
        limit = self._horizon * self.total
        self.pool.prune(limit, self._rng if self._horizon > 1.0 else None)
        drawn = informed_samples(self.space, self.cost, self.vertices, limit, SAMPLES, self._rng)
        self.pool.add_samples(drawn)
        self._take(self.pool.cheapest(self.total))

    def _by_dense_graph(self) -> None:
        self._take(self._dense.advance(self.total))

    def _take(self, found: Float | None) -> None:
        """Go on with a path that is cheaper than the best, if one is found."""
        if found is not None:
            if self._horizon > 1.0:
                self._remember(self.local)
            self.local = self._search(found)

    def _by_detours(self) -> None:
        if self._candidate is not None:
            self._shorten_candidate()
            return
        paths = [self.vertices, *(path for _, path in self.known if path is not self.vertices)]
        found = self.pool.cheapest(np.inf, self._dearer(paths), SEARCHES)
        if found is None:
            return
        if cost_of(self.cost, self.space, found) >= HOPELESS * self._horizon * self.total:
            return
        # Where other classes are wanted, to shorten a path of a known one would be in vain.
        if self._horizon == 1.0 or not any(same_class(self.space, found, each) for each in paths):
            self.offer(found)

    def _by_trees(self) -> None:
        assert self._trees is not None
        if self._candidate is not None:
            self._shorten_candidate()
        else:
            limit = self._horizon * self.total
            self._keep(self._trees.advance(limit), self._trees.left, limit)

    def _search_patiently(self, patient: PatientSearches) -> None:
        """Let the patient searches go on; take a path that they find as one to be shortened."""
        limit = self._horizon * self.total
        self._keep(patient.advance(limit, self.spent), patient.left, limit)

    def _keep(self, found: Float | None, left: Graph | None, limit: float) -> None:
        """Take what a search has found, and what its trees have reached, if it has ended."""
        if left is not None:
            self.pool.add_trees(left.nodes, left.edges, limit)
        if found is not None:
            self.offer(found)

    def _by_other_turns(self) -> None:
        assert self._other is not None
        if self._candidate is not None:
            self._shorten_candidate()
            return
        paths = [self.vertices, *(path for _, path in self.known if path is not self.vertices)]
        path = paths[self._rng.integers(len(paths)) if self._rng.random() < OTHER else 0]
        found = self._other.along(path, HOPELESS * self._horizon * self.total)
        if found is not None:
            self.offer(found)

    def _dearer(self, paths: list[Float]) -> Float:
        """Return factors (N,) of the nodes of the pool: places of each path are to be avoided.

        It is a random place, as large as it happens to be. Where other classes are wanted it is
        often the whole path: of many paths, a place of each would seldom be the door of each.
        Half of the time only positions count, so that the same place in another turn is avoided,
        too.
        """
        nodes = self.pool.nodes
        factor = np.ones(len(nodes))
        whole = self.total / self.cost.per_meter(self.space)
        only_place = self._rng.random() < 0.5
        all_along = self._horizon > 1.0 and self._rng.random() < WHOLE
        for path in paths:
            shares = PLACES if all_along else self._rng.random(1)
            near = whole * np.exp(self._rng.uniform(*np.log(BESIDE if all_along else AROUND)))
            for place in points_at(path, self.space, shares)[:, None]:
                if only_place:
                    gap = np.linalg.norm(nodes[:, :3] - place[:, :3], axis=1)
                else:
                    gap = self.space.distance(np.broadcast_to(place, nodes.shape), nodes)
                factor[gap < near] = DEARER
        return factor

    def _remember(self, search: LocalSearch) -> None:
        """Keep a path if no cheaper one of its class is known."""
        total, vertices = search.total, search.vertices
        for row, (other, path) in enumerate(self.known):
            if path is vertices or self._are_alike(vertices, path):
                if total < other:
                    self.known[row] = total, vertices
                break
        else:
            self.known.append((total, vertices))
        self.known.sort(key=lambda each: each[0])
        if self._horizon == 1.0:
            del self.known[CLASSES:]
        elif len(self.known) > MOST_ALTERNATIVES:
            # The dearest goes, but for one through places of its own.
            new = self._places.are_new([path for _, path in self.known])
            del self.known[len(new) - 1 if new.all() else np.flatnonzero(~new)[-1]]
