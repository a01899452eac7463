"""Compiled growth of two trees, from start and goal, that slide along what they touch.

``graph`` is (nodes (7, N), label (N,), edges (E, 2), sizes (4,)): the columns of ``nodes`` are
configurations, ``label`` tells components apart, nodes 0 and 1 are start and goal. ``sizes`` holds
how many nodes and edges there are, how many nodes the grid has seen, and how many of its cells
are occupied. ``grid`` is (head (C,), following (N,), population (C,), occupied (C,), cells (3,)):
chains of nodes per cell of position and orientation; cells whose numbers hash alike are one.
"""

import numpy as np

from rmp3d.geometry.compiled import assign, compiled
from rmp3d.geometry.pair_kernels import make_scratch
from rmp3d.geometry.rigid_motion import advance, between, extent
from rmp3d.planner.trees.randomness import below, normal, uniform
from rmp3d.planner.trees.sliding import STEPS, displaced, slide, twist_between

GOING, JOINED, FULL = 0, 1, 2
ROOM = 4 * STEPS + 200  # nodes that one round may add
WIDE, LOCAL = 0.45, 0.85  # shares of targets: anywhere; then near sparse nodes; then the rest
ONWARD = 0.3  # share of targets near sparse nodes that lie onward from the node
GUIDED = 0.4  # share of targets near the path of a guide, where there is one
TILT = 0.3  # [rad] around the orientation of a node
CONTACT_WORK = 1.5  # of a contact query, in motion queries
LONG_CHAIN = 40  # nodes of a cell among which one is drawn
HASH = 2654435761  # Knuth's multiplier: neighbors go to different cells


@compiled
def _add_node(graph, configuration, parent, label):
    nodes, labels, edges, sizes = graph
    row = sizes[0]
    for k in range(7):
        nodes[k, row] = configuration[k]
    labels[row] = label
    sizes[0] += 1
    edges[sizes[1], 0], edges[sizes[1], 1] = parent, row
    sizes[1] += 1
    return row


@compiled
def _read(nodes, row, out):
    for k in range(7):
        out[k] = nodes[k, row]


@compiled
def _nearest(graph, x, lever, first, second, square):
    """Return the nearest nodes to x of two components (-1: none) and their squared distances."""
    nodes, label, _, sizes = graph
    count = sizes[0]
    weight = 8.0 * lever * lever
    a, b, c, d, e, f, g = nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], nodes[5], nodes[6]
    for i in range(count):
        dot = d[i] * x[3] + e[i] * x[4] + f[i] * x[5] + g[i] * x[6]
        square[i] = ((a[i] - x[0]) ** 2 + (b[i] - x[1]) ** 2 + (c[i] - x[2]) ** 2) + weight * (
            1.0 - abs(dot)
        )
    one, two, near, far = -1, -1, 1e300, 1e300
    for i in range(count):
        if label[i] == first:
            if square[i] < near:
                one, near = i, square[i]
        elif label[i] == second and square[i] < far:
            two, far = i, square[i]
    return one, two, near, far


@compiled
def _cell(nodes, row, grid, low, high):
    """Return the cell of a node: by position, largest quaternion component and signs."""
    cells = grid[4]
    cell = 0
    for k in range(3):
        if cells[k] > 1:
            share = (nodes[k, row] - low[k]) / (high[k] - low[k])
            cell = cell * cells[k] + min(cells[k] - 1, max(0, int(share * cells[k])))
    largest = 3
    for k in range(4, 7):
        if abs(nodes[k, row]) > abs(nodes[largest, row]):
            largest = k
    cell = cell * 4 + largest - 3
    for k in range(3, 7):
        if k != largest:
            cell = 2 * cell + (1 if nodes[k, row] * nodes[largest, row] > 0.0 else 0)
    return ((cell * HASH) & 0x7FFFFFFF) % grid[0].shape[0]


