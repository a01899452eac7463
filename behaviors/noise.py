"""Chance without a state: hashed numbers and smooth noise, per agent and channel.

A number depends only on the seed, on the agent that asks (its row among all characters), on a
channel (what it is for) and on a count or the time. So it does not matter in which order, how
often or with which time step anyone asks, and agents can be left out or added.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled

LATTICE = np.uint64(0x9E3779B97F4A7C15)


@compiled
def _mixed(value):
    """Return 64 well-mixed bits (the finalizer of splitmix64; Steele, Lea, Flood 2014)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def _uniform_one(seed, member, channel, count):
    key = _mixed(seed + LATTICE)
    key = _mixed(key ^ (np.uint64(member) + LATTICE))
    key = _mixed(key ^ (np.uint64(channel) + LATTICE))
    key = _mixed(key ^ (np.uint64(count) + LATTICE))
    return np.float64(key >> np.uint64(11)) * 2.0**-53


@compiled
def _uniform_rows(seed, member, channel, count, found):
    for i in range(member.shape[0]):
        found[i] = _uniform_one(seed, member[i], channel, count[i])


@compiled
def _smooth_rows(seed, member, channel, time, found):
    for i in range(member.shape[0]):
        # A shift of its own keeps the zeros of all agents from falling on the same times.
        moment = time[i] + _uniform_one(seed, member[i], channel, 0)
        cell = np.floor(moment)
        a = moment - cell
        before = 2.0 * _uniform_one(seed, member[i], channel, np.int64(cell) + 1) - 1.0
        after = 2.0 * _uniform_one(seed, member[i], channel, np.int64(cell) + 2) - 1.0
        fade = a * a * a * (a * (6.0 * a - 15.0) + 10.0)
        found[i] = 2.0 * ((1.0 - fade) * before * a + fade * after * (a - 1.0))


def _bits(seed: int) -> np.uint64:
    return np.uint64(seed & 0xFFFFFFFFFFFFFFFF)


def uniform(seed: int, member: Index, channel: int, count: Index | int) -> Float:
    """Return numbers (N,) in [0, 1), independent for each seed, agent, channel and count."""
    member = np.ascontiguousarray(member, np.int64)
    count = np.ascontiguousarray(np.broadcast_to(count, member.shape), np.int64)
    found = np.empty(len(member))
    _uniform_rows(_bits(seed), member, channel, count, found)
    return found


def smooth(seed: int, member: Index, channel: int, time: Float | float) -> Float:
    """Return gradient noise (N,) in [-1, 1] over ``time``, which varies on a scale of one.

    Perlin's noise in one dimension (Perlin 2002, "Improving noise"): twice differentiable, zero
    at one moment of every unit of time, with a gradient in [-2, 2] drawn for each.
    """
    member = np.ascontiguousarray(member, np.int64)
    time = np.ascontiguousarray(np.broadcast_to(time, member.shape), np.float64)
    found = np.empty(len(member))
    _smooth_rows(_bits(seed), member, channel, time, found)
    return found
