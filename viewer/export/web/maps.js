// Maps of the crowd on the ground: density, speed and flow, at a moment or on average up to it.

const MAPS = ['density', 'speed', 'flow'];
const MAP_STEP = 0.25, MOST_MOMENTS = 64; // [s] between maps; of an average
const MAP_SPREAD = 1, MAP_REACH = 2.5; // [m] standard deviation; beyond, in these, no weight
const MAP_AROUND = 0.1, NOBODY = 0.02, FAINT = 0.15, OPACITY = 0.72, LEAST = 0.004, LIFT = 0.04;

class CrowdMaps {
  constructor(data, motion) {
    Object.assign(this, data.head.crowd, { motion, kept: new Map() });
    this.height = new Float32Array(data.bytes('crowd_height').buffer);
    const reach = Math.ceil(MAP_REACH * MAP_SPREAD / this.cell + 0.5);
    this.stencil = [];
    for (let i = -reach; i <= reach; i++)
      for (let j = -reach; j <= reach; j++)
        if (Math.hypot(i, j) * this.cell <= MAP_REACH * MAP_SPREAD + this.cell)
          this.stencil.push([i, j]);
    this.frames = Math.round(data.head.duration / data.head.dt);
  }

  goOn(motion, frames) {
    Object.assign(this, { motion, frames });
    this.kept.clear(); // means of the run are others
  }

  isGround(row) { return !Number.isNaN(this.height[row]); }

  row(storey, i, j) { return (storey * this.columns + i) * this.rows + j; }

  // Speed of a member around a moment [m/s], without the heights of risers: see `without_risers`.
  speedOf(member, time) {
    const { dt } = this.motion, [came, left] = this.motion.lifeOf(member);
    const frame = Math.floor(time / dt + 1e-6), reach = Math.max(Math.round(MAP_AROUND / dt), 1);
    const last = Math.min(this.frames, Math.round(left / dt) - 1);
    const first = Math.round(came / dt);
    const a = clamp(frame - reach, first, last), b = clamp(frame + reach, first, last);
    if (b <= a) return 0;
    const steps = [], gone = [0, 0, 0];
    for (let k = a; k < b; k++) {
      const p = this.motion.placeAt(member, k * dt), q = this.motion.placeAt(member, (k + 1) * dt);
      steps.push([q[0] - p[0], q[1] - p[1], q[2] - p[2]]);
    }
    const jumps = steps.map(([x, y, z]) => Math.abs(z) > this.steepest * Math.hypot(x, y) + this.curb);
    steps.forEach(([x, y, z], k) => {
      const riser = jumps[k] && !jumps[k - 1] && !jumps[k + 1];
      [x, y, riser ? 0 : z].forEach((part, axis) => { gone[axis] += part; });
    });
    return Math.hypot(...gone) / ((b - a) * dt);
  }

  // Density [1/m²] and flow [1/(m s)] of each cell at a moment.
  at(time) {
    const { motion, cell, low, columns, rows } = this;
    const density = new Float64Array(this.height.length), flow = density.slice();
    for (let member = 0; member < motion.members; member++) {
      const [came, left] = motion.lifeOf(member);
      if (!this.walks[member] || time < came - 1e-6 || time >= left - 1e-6) continue;
      const [x, y, z] = motion.placeAt(member, time), foot = z + this.foot[member];
      let storey = 0;
      while (storey + 1 < this.storeys.length && this.storeys[storey + 1] <= foot) storey++;
      const home = [Math.floor((x - low[0]) / cell), Math.floor((y - low[1]) / cell)], near = [];
      let whole = 0;
      for (const [di, dj] of this.stencil) {
        const i = home[0] + di, j = home[1] + dj, row = this.row(storey, i, j);
        if (i < 0 || j < 0 || i >= columns || j >= rows || !this.isGround(row)) continue;
        const square = ((low[0] + (i + 0.5) * cell - x) ** 2 + (low[1] + (j + 0.5) * cell - y) ** 2)
          / MAP_SPREAD ** 2;
        if (square > MAP_REACH ** 2) continue;
        const weight = Math.exp(-0.5 * square);
        whole += weight;
        near.push([row, weight]);
      }
      const speed = this.speedOf(member, time);
      for (const [row, weight] of near) {
        const share = weight / (whole * cell * cell);
        density[row] += share;
        flow[row] += share * speed;
      }
    }
    return { density, flow };
  }

  // The same on average from the start to a moment.
  mean(time) {
    const last = Math.floor(time / MAP_STEP + 1e-9);
    let stride = 1;
    while (Math.floor(last / stride) >= MOST_MOMENTS) stride *= 2;
    const density = new Float64Array(this.height.length), flow = density.slice(), kept = new Map();
    for (let row = 0; row <= last; row += stride)
      kept.set(row, this.kept.get(row) ?? this.at(row * MAP_STEP));
    this.kept = kept;
    for (const each of kept.values())
      for (let row = 0; row < density.length; row++) {
        density[row] += each.density[row] / kept.size;
        flow[row] += each.flow[row] / kept.size;
      }
    return { density, flow };
  }

  // Values of a map by its name, for each cell.
  values(name, { density, flow }) {
    if (name === 'density') return density;
    if (name === 'flow') return flow;
    return density.map((value, row) => (value > NOBODY ? flow[row] / value : 0));
  }

  // Triangles of the cells that are seen, colors blended between their middles; as of `patches`.
  patches(name, time, averaged) {
    const key = `${name} ${Math.floor(time / MAP_STEP + 1e-9)} ${averaged}`;
    if (key === this.key) return null;
    this.key = key;
    const moment = Math.floor(time / MAP_STEP + 1e-9) * MAP_STEP;
    const found = averaged ? this.mean(moment) : this.at(moment);
    const share = this.values(name, found).map(value => clamp(value / this.reach[name], 0, 1));
    const strength = share.map((value, row) =>
      OPACITY * clamp((name === 'speed' ? found.density[row] / (2 * NOBODY) : value) / FAINT, 0, 1));
    const floats = [];
    for (let storey = 0; storey < this.storeys.length; storey++)
      for (let i = 0; i < this.columns; i++)
        for (let j = 0; j < this.rows; j++)
          if (this.isGround(this.row(storey, i, j))) this.addCell(floats, share, strength, storey, i, j);
    return new Float32Array(floats);
  }

  addCell(floats, share, strength, storey, i, j) {
    const corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([across, along]) => {
      const sum = [0, 0, 0];
      let count = 0;
      for (const [a, b] of [[-1, -1], [-1, 0], [0, -1], [0, 0]]) {
        const x = i + across + a, y = j + along + b, row = this.row(storey, x, y);
        if (x < 0 || y < 0 || x >= this.columns || y >= this.rows || !this.isGround(row)) continue;
        count++;
        [this.height[row], share[row], strength[row]].forEach((value, k) => { sum[k] += value; });
      }
      const [height, value, opacity] = sum.map(each => each / count);
      return [this.low[0] + this.cell * (i + across), this.low[1] + this.cell * (j + along),
        height + LIFT, ...this.color(value), opacity];
    });
    if (corners.every(corner => corner[6] <= LEAST)) return;
    for (const corner of [0, 1, 2, 2, 1, 3]) floats.push(...corners[corner]);
  }

  color(share) {
    const { ramp } = this, at = share * (ramp.length - 1);
    const first = Math.min(Math.floor(at), ramp.length - 2);
    return [0, 1, 2].map(k => ramp[first][k] + (at - first) * (ramp[first + 1][k] - ramp[first][k]));
  }
}