@compiled
def _fill_grid(graph, grid, low, high):
    """Put the nodes of both trees that the grid has not seen into their cells."""
    nodes, label, _, sizes = graph
    head, following, population, occupied, _ = grid
    while sizes[2] < sizes[0]:
        row = sizes[2]
        sizes[2] += 1
        if label[row] != label[0] and label[row] != label[1]:
            continue
        cell = _cell(nodes, row, grid, low, high)
        following[row] = head[cell]
        head[cell] = row
        if population[cell] == 0:
            occupied[sizes[3]] = cell
            sizes[3] += 1
        population[cell] += 1


@compiled
def _sparse_node(sizes, grid, state):
    """Return a node of the emptier of two random occupied cells."""
    head, following, population, occupied, _ = grid
    cell, other = occupied[below(state, sizes[3])], occupied[below(state, sizes[3])]
    if population[other] < population[cell]:
        cell = other
    row = head[cell]
    for _ in range(below(state, min(population[cell], LONG_CHAIN))):
        row = following[row]
    return row


@compiled
def _anywhere(origin, limits, turns, state, out):
    """Write a configuration uniform in position, and in rotation where the body turns."""
    _, low, high = limits
    for k in range(3):
        out[k] = low[k] + uniform(state) * (high[k] - low[k])
    for k in range(3, 7):
        out[k] = origin[k]
    if turns == 2:
        total = 0.0
        for k in range(3, 7):
            out[k] = normal(state)
            total += out[k] * out[k]
        for k in range(3, 7):
            out[k] /= np.sqrt(total)
    elif turns == 1:
        angle = np.pi * uniform(state)
        c, s = np.cos(angle), np.sin(angle)
        w, x, y, z = origin[3], origin[4], origin[5], origin[6]
        out[3], out[4], out[5], out[6] = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w


@compiled
def _onward(graph, row, here, lever, length, before, twist):
    """Write the twist of a length that goes on as a motion came to a node; return if one did.

    In a tight passage, a thread for example, only one direction is free: that of the last step.
    The node added before is where the motion came from, unless it is far away.
    """
    nodes, label, _, _ = graph
    if row < 2 or label[row - 1] != label[row]:
        return False
    _read(nodes, row - 1, before)
    came = twist_between(before, here, lever, twist)
    if came > 2.0 * lever or came < 1e-6 * lever:
        return False
    for k in range(6):
        twist[k] *= length / came
    return True


@compiled
def _choose_target(graph, grid, guide, origin, limits, lever, turns, state, work, target):
    """Write a target; return the node to start from, or -1 for the nearest."""
    nodes, _, _, sizes = graph
    freedom, low, high = limits
    base, twist = work[0], work[1]
    if guide.shape[0] > 0 and uniform(state) < GUIDED:
        row = below(state, guide.shape[0])
        scale = lever * 10.0 ** (-2.0 * uniform(state))
        for k in range(6):
            twist[k] = freedom[k] * scale * normal(state)
        displaced(guide[row], twist, lever, low, high, target)
        return -1
    kind = uniform(state)
    if kind < WIDE or (turns == 0 and kind >= LOCAL):
        _anywhere(origin, limits, turns, state, target)
        return -1
    if kind < LOCAL:
        source = _sparse_node(sizes, grid, state)
        _read(nodes, source, base)
        scale = 2.0 * lever * 10.0 ** -uniform(state)
        onward = uniform(state) < ONWARD
        if not (onward and _onward(graph, source, base, lever, scale, work[2], twist)):
            for k in range(6):
                twist[k] = freedom[k] * scale * normal(state)
        displaced(base, twist, lever, low, high, target)
        return source
    _anywhere(origin, limits, turns, state, base)
    row = below(state, sizes[0])
    for k in range(3, 7):
        base[k] = nodes[k, row]
    for k in range(6):
        twist[k] = freedom[k] * TILT * lever * normal(state) if k >= 3 else 0.0
    displaced(base, twist, lever, low, high, target)
    return -1


