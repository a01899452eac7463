"""Shepherds at work: they look, decide a few times a second, and go to their posts."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GroupRun, starting_places
from rmp3d.behaviors.groups.herding.cover import Cover
from rmp3d.behaviors.groups.herding.drive import Drive
from rmp3d.behaviors.groups.herding.grid import WalkableGrid, is_behind
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Mission, Post
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.groups.herding.patrol import Patrol
from rmp3d.behaviors.groups.herding.slots import assigned
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.steering.path_following import point_at, project_on_polyline, stations
from rmp3d.behaviors.steering_behavior import SteeringOutput, force_towards, level
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import clip_length, length, unit

# Time between two decisions [s].
DECIDE = 0.2
# Posts are given to other shepherds only if all their paths become shorter by this share.
WORTHWHILE = 0.15
# For so long [s] after a change they keep posts that are there still.
KEPT = 2.0
# What they want is taken up in that time [s].
TAKE_UP = 0.2
# They slow down from the fear distance on, to this share of it.
NEAR = 0.5
# How briskly a shepherd makes up the distance to its post [1/s].
GAIN = 1.5
# How far ahead on its route a shepherd goes for a point, at most and at least [m]; how fast that
# distance changes [m/s], and at which distances it looks [m].
SHORTENED, LEAST_AHEAD = 6.0, 2.0
CHANGES, AHEAD = 8.0, 0.5
# Share of the largest speed at which shepherds run, and of the braking they stop with.
HURRY, CAUTION = 0.9, 0.4
# Share of their force that shepherds ask for, and of the side force with which they turn to where
# they want to go (1e9: they run into bends as fast as they can).
EFFORT, BENDS = 0.8, 0.7
# On a straight path to a post, no animal comes nearer than at its ends, but for this [m].
SLACK = 0.4


class HerdingRun(GroupRun):
    """Shepherds and what they remember; see `HerdingParameters`."""

    takes_turnover: ClassVar[bool] = True

    def __init__(self, task: Task, parameters: HerdingParameters) -> None:
        name = parameters.flock_name(task.groups, task.own)
        self._flock_group = task.groups.index(name)
        count = task.count
        super().__init__(task, start=starting_places(task, parameters.spacing), steering=())
        self._task = task
        self._own = parameters
        self._log = Log()
        self.figures = self._log.figures
        self.figures["mode"] = parameters.mode
        self._mission = self._begin(name)
        self._grid: WalkableGrid | None = None
        self._decided = -np.inf
        self._view: HerdView | None = None
        self._time = 0.0  # of the view before
        self._posts: list[Post] = []
        self._post_of = np.full(count, -1, np.intp)
        self._offsets = np.zeros((0, 3))
        self._routes: list[Float | None] = [None] * count
        self._rest = np.zeros(count)
        self._ahead = np.full(count, SHORTENED)
        self._wish: Float | None = None
        self._changed = -np.inf
        self._seen: Index | None = None  # rows in the world of the flock seen last, -1: has left
        self._shepherds = Turnover.none(count)  # since then

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return the flock's radius and what else the mission follows."""
        return dict(self._log.measures)

    def change(self, behavior: Any, flock: Flock) -> None:
        """Herd by other parameters from now on.

        Raises:
            InputError: Another mode, flock, region or cell is asked for.
        """
        for name in ("mode", "flock", "region", "cell"):
            if getattr(behavior, name) != getattr(self._own, name):
                raise InputError(
                    f"`{name}` cannot be changed while shepherds herd; begin the run anew"
                )
        self._mission.change(behavior)
        self._own = behavior

    def _begin(self, name: str) -> Mission:
        task, own = self._task, self._own
        regions = task.space.world.scene.regions
        if own.region and own.region not in regions:
            raise InputError(f"`region`: {unknown_name('region', own.region, list(regions))}")
        if own.mode == "cover":
            return Cover(own, regions.get(own.region), self._log)
        if own.mode == "patrol":
            return Patrol(own, regions[own.region], task.count, self._log)
        if name not in task.journeys:
            raise InputError(
                f"`flock`: the group `{name}` has no goal to be driven to; give it the behavior "
                "`herded` and a `goal`, or choose the mode `cover` or `patrol`"
            )
        return Drive(own, task.journeys[name], task.rng, self._log)

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the shepherds, and the flock, that are there now."""
        super().turn_over(own, everyone, rows)
        self._post_of = np.full(len(own), -1, np.intp)
        self._routes, self._rest = [None] * len(own), np.zeros(len(own))
        self._ahead, self._wish = np.full(len(own), SHORTENED), None
        self._shepherds = Turnover(own.of(self._shepherds.before, -1), self._shepherds.count_before)
        if self._seen is not None:
            self._seen = everyone.rows(self._seen)
        self._decided = -np.inf

    def _meet(self, flock: Index, count: int) -> None:
        """Let the mission go on with the animals, rows (n,) of the world, and shepherds of now."""
        seen = flock if self._seen is None else self._seen
        before = np.full(len(flock), -1, np.intp)
        there = np.flatnonzero(seen >= 0)
        before[np.searchsorted(flock, seen[there])] = there
        turned = Turnover(before, len(seen))
        if not (turned.is_none and self._shepherds.is_none):
            self._mission.turn_over(turned, self._shepherds)
            self._posts = []
        self._seen, self._shepherds = flock, Turnover.none(count)

    def look(self, world: WorldState, rows: Index) -> None:
        """See the flock; decide now and then which shepherd goes to which post."""
        if self._grid is None:
            self._grid = WalkableGrid.of(
                world, int(rows[0]), self._own.cell, self._task.character.body
            )
        flock = np.flatnonzero(world.group_of == self._flock_group)
        self._meet(flock, len(rows))
        if len(flock) == 0:
            self._view = None
            return
        self._time = self._view.time if self._view else world.time
        self._view = HerdView(
            time=world.time,
            position=world.flock.position[flock],
            velocity=world.flock.velocity[flock],
            body_radius=float(world.flock.bodies.radius[flock].max()),
            top_speed=float(world.flock.bodies.max_speed[flock].min()),
            grounded=bool(world.flock.bodies.grounded[flock].all()),
            shepherds=world.flock.position[rows],
            grid=self._grid,
            number=world.number[flock],
        )
        if world.time >= self._decided + DECIDE - 1e-9:
            self._decided = world.time
            self._decide(self._view)
        self.events += self._log.events
        self._log.events.clear()

    def _decide(self, view: HerdView) -> None:
        posts = self._mission.posts(view)
        if not posts:
            posts = self._standing(view)
        keys = [post.key for post in self._posts]
        before = np.full(len(self._post_of), -1, np.intp)
        for shepherd, row in enumerate(self._post_of):
            if row >= 0:
                found = [k for k, post in enumerate(posts) if post.key == keys[row]]
                before[shepherd] = found[0] if found else -1
        self._posts = posts
        self._offsets = np.array([post.place - _anchor(view, post)[0] for post in posts])
        cost, routes = self._costs_and_routes(view, posts)
        best = assigned(cost)
        rows = np.arange(len(best))
        stay = (before >= 0).all() and len(np.unique(before)) == len(before)
        if stay:
            kept, other = cost[rows, before].sum(), cost[rows, best].sum()
            worthwhile = kept > (1.0 + WORTHWHILE) * other + 0.5
            if view.time < self._changed + KEPT or not worthwhile:
                best = before
        if not np.array_equal(best, before):
            self._changed = view.time
        self._post_of = best
        self._routes = [routes[k][shepherd] for shepherd, k in enumerate(best)]
        self._rest = cost[rows, best]

    def _standing(self, view: HerdView) -> list[Post]:
        nobody = np.zeros(0, np.intp)
        return [Post(("stay", k), nobody, place) for k, place in enumerate(view.shepherds)]

    def _costs_and_routes(
        self, view: HerdView, posts: list[Post]
    ) -> tuple[Float, list[list[Float | None]]]:
        """Return the cost (k, P) of every shepherd's path to every post, and the routes.

        A route of None is the straight path.
        """
        grid, reach = view.grid, self._own.fear_distance
        count = len(view.shepherds)
        cost = np.empty((count, len(posts)))
        routes: list[list[Float | None]] = []
        for k, post in enumerate(posts):
            straight = self._straight(view, post)
            cost[:, k] = length(view.shepherds - post.place)
            own: list[Float | None] = [None] * count
            if not straight.all():
                price = grid.prices(view.position, reach, post.middle, post.course)
                field = grid.field(post.place, price)
                bent = np.flatnonzero(~straight)
                cost[bent, k] = np.minimum(field.at(view.shepherds[bent]), 1e6)
                for shepherd in bent:
                    own[shepherd] = field.route(view.shepherds[shepherd])
            routes.append(own)
        return cost, routes

    def _straight(self, view: HerdView, post: Post) -> Bool:
        """Return which shepherds (k,) can go straight to a post without frightening an animal."""
        start = view.shepherds
        share = np.linspace(0.0, 1.0, 9)[:, None, None]
        points = start + share * (post.place - start)  # (9, k, 3)
        gap = length(points[:, :, None] - view.position).min(axis=2)  # (9, k)
        ends = np.minimum(gap[0], gap[-1])
        behind = is_behind(points.reshape(-1, 3), post.middle, post.course).reshape(gap.shape)
        needed = np.minimum(self._own.fear_distance, ends) - SLACK
        free = ((gap >= needed) | (behind & (gap >= 0.75 * ends))).all(axis=0)
        rows = np.flatnonzero(free)
        if len(rows):
            free[rows] = view.grid.clear(start[rows], post.place)
        return free

    def step(self, flock: Flock, time: float) -> Intent:
        """Return the posts as subgoals."""
        view = self._view
        if view is None:  # there is nobody to herd
            return Intent.towards(flock, flock.position)
        place = np.empty_like(flock.position)
        motion = np.zeros_like(flock.position)
        final = np.zeros(len(flock), np.bool_)
        for shepherd, row in enumerate(self._post_of):
            anchor, velocity = _anchor(view, self._posts[row])
            target = anchor + self._offsets[row]
            route = self._routes[shepherd]
            if route is None:
                place[shepherd], motion[shepherd], final[shepherd] = target, velocity, True
            else:
                place[shepherd] = self._next(view, shepherd, flock.position[shepherd], route)
        remaining = np.where(final, length(place - flock.position), self._rest)
        parked = final & (remaining < 2.0 * flock.bodies.radius)
        self._final = final
        return Intent(place, motion, remaining, parked)

    def _next(self, view: HerdView, shepherd: int, position: Float, route: Float) -> Float:
        """Return the point (3,) of a route that a shepherd goes for, on the way from where it is.

        The straight path there keeps as far from the flock as the route, or out of the fear
        distance. How far ahead it is changes bit by bit: who comes past the corner of a hedge
        turns round it, and does not turn about there.
        """
        route = np.concatenate([position[None], _left_to_go(position, route)])
        far = np.arange(AHEAD, SHORTENED + AHEAD, AHEAD)
        ahead = point_at(route, far)
        share = np.linspace(0.2, 1.0, 5)[:, None, None]
        points = position + share * (ahead - position)  # (5, A, 3)
        gap = length(points[:, :, None] - view.position).min(axis=(0, 2))
        own = length(ahead[:, None] - view.position).min(axis=1)
        needed = np.minimum(np.minimum.accumulate(own), self._own.fear_distance) - SLACK
        good = (gap >= needed) & view.grid.clear(position, ahead)
        most = max(float(far[good].max(initial=0.0)), LEAST_AHEAD)
        change = CHANGES * (view.time - self._time)
        self._ahead[shepherd] += np.clip(most - self._ahead[shepherd], -change, change)
        return point_at(route, self._ahead[shepherd : shepherd + 1])[0]

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering to the posts: fast, but slow where the flock is driven.

        A shepherd that passes an animal fast frightens it less than one that passes slowly.
        """
        flock = world.flock.select(rows)
        view = self._view
        if view is None:
            stand = force_towards(flock, np.zeros_like(flock.velocity))
            force = clip_length(stand, flock.bodies.max_force)
            return SteeringOutput(force, np.zeros_like(force), np.zeros(len(rows), np.bool_))
        offset = intent.subgoal - flock.position
        if view.grid.surface is not None:
            offset = offset * [1.0, 1.0, 0.0]
        far = length(offset)
        top = self._top(flock, view)
        rest = np.where(self._final, far, np.maximum(far, intent.remaining))
        pace = np.minimum(np.sqrt(2.0 * CAUTION * flock.bodies.max_brake * rest), top)
        pace = np.where(self._final, np.minimum(GAIN * far, pace), pace)
        pace = np.minimum(pace, _bend_speed(flock, offset))
        wish = clip_length(
            intent.subgoal_velocity + pace[:, None] * unit(offset), flock.bodies.max_speed
        )
        before = flock.velocity if self._wish is None else self._wish
        self._wish = before - np.expm1(-world.dt / TAKE_UP) * (wish - before)
        force = clip_length(force_towards(flock, self._wish), EFFORT * flock.bodies.max_force)
        return SteeringOutput(force, np.zeros_like(force), np.zeros(len(rows), np.bool_))

    def _top(self, flock: Flock, view: HerdView) -> Float:
        """Return the largest speeds (k,) [m/s]: they are slow near the flock, at last."""
        gap = length(flock.position[:, None] - view.position).min(axis=1)
        afar = np.clip((gap / self._own.fear_distance - NEAR) / (1.0 - NEAR), 0.0, 1.0)
        cruise, hurry = flock.bodies.cruise_speed, HURRY * flock.bodies.max_speed
        return np.where(self._final, cruise + afar * (hurry - cruise), hurry)


