"""Travel: the members of a group go from place to place of an chooser, each on its own.

A member that sees its place goes straight to it, else by the shortest path over the roadmap. It
goes on to the next place a little before it has come to one, so it does not stop. A member that
comes no nearer for a while chooses another place.
"""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import PlaceChooser
from rmp3d.behaviors.groups.afterwards.area import Area
from rmp3d.behaviors.groups.group_behavior import GroupRun
from rmp3d.behaviors.groups.guided.onward import onward
from rmp3d.behaviors.groups.guided.waypoints import WaypointFollower
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import WORLD_UP
from rmp3d.geometry.vectors import length, unit

# A vehicle aims at most so far aside of its heading [rad]: it drives on as it turns.
ASIDE = np.deg2rad(60.0)
# How far members see the subgoals of their paths [m].
SENSOR_RANGE = 4.0
# A member has come to its place when it is this near [m], a vehicle within so many turn radii. A
# vehicle that is within so many more looks for a next place so often [s], and takes one that lies
# ahead: were it to turn back, it would give up one maneuver for another.
CAME, DRIVEN_CAME, TURNS, LOOKS_EACH = 1.2, 0.5, 2.0, 0.5
# A member stays when it is so near to its last place, times its radius.
THERE = 0.5
# A member that has come no nearer by this distance [m] for this time [s] chooses another place.
# Vehicles maneuver and wait for others in between, and have more patience.
NEARER, STUCK_AFTER, DRIVEN_STUCK_AFTER = 0.3, 4.0, 12.0
# A vehicle that is slower than this [m/s] for this time [s] is held up. If any place will do, it
# goes elsewhere, before it and what holds it up have to make room; again after so long [s].
STANDS, HELD_UP, AGAIN = 0.05, 0.7, 4.0


