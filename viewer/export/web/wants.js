// What members want: their places in the formation, their subgoals, and what steering asks for.

const FORCE_HEIGHTS = 1.6; // length of the largest force that a member has, in heights of it
const CROSS = 0.175; // [m] half a side of what it marks
const LEAST_FORCE = 0.01, LEAST_SHOWN = 0.02; // of the largest; of one behavior [m]

class Wants {
  constructor(data) { this.read(data); }

  read(data) {
    const { head } = data;
    const keys = name => head.arrays[`${name}_count`] ? new Keys(data, name, 3, 4, head.want_step) : null;
    Object.assign(this, { head, slot: keys('slot'), subgoal: keys('subgoal'), force: head.force });
    this.slotted = new Set(head.slotted);
    if (this.force) this.steps = data.integers('force', 2);
  }

  // Go on with a run, of which `data` says all from its frame `first` on.
  goOn(data, first) {
    const before = { ...this };
    this.read(data);
    for (const name of ['slot', 'subgoal']) {
      if (!before[name] || !this[name] || first === 0) continue;
      before[name].goOn(this[name], first);
      this[name] = before[name];
    }
    if (before.force && this.force && this.force.first > 0) {
      const own = before.force.samples, more = this.force, samples = more.first + more.samples;
      const rows = before.steps.length / 3 / own, steps = new Int32Array(3 * rows * samples);
      for (let row = 0; row < rows; row++) {
        steps.set(before.steps.subarray(3 * row * own, 3 * (row * own + more.first)), 3 * row * samples);
        steps.set(this.steps.subarray(3 * row * more.samples, 3 * (row + 1) * more.samples),
          3 * (row * samples + more.first));
      }
      this.steps = steps;
      this.force = { ...more, first: 0, samples };
    }
  }

  placeOf(keys, member, motion) {
    const [a, b, share] = keys.at(member, motion.time / motion.dt), p = keys.value;
    return [0, 1, 2].map(axis => (1 - share) * p[3 * a + axis] + share * p[3 * b + axis]);
  }

  // A dotted place of the member's size, joined to its member by a thin line.
  slots(rows, motion, color) {
    for (const member of this.slotted) {
      if (!motion.there(member)) continue;
      const [low, , radius] = this.head.capsules[this.head.kind_of[member]];
      const own = color(member).map(value => 0.45 * value + 0.55);
      const slot = lifted(this.placeOf(this.slot, member, motion));
      rows.ring([slot[0], slot[1], slot[2] + low - radius], 0.6 * radius, own, 3);
      rows.line(lifted(placeNow(motion, member)), slot, own, 1.5, 0.3, 0.8);
    }
  }

  // A cross, joined to its member by a thin line.
  subgoals(rows, motion, color) {
    for (let member = 0; member < motion.members; member++) {
      if (!motion.there(member)) continue;
      const at = lifted(this.placeOf(this.subgoal, member, motion)), own = color(member);
      for (const side of [CROSS, -CROSS])
        rows.line([at[0] - CROSS, at[1] - side, at[2]], [at[0] + CROSS, at[1] + side, at[2]], own, 2, 0.9, 0.9);
      rows.line(placeNow(motion, member), at, own, 1.2, 0.55, 0.55);
    }
  }

  // The sum for every member; of the followed, each behavior's with its name. Returns the names.
  forces(rows, motion, color, followed) {
    const { head, force } = this, labels = [], behaviors = Math.max(force.names.length, 1);
    for (let member = 0; member < motion.members; member++) {
      if (!motion.there(member)) continue;
      const [low, high, radius] = head.capsules[head.kind_of[member]];
      const size = FORCE_HEIGHTS * (high - low + 2 * radius), [x, y, z] = placeNow(motion, member);
      const middle = [x, y, z + (low + high) / 2], parts = [];
      for (let row = 0; row < behaviors; row++) parts.push(this.forceOf(row, member, motion, size));
      const sum = [0, 1, 2].map(axis => parts.reduce((all, part) => all + part[axis], 0));
      rows.arrow(middle, sum, member === followed ? head.selected_color : color(member), 2.5, LEAST_FORCE * size);
      if (member !== followed || force.names.length === 0) continue;
      parts.forEach((part, row) => {
        if (Math.hypot(...part) <= LEAST_SHOWN) return;
        const own = head.behavior_colors[row % head.behavior_colors.length];
        rows.arrow(middle, part, own, 4, 0);
        labels.push({ text: force.names[row], at: middle.map((value, axis) => value + part[axis]), color: own });
      });
    }
    return labels;
  }

  forceOf(behavior, member, motion, size) {
    const { samples, stride, unit } = this.force, at = motion.time / motion.dt / stride;
    const first = clamp(Math.floor(at), 0, samples - 1), after = Math.min(first + 1, samples - 1);
    const share = clamp(at - first, 0, 1), row = (behavior * motion.members + member) * samples;
    return [0, 1, 2].map(axis => size * unit * ((1 - share) * this.steps[3 * (row + first) + axis]
      + share * this.steps[3 * (row + after) + axis]));
  }
}

const lifted = ([x, y, z]) => [x, y, z + MARK_LIFT];
const placeNow = (motion, member) => [...motion.position.subarray(3 * member, 3 * member + 3)];

// Lines, faces and rings of one moment, as rows for the card.
class MomentRows {
  constructor() { Object.assign(this, { lines: [], patches: [], rings: [] }); }

  line(a, b, [r, g, bl], width, start, end) {
    this.lines.push(...a, ...b, r, g, bl, start, r, g, bl, end, width);
  }

  ring(center, radius, color, width) { this.rings.push(...center, radius, 0, 0, ...color, 0.9, width); }

  arrow(from, by, color, width, least) {
    const size = Math.hypot(...by);
    if (size <= Math.max(least, 1e-9)) return;
    const along = by.map(value => value / size), level = Math.hypot(along[0], along[1]);
    const side = level > 1e-6 ? [-along[1] / level, along[0] / level, 0] : [1, 0, 0];
    const tip = from.map((value, axis) => value + by[axis]), barb = 0.25 * Math.min(size, 1);
    this.line(from, tip, color, width, 1, 1);
    for (const sign of [-1, 1])
      this.line(tip.map((value, axis) => value - barb * along[axis] + sign * 0.5 * barb * side[axis]),
        tip, color, width, 1, 1);
  }

  // A surface through rows of points; `opacity` of each row.
  sheet(grid, [r, g, b], opacity) {
    const corner = (row, k) => [...grid[row][k], r, g, b, opacity(row)];
    for (let row = 0; row + 1 < grid.length; row++)
      for (let k = 0; k + 1 < grid[row].length; k++) {
        const [p, q, s, t] = [corner(row, k), corner(row, k + 1), corner(row + 1, k), corner(row + 1, k + 1)];
        this.patches.push(...p, ...q, ...s, ...s, ...q, ...t);
      }
  }
}
