"""Compiled motion of a body that slides along what it touches.

A small displacement is a twist (6,): translation [m], then a rotation vector in the world frame
times ``lever`` [m]. ``freedom`` (6,) is one for free degrees of freedom, zero for locked ones.
"""

from math import atan2, cos, sin, sqrt

import numpy as np

from rmp3d.geometry.compiled import assign, compiled
from rmp3d.geometry.pair_kernels import contacts_one, place
from rmp3d.geometry.rigid_motion import advance

SWEEPS = 30
STEPS = 60  # of one slide
GAP = 0.2  # that a slide keeps from contacts, times its step


@compiled
def twist_between(a, b, lever, out):
    """Write the twist from configuration a to b, and return its length."""
    aw, ax, ay, az = a[3], -a[4], -a[5], -a[6]
    bw, bx, by, bz = b[3], b[4], b[5], b[6]
    w = bw * aw - bx * ax - by * ay - bz * az
    x = bw * ax + bx * aw + by * az - bz * ay
    y = bw * ay - bx * az + by * aw + bz * ax
    z = bw * az + bx * ay - by * ax + bz * aw
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = sqrt(x * x + y * y + z * z)
    scale = 2.0 * lever
    if sine > 1e-12:
        scale = 2.0 * atan2(sine, w) / sine * lever
    out[0], out[1], out[2] = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    out[3], out[4], out[5] = x * scale, y * scale, z * scale
    return size(out)


@compiled
def size(twist):
    """Return the length of a twist [m]."""
    total = 0.0
    for k in range(6):
        total += twist[k] * twist[k]
    return sqrt(total)


@compiled
def displaced(a, twist, lever, low, high, out):
    """Write configuration a moved by a twist, its reference point kept in the box."""
    rx, ry, rz = twist[3] / lever, twist[4] / lever, twist[5] / lever
    angle = sqrt(rx * rx + ry * ry + rz * rz)
    share = sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
    cw, cx, cy, cz = cos(0.5 * angle), rx * share, ry * share, rz * share
    aw, ax, ay, az = a[3], a[4], a[5], a[6]
    w = cw * aw - cx * ax - cy * ay - cz * az
    x = cw * ax + cx * aw + cy * az - cz * ay
    y = cw * ay - cx * az + cy * aw + cz * ax
    z = cw * az + cx * ay - cy * ax + cz * aw
    scale = 1.0 / sqrt(w * w + x * x + y * y + z * z)
    for k in range(3):
        out[k] = min(max(a[k] + twist[k], low[k]), high[k])
    out[3], out[4], out[5], out[6] = w * scale, x * scale, y * scale, z * scale


@compiled
def keep_off(rows, count, freedom, gap, twist, push):
    """Change a twist as little as possible so that no contact's gap falls below ``gap``.

    For every contact n.(v + w x r) >= gap - distance, to first order: a quadratic program with
    one multiplier (in ``push``) a contact, by projected Gauss-Seidel sweeps.
    """
    for i in range(count):
        push[i] = 0.0
        for k in range(6):
            rows[i, k] *= freedom[k]
    for _ in range(SWEEPS):
        changed = 0.0
        for i in range(count):
            square, speed = 0.0, 0.0
            for k in range(6):
                square += rows[i, k] * rows[i, k]
                speed += rows[i, k] * twist[k]
            if square < 1e-12:
                continue
            more = max(-push[i], (gap - rows[i, 6] - speed) / square)
            push[i] += more
            changed = max(changed, abs(more))
            for k in range(6):
                twist[k] += more * rows[i, k]
        if changed < 1e-3 * gap:
            break


@compiled
def cut(twist, length, most):
    """Cut a twist of this length to at most ``most``."""
    if length > most:
        for k in range(6):
            twist[k] *= most / length


@compiled
def _next_step(step, share, first_step):
    """Return the length of the next step after one of which ``share`` was free."""
    if share >= 1.0:
        return min(1.5 * step, 4.0 * first_step)
    if share < 0.5:
        return max(0.6 * step, 0.125 * first_step)
    return step


@compiled
def slide(trees, settings, limits, start, target, first_step, rows, trail, work, scratch, counts):
    """Move from ``start`` towards ``target`` in certified steps that slide along contacts.

    A step is the wanted twist, cut to the step's length and turned away from contacts. The step
    grows on success and shrinks on failure; the slide ends when the target comes no nearer.

    Args:
        trees: See `rmp3d.geometry.pair_kernels`.
        settings: Lever [m], tolerance [m], resolution [m] of proofs at a step of 0.1 reach.
        limits: Freedom (6,), lower and upper corner (3,) of the reference point.
        start: (7,), free.
        target: (7,).
        first_step: [m].
        rows: (C, 10) scratch for contacts.
        trail: (STEPS + 1, 7) receives the configurations, joined by certified motions.
        work: (4, 7) scratch.
        scratch: See `rmp3d.geometry.pair_kernels`.
        counts: (2,) motion and contact queries, added to.

    Returns:
        How many configurations were written, and whether the last one is the target.
    """
    lever, tolerance, resolution = settings
    freedom, low, high = limits
    here, there, twist, reached = work[0], work[1], work[2], work[3]
    push = np.empty(rows.shape[0])
    assign(here, start)
    count, step = 0, first_step
    for turn in range(STEPS):
        left = twist_between(here, target, lever, twist)
        if turn > 0 and left <= 2.0 * step:
            share = advance(trees, here, target, tolerance, resolution, there, scratch, counts)
            if share >= 1.0:
                assign(trail[count], target)
                return count + 1, True
        cut(twist, left, step)
        gap = GAP * step
        counts[1] += 1
        place(here, scratch[6])
        touching = contacts_one(trees, scratch[6], here, step + gap, lever, rows, scratch)
        keep_off(rows, touching, freedom, gap, twist, push)
        moved = size(twist)
        cut(twist, moved, 2.0 * step)
        share = 0.0
        if moved >= 0.1 * step:
            displaced(here, twist, lever, low, high, there)
            if twist_between(there, target, lever, twist) <= left - 0.05 * step:
                finer = resolution * step / first_step
                share = advance(trees, here, there, tolerance, finer, reached, scratch, counts)
        if share <= 0.05:
            step *= 0.4
            if step < 0.125 * first_step:
                break
            continue
        assign(here, reached)
        assign(trail[count], reached)
        count += 1
        step = _next_step(step, share, first_step)
    return count, False