class Travel(GroupRun):
    """Members that go from place to place.

    Args:
        area: What they can reach.
        chooser: Where they go.
        flock: The members in their present state.
        time: Now [s].

    Attributes:
        distance: (n,) path that each member has gone so far [m].
    """

    def __init__(self, area: Area, chooser: PlaceChooser, flock: Flock, time: float) -> None:
        task = area.task
        super().__init__(task, start=flock.position, heading=flock.heading)
        self._area, self._chooser = area, chooser
        self._space, self._cruise, self._turn = area.space, task.cruise_speed, area.turn_radius
        self._waypoints = WaypointFollower(
            area.space, flock.position[:1], task.count, SENSOR_RANGE, task.dt
        )
        self._going = np.full(task.count, -1)
        self._stays = np.zeros(task.count, np.bool_)
        self._left, self._since = np.full(task.count, np.inf), np.full(task.count, time)
        self._before, self._stood = flock.position.copy(), np.zeros(task.count)
        self._looks = np.full(task.count, -np.inf)
        self.distance = np.zeros(task.count)
        chooser.look(flock, time)
        for member in range(task.count):
            self._go_on(member, flock)

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; newcomers choose with the next step."""
        super().turn_over(own, everyone, rows)
        self._waypoints.turn_over(own)
        self._going, self._stays = own.of(self._going, -1), own.of(self._stays, False)
        self._left, self._since = own.of(self._left, np.inf), own.of(self._since, np.inf)
        self._before, self.distance = own.of(self._before, np.nan), own.of(self.distance, 0.0)
        self._stood, self._looks = own.of(self._stood, 0.0), own.of(self._looks, -np.inf)

    def step(self, flock: Flock, time: float) -> Intent:
        """Send members that have come to their places on; give out subgoals."""
        new = np.isnan(self._before).any(axis=1)
        self._before[new] = flock.position[new]
        for member in np.flatnonzero(new).tolist():
            self._go_on(member, flock)
        self.distance += length(flock.position - self._before)
        self._before = flock.position.copy()
        self._chooser.look(flock, time)
        lost = self._waypoints.look(flock.position, self._stays)
        for member in lost[~self._waypoints.rejoin(lost, flock.position)].tolist():
            self._lead(member, flock)
        self._send_on(flock, time)
        left = self._waypoints.remaining(flock.position)
        subgoal, velocity = self._aims(flock, left)
        waypoint = np.where(self._stays[:, None], flock.position, self._waypoints.subgoal)
        guides = None
        if self._turn > 0.0:
            pace = np.full(len(flock), self._cruise)
            stops = self._waypoints.at_end & self._last()
            about = not self._last().all()
            guides = Guides(self._waypoints.ahead, pace, stops, by_time=True, about=about)
        return Intent(subgoal, velocity, left, self._stays.copy(), waypoint=waypoint, guides=guides)

    def steer(self, world: WorldState, rows: np.ndarray, intent: Intent) -> SteeringOutput:
        """Return what leads to the subgoals, and never asks to stand or go back."""
        steering = super().steer(world, rows, intent)
        force = onward(world.flock.select(rows), steering.force, intent.subgoal)
        return steering._replace(force=force)

    def _send_on(self, flock: Flock, time: float) -> None:
        """Give the next place to members that have come to theirs, or that are stuck."""
        left = self._waypoints.remaining(flock.position)
        nearer = left < self._left - NEARER
        self._left = np.where(nearer, left, self._left)
        self._since = np.where(nearer, time, self._since)
        near = left < max(CAME, TURNS * self._turn)
        if self._turn > 0.0:
            soon = near & ~self._stays & ~self._last() & (time >= self._looks)
            for member in np.flatnonzero(soon).tolist():
                self._looks[member] = time + LOOKS_EACH
                self._go_on_ahead(member, flock, time)
            near = left < max(CAME, DRIVEN_CAME * self._turn)
        came = self._waypoints.at_end & near
        patience = DRIVEN_STUCK_AFTER if self._turn > 0.0 else STUCK_AFTER
        stuck = ~self._stays & (time - self._since > patience)
        for member in np.flatnonzero((came | stuck | self._held_up(flock)) & ~self._stays).tolist():
            self._since[member], self._left[member] = time, np.inf
            if not self._chooser.is_last(member):
                self._go_on(member, flock)
            elif stuck[member]:
                self._lead(member, flock)
            else:
                least = THERE * float(flock.bodies.radius[member])
                self._stays[member] = left[member] < max(least, 0.5 * self._turn)

    def _held_up(self, flock: Flock) -> Bool:
        """Return which vehicles (n,) had better go elsewhere."""
        dt = self._area.task.dt
        stands = length(flock.velocity) < STANDS
        # Below zero it counts how long ago it has chosen another place.
        since = np.minimum(self._stood + dt, 0.0)
        self._stood = np.where(stands & (self._stood >= 0.0), self._stood + dt, since)
        held: Bool = (self._stood > HELD_UP) & (self._turn > 0.0) & self._chooser.any_will_do
        self._stood[held] = -AGAIN
        return held

    def _go_on(self, member: int, flock: Flock) -> None:
        row = self._chooser.next_place(member, flock, self._going)
        self._stays[member] = row < 0
        if row >= 0:
            self._going[member] = row
            self._lead(member, flock)

    def _go_on_ahead(self, member: int, flock: Flock, time: float) -> None:
        """Give the next place to a vehicle, if it can drive on there without going back."""
        row = self._chooser.next_place(member, flock, self._going)
        if row >= 0 and self._area.lies_ahead(flock, member, self._chooser.places[row]):
            self._going[member] = row
            self._since[member], self._left[member] = time, np.inf
            self._lead(member, flock)

    def _lead(self, member: int, flock: Flock) -> None:
        """Give a member a route to its place: straight, or by the roadmap."""
        row = int(self._going[member])
        here, place = flock.position[member, None], self._chooser.places[row, None]
        route: Float | None = place
        if not self._space.connects(here, place)[0]:
            route = self._area.routes.route(here[0], place[0], wedged=True)
        self._waypoints.give(member, here if route is None else route)

    def _aims(self, flock: Flock, left: Float) -> tuple[Float, Float]:
        """Return subgoals (n, 3) [m] and their velocities: just ahead, so that `Arrive` keeps on.

        A member that stays has its place as subgoal, or where it is if it drives.
        """
        subgoal = self._waypoints.subgoal
        direction = driven_directions(flock, unit(subgoal - flock.position))
        last = self._waypoints.at_end & self._last()
        # See `SelfGuidedRun.step`.
        carrot = flock.position + 0.5 * self._cruise * direction
        goal = np.where(last[:, None], subgoal, carrot)
        velocity = np.where(last[:, None], 0.0, 0.25 * self._cruise * direction)
        parks = self._stays & (flock.bodies.turn_radius > 0.0)
        parks |= self._stays & (self._going < 0)
        goal[parks], velocity[parks] = flock.position[parks], 0.0
        return goal, velocity

    def _last(self) -> Bool:
        return np.array([self._chooser.is_last(row) for row in range(len(self._going))], np.bool_)


def driven_directions(flock: Flock, direction: Float) -> Float:
    """Return directions (n, 3), those of vehicles at most `ASIDE` from their headings."""
    left = np.cross(WORLD_UP, flock.heading)
    aside = np.arctan2((direction * left).sum(axis=1), (direction * flock.heading).sum(axis=1))
    limited = np.clip(aside, -ASIDE, ASIDE)[:, None]
    drives = (flock.bodies.turn_radius > 0.0) & (np.abs(aside) > ASIDE)
    turned = np.cos(limited) * flock.heading + np.sin(limited) * left
    return np.where(drives[:, None], turned, direction)
