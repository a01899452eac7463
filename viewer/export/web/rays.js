// Triangles in the cells of a level grid: what a ray meets first, what is nearest to a point.

const MOST_CELLS = 128; // a side

class Triangles {
  // `corners` has nine numbers for each triangle.
  constructor(corners) {
    this.corners = corners;
    this.count = corners.length / 9;
    this.boxes = new Float32Array(6 * this.count); // lowest x, y, z, highest x, y, z
    this.low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (let row = 0; row < this.count; row++)
      for (let axis = 0; axis < 3; axis++) {
        const [a, b, c] = [0, 3, 6].map(corner => corners[9 * row + corner + axis]);
        this.boxes[6 * row + axis] = Math.min(a, b, c);
        this.boxes[6 * row + 3 + axis] = Math.max(a, b, c);
        if (axis > 1) continue;
        this.low[axis] = Math.min(this.low[axis], a, b, c);
        high[axis] = Math.max(high[axis], a, b, c);
      }
    const size = this.count ? Math.max(high[0] - this.low[0], high[1] - this.low[1], 1e-3) : 1;
    this.cell = Math.max(0.5, size / MOST_CELLS);
    this.sides = [0, 1].map(axis =>
      this.count ? Math.floor((high[axis] - this.low[axis]) / this.cell) + 1 : 0);
    this.cells = new Map();
    for (let row = 0; row < this.count; row++) {
      const [x0, y0, , x1, y1] = this.boxes.subarray(6 * row, 6 * row + 6);
      for (let i = this.column(x0, 0); i <= this.column(x1, 0); i++)
        for (let j = this.column(y0, 1); j <= this.column(y1, 1); j++) {
          const key = i * this.sides[1] + j, there = this.cells.get(key);
          if (there) there.push(row); else this.cells.set(key, [row]);
        }
    }
  }

  column(at, axis) { return Math.floor((at - this.low[axis]) / this.cell); }

  // How far [m] a ray along a unit vector gets, at most `reach`.
  cast(from, along, reach) {
    const column = [this.column(from[0], 0), this.column(from[1], 1)];
    const step = [0, 1].map(axis => Math.sign(along[axis]));
    const stride = [0, 1].map(axis => along[axis] ? this.cell / Math.abs(along[axis]) : Infinity);
    const next = [0, 1].map(axis => {
      if (!along[axis]) return Infinity;
      const edge = this.low[axis] + (column[axis] + (step[axis] > 0 ? 1 : 0)) * this.cell;
      return (edge - from[axis]) / along[axis];
    });
    let best = reach, entered = 0;
    while (entered <= best) {
      const rows = column.every((at, axis) => at >= 0 && at < this.sides[axis])
        ? this.cells.get(column[0] * this.sides[1] + column[1]) : null;
      for (const row of rows ?? []) best = Math.min(best, this.meets(row, from, along));
      const axis = next[0] < next[1] ? 0 : 1;
      entered = next[axis];
      if (entered === Infinity) break;
      next[axis] += stride[axis];
      column[axis] += step[axis];
    }
    return best;
  }

  // Distance along a ray to one triangle (Möller and Trumbore 1997), or Infinity.
  meets(row, [px, py, pz], [dx, dy, dz]) {
    const c = this.corners, k = 9 * row;
    const ax = c[k + 3] - c[k], ay = c[k + 4] - c[k + 1], az = c[k + 5] - c[k + 2];
    const bx = c[k + 6] - c[k], by = c[k + 7] - c[k + 1], bz = c[k + 8] - c[k + 2];
    const hx = dy * bz - dz * by, hy = dz * bx - dx * bz, hz = dx * by - dy * bx;
    const det = ax * hx + ay * hy + az * hz;
    if (Math.abs(det) < 1e-12) return Infinity;
    const sx = px - c[k], sy = py - c[k + 1], sz = pz - c[k + 2];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < -1e-9 || u > 1 + 1e-9) return Infinity;
    const qx = sy * az - sz * ay, qy = sz * ax - sx * az, qz = sx * ay - sy * ax;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < -1e-9 || u + v > 1 + 1e-9) return Infinity;
    const t = (bx * qx + by * qy + bz * qz) / det;
    return t >= 0 ? t : Infinity;
  }

  // The nearest point of all triangles, and its distance.
  nearest(point, most = Infinity) {
    let best = most, found = null;
    for (let row = 0; row < this.count; row++) {
      let square = 0;
      for (let axis = 0; axis < 3; axis++) {
        const low = this.boxes[6 * row + axis], high = this.boxes[6 * row + 3 + axis];
        square += Math.max(low - point[axis], point[axis] - high, 0) ** 2;
      }
      if (square >= best * best) continue;
      const at = this.onTriangle(row, point);
      const gap = Math.hypot(at[0] - point[0], at[1] - point[1], at[2] - point[2]);
      if (gap < best) [best, found] = [gap, at];
    }
    return [best, found];
  }

  // The nearest point of one triangle (Ericson 2005, section 5.1.5).
  onTriangle(row, p) {
    const [a, b, c] = [0, 3, 6].map(corner =>
      this.corners.subarray(9 * row + corner, 9 * row + corner + 3));
    const less = (u, v) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const plus = (u, s, v) => [u[0] + s * v[0], u[1] + s * v[1], u[2] + s * v[2]];
    const ab = less(b, a), ac = less(c, a), ap = less(p, a);
    const d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return [...a];
    const bp = less(p, b), d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return [...b];
    const vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return plus(a, d1 / (d1 - d3 || 1), ab);
    const cp = less(p, c), d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return [...c];
    const vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return plus(a, d2 / (d2 - d6 || 1), ac);
    const va = d3 * d6 - d5 * d4, e = d4 - d3, f = d5 - d6;
    if (va <= 0 && e >= 0 && f >= 0) return plus(b, e / (e + f || 1), less(c, b));
    const all = va + vb + vc || 1;
    return plus(plus(a, vb / all, ab), vc / all, ac);
  }
}
