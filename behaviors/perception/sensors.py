"""Sensors on the body: each with a direction, an opening and a range."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rmp3d.behaviors.perception.perception import PERCEPTIONS, places_within
from rmp3d.behaviors.perception.stimuli import Stimulus
from rmp3d.behaviors.perception.surroundings_ahead import exposure_ahead, slope_ahead
from rmp3d.behaviors.perception.zone import check_angle, check_memory, check_positive, in_cone
from rmp3d.behaviors.proximity.gaps import clearances
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import length

OBSTACLE = "obstacle"
# Rays into the scene: one along the axis, the others on a cone of this share of the opening.
RIM_RAYS, RIM_SHARE = 6, 0.7


@dataclass(frozen=True)
class Sensor:
    """One sensor.

    Attributes:
        name: Its reading is the state variable of this name.
        reading: ``distance``: how far the nearest thing is [m], the range if there is none;
            ``proximity``: from 0 (at the range, or none) to 1 (at the sensor); ``quality``: 1 if
            there is a thing of the detected kinds, else 0; ``slope``: rise over run of the ground
            from here to the range ahead, infinite where there is none; ``exposure``: 1 if the place
            at the range ahead is in straight sight of one of the detected groups, else 0.
        direction: Of its axis, body frame: x ahead, y left, z up.
        angle: Full opening [degrees], 360 is all around.
        range: [m].
        detects: Kinds of things: names of groups or stimuli, or ``obstacle`` for the scene; empty:
            all.
    """

    name: str
    reading: Literal["distance", "proximity", "quality", "slope", "exposure"] = "distance"
    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
    angle: float = 360.0
    range: float = 5.0
    detects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_positive(range=self.range)
        check_angle(self.angle)
        if not np.any(self.direction):
            raise InputError("`direction` must not be zero")

    def detects_kind(self, kind: str) -> bool:
        """Whether things of a kind are sensed."""
        return not self.detects or kind in self.detects


@PERCEPTIONS.register("sensors")
@dataclass(frozen=True)
class Sensors:
    """Perceive with a set of sensors; another is perceived if one of them detects it.

    Distance and proximity sensors tell how far or near things are, quality sensors what kind of
    thing there is (Reich, Ko, Becket, Badler 1994, "Terrain reasoning for human locomotion", use
    such sets). Distances are between surfaces. The scene's obstacles are sensed with seven rays
    from the body's middle, one along the axis and six at 0.7 of the opening; all around, their
    nearest point counts. The members of a group have one body.

    Attributes:
        sensors: At least one; each has ``name``, ``reading``, ``direction``, ``angle``,
            ``range`` and ``detects``.
        memory: How long others are remembered where they were last perceived [s].
        stimuli: What else can be sensed, such as noises; each has ``name``, ``place``, ``range``,
            ``start``, ``duration`` and ``every``.
    """

    sensors: tuple[Sensor, ...] = (Sensor("around"),)
    memory: float = 0.0
    stimuli: tuple[Stimulus, ...] = ()

    def __post_init__(self) -> None:
        check_memory(self.memory)
        names = [sensor.name for sensor in self.sensors]
        if not names:
            raise InputError("`sensors` must have at least one")
        if len(set(names)) < len(names):
            raise InputError(f"two `sensors` have one name; they are {', '.join(names)}")

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        found = [np.stack(self._others(sensor, world, rows)[:2], axis=1) for sensor in self.sensors]
        pairs = np.unique(np.concatenate(found), axis=0)
        return pairs[:, 0], pairs[:, 1]

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        found = []
        for sensor in self.sensors:
            i, place = places_within(world, rows, places, sensor.range)
            offset = places[place] - world.eye[rows[i]]
            inside = in_cone(offset, _axis(sensor, world, rows)[i], sensor.angle)
            found.append(np.stack([i[inside], place[inside]], axis=1))
        pairs = np.unique(np.concatenate(found), axis=0)
        return pairs[:, 0], pairs[:, 1]

    def readings(self, world: WorldState, rows: Index) -> dict[str, Float]:
        """Return the reading (n,) of each sensor by its name.

        Raises:
            InputError: The place of a stimulus is a group that there is not.
        """
        return {sensor.name: self._reading(sensor, world, rows) for sensor in self.sensors}

    def _reading(self, sensor: Sensor, world: WorldState, rows: Index) -> Float:
        if sensor.reading == "slope":
            return slope_ahead(world, rows, _axis(sensor, world, rows), sensor.range)
        if sensor.reading == "exposure":
            kinds = [sensor.detects_kind(name) for name in world.groups]
            return exposure_ahead(world, rows, _axis(sensor, world, rows), sensor.range, kinds)
        distance = np.full(len(rows), sensor.range)
        detected = np.zeros(len(rows), np.bool_)
        i, _, gap = self._others(sensor, world, rows)
        np.minimum.at(distance, i, np.maximum(gap, 0.0))
        detected[i] = True
        obstacles = world.obstacles(rows)
        if sensor.detects_kind(OBSTACLE) and obstacles is not None and len(rows):
            to_scene = _scene_distance(sensor, world, rows, obstacles)
            detected |= to_scene < sensor.range
            distance = np.minimum(distance, to_scene)
        for stimulus in self.stimuli:
            if sensor.detects_kind(stimulus.name):
                offset, reaches = stimulus.reaches(world, rows, sensor.range)
                reaches &= in_cone(offset, _axis(sensor, world, rows), sensor.angle)
                detected |= reaches
                apart = np.minimum(length(offset), sensor.range)
                distance = np.where(reaches, np.minimum(distance, apart), distance)
        if sensor.reading == "distance":
            return distance
        if sensor.reading == "proximity":
            return 1.0 - distance / sensor.range
        return detected.astype(np.float64)

    def _others(self, sensor: Sensor, world: WorldState, rows: Index) -> tuple[Index, Index, Float]:
        """Return pairs (P,), (P,) that a sensor detects, and the gaps (P,) of the bodies [m]."""
        flock = world.flock
        widest = 2.0 * float(
            (flock.bodies.radius + 0.5 * np.ptp(flock.bodies.capsule_axis, axis=1)).max(initial=0.0)
        )
        i, j = world.near(rows, sensor.range + widest)
        kinds = np.array([sensor.detects_kind(name) for name in world.groups], np.bool_)
        kept = kinds[world.group_of[j]]
        i, j = i[kept], j[kept]
        offset = world.middle[j] - world.middle[rows[i]]
        half = 0.5 * (
            np.ptp(flock.bodies.capsule_axis[rows[i]], axis=1)
            + np.ptp(flock.bodies.capsule_axis[j], axis=1)
        )
        upright = np.sign(offset[:, 2]) * np.maximum(np.abs(offset[:, 2]) - half, 0.0)
        apart = np.hypot(np.hypot(offset[:, 0], offset[:, 1]), upright)
        gap = apart - flock.bodies.radius[rows[i]] - flock.bodies.radius[j]
        kept = (gap <= sensor.range) & in_cone(offset, _axis(sensor, world, rows)[i], sensor.angle)
        return i[kept], j[kept], gap[kept]


def _axis(sensor: Sensor, world: WorldState, rows: Index) -> Float:
    """Return the sensor's unit axis (n, 3), world."""
    body = frame(world.flock.heading[rows], world.flock.up[rows])
    direction = np.array(sensor.direction)
    return body @ (direction / np.linalg.norm(direction))