def _bend_speed(flock: Flock, offset: Float) -> Float:
    r"""Return the speeds (k,) [m/s] at which shepherds can just turn to points at offsets (k, 3).

    The circle along the motion, through a point at the distance L and an angle :math:`\alpha` off
    it, has the radius :math:`L / (2 \sin\alpha)` (pure pursuit), so that with a side
    acceleration a

    .. math:: v \le \sqrt{a L / (2 \sin\alpha)} .

    What is behind is turned to as what is beside. They are no slower than the cruise speed.
    """
    far = length(offset)
    ahead = np.einsum("ki,ki->k", unit(offset), unit(level(flock, flock.velocity)))
    sine = np.where(ahead < 0.0, 1.0, np.sqrt(np.maximum(1.0 - ahead**2, 0.0)))
    force = BENDS * flock.bodies.max_side_acceleration
    found = np.sqrt(force * far / np.maximum(2.0 * sine, 1e-9))
    return np.maximum(found, flock.bodies.cruise_speed)


def _left_to_go(position: Float, route: Float) -> Float:
    """Return what is left of a route (K, 3): from the point of it that is nearest on."""
    if len(route) < 2:
        return route
    station, _ = project_on_polyline(route, position[None])
    along = stations(route)
    return np.concatenate([point_at(route, station), route[along > station[0]]])


def _anchor(view: HerdView, post: Post) -> tuple[Float, Float]:
    """Return the mean position and velocity (3,) of the animals that a post moves with."""
    if len(post.anchor) == 0:
        return np.zeros(3), np.zeros(3)
    return view.position[post.anchor].mean(axis=0), view.velocity[post.anchor].mean(axis=0)