@compiled
def _grow(trees, settings, limits, graph, source, target, state, work, scratch, counts):
    """Extend the graph from a node towards a target, sliding when blocked.

    Returns:
        The last node added (or the source), and whether it is at the target.
    """
    nodes, labels, _, _ = graph
    lever, tolerance, resolution = settings
    here, reached, rows, trail, inner = work
    label = labels[source]
    _read(nodes, source, here)
    distance, half, sign = extent(here, target)
    length = np.sqrt(distance * distance + (2.0 * half * lever) ** 2)
    if length < 1e-9 * lever:
        return source, True
    share = advance(trees, here, target, tolerance, resolution, reached, scratch, counts)
    last = source
    if share * length > resolution or share >= 1.0:
        # Long motions get nodes in between, so that others can branch off there.
        spacing = 2.0 * lever
        for k in range(1, int(share * length / spacing) + 1):
            if k * spacing >= share * length - 1e-9 * spacing or k > 100:
                break
            between(here, target, half, sign, k * spacing / length, inner[0])
            last = _add_node(graph, inner[0], last, label)
        if share >= 1.0:
            return _add_node(graph, target, last, label), True
        last = _add_node(graph, reached, last, label)
        assign(here, reached)
    first_step = 0.6 * lever * 10.0 ** (-2.0 * uniform(state))
    finer = lever, tolerance, 0.1 * resolution * first_step / (0.2 * lever)
    count, there = slide(
        trees, finer, limits, here, target, first_step, rows, trail, inner, scratch, counts
    )
    for k in range(count):
        last = _add_node(graph, trail[k], last, label)
    return last, there


@compiled
def grow_trees(trees, settings, limits, graph, grid, guide, origin, turns, effort, state, counts):
    """Grow both trees towards targets and each other.

    A target is anywhere (45 %), near a node of a sparsely filled cell (40 %), or anywhere with
    about the orientation of a node (15 %). The nearest node of one tree, or that sparse node, is
    extended towards it; then the nearest node of the other tree towards what was added.

    Args:
        trees: See `rmp3d.geometry.pair_kernels`.
        settings: Lever, tolerance and resolution [m].
        limits: Freedom (6,), lower and upper corner (3,).
        graph: See the module; added to.
        grid: See the module; added to.
        guide: (G, 7) configurations that may be near a path; may be empty.
        origin: (7,) values of locked degrees of freedom.
        turns: 0 no rotation, 1 about z, 2 all.
        effort: No new target is drawn after so much work, in motion queries.
        state: Of the generator of random numbers.
        counts: (2,) motion and contact queries, added to.

    Returns:
        JOINED when start and goal are in one component, FULL when the arrays are, else GOING.
    """
    nodes, label, edges, sizes = graph
    lever = settings[0]
    scratch = make_scratch()
    work = np.empty(7), np.empty(7), np.empty((24, 10)), np.empty((STEPS + 1, 7)), np.empty((4, 7))
    target, square = np.empty(7), np.empty(nodes.shape[1])
    while counts[0] + CONTACT_WORK * counts[1] < effort:
        if sizes[0] + ROOM > nodes.shape[1]:
            return FULL
        _fill_grid(graph, grid, limits[1], limits[2])
        start, goal = label[0], label[1]
        source = _choose_target(
            graph, grid, guide, origin, limits, lever, turns, state, work[4], target
        )
        if source < 0:
            one, two, _, _ = _nearest(graph, target, lever, start, goal, square)
            source = one if uniform(state) < 0.5 else two
        before = sizes[0]
        last, there = _grow(
            trees, settings, limits, graph, source, target, state, work, scratch, counts
        )
        if sizes[0] == before and not there:
            continue
        _read(nodes, last, target)
        one, two, _, _ = _nearest(graph, target, lever, start, goal, square)
        other = two if label[last] == start else one
        end, there = _grow(
            trees, settings, limits, graph, other, target, state, work, scratch, counts
        )
        if there:
            edges[sizes[1], 0], edges[sizes[1], 1] = last, end
            sizes[1] += 1
            for i in range(sizes[0]):
                if label[i] == goal:
                    label[i] = start
            return JOINED
    return GOING