def _scene_distance(sensor: Sensor, world: WorldState, rows: Index, obstacles: MeshQuery) -> Float:
    """Return the distance (n,) from the bodies to the obstacles, at most the range [m]."""
    flock = world.flock
    radius = flock.bodies.radius[rows]
    if sensor.angle >= 360.0:
        clearance = clearances(
            obstacles, flock.position[rows], radius, flock.bodies.capsule_axis[rows], sensor.range
        )
        return np.maximum(clearance, 0.0)
    axis = _axis(sensor, world, rows)
    spare = np.where(np.abs(axis[:, 2:]) > 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    left = np.cross(spare, axis)
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    up = np.cross(axis, left)
    tilt = RIM_SHARE * np.radians(0.5 * sensor.angle)
    turn = 2.0 * np.pi * np.arange(RIM_RAYS) / RIM_RAYS
    rim = np.cos(turn)[:, None, None] * left + np.sin(turn)[:, None, None] * up
    rays = np.concatenate([axis[None], np.cos(tilt) * axis + np.sin(tilt) * rim])  # (7, n, 3)
    origin = np.broadcast_to(world.middle[rows], rays.shape)
    longest = sensor.range + float(radius.max())
    distance, _ = obstacles.cast_ray(origin.reshape(-1, 3), rays.reshape(-1, 3), longest)
    return np.clip(distance.reshape(len(rays), -1).min(axis=0) - radius, 0.0, sensor.range)
