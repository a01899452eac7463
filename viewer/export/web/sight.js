// What members see, how near they are to what they must not touch, and what is over them.

const MOST_CONES = 24, CONE_CORNERS = 65, CONE_STRIDE = 0.75, MOST_CONE_RINGS = 10, CONE_OPACITY = 0.2;
const CLIMB = 1, CLIMB_STEP = 0.3; // the ground is followed by this slope and this much [m] more
const MEASURED_POINTS = 17; // of the axis of a member
const FLAT = 0.6; // upward part of the normals of ground
const AROUND = 1.5, COVERED = 0.5, LOWER = 0.25, ROOF_GAP = 0.02, HEADROOM = 0.05, ROUND = 0.25;
const NEARBY = [-0.8, -0.4, 0, 0.4, 0.8]; // [s]
const STEEP_VIEW = 1.0; // [rad] from where on one looks from above

class Sight {
  constructor(data) {
    this.data = data;
    this.head = data.head;
    this.walls = new Map();
  }

  // All faces of the scene that stand still.
  get scene() {
    return this.allFaces ??= new Triangles(this.faces(() => true));
  }

  get ground() {
    return this.flatFaces ??= new Triangles(this.faces(corners => {
      const a = [0, 1, 2].map(k => corners[3 + k] - corners[k]);
      const b = [0, 1, 2].map(k => corners[6 + k] - corners[k]);
      const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
      return normal[2] > FLAT * Math.hypot(...normal);
    }));
  }

  faces(keeps) {
    const { name, plain, pictures } = this.head.bodies[0], found = [];
    for (const each of [...(plain ? [name] : []), ...pictures.map(row => `${name}_picture${row}`)]) {
      const places = new Float32Array(this.data.bytes(`${each}_position`).buffer);
      for (let row = 0; row < places.length; row += 9) {
        const corners = places.subarray(row, row + 9);
        if (keeps(corners)) found.push(...corners);
      }
    }
    return new Float32Array(found);
  }

  // What a kind must not touch; null: nothing is known.
  wallsOf(kind) {
    const row = this.head.walls[kind];
    if (row < 0) return null;
    if (!this.walls.has(row)) {
      const places = new Float32Array(this.data.bytes(`wall${row}_vertices`).buffer);
      const steps = this.data.integers(`wall${row}_faces`, 4), corners = new Float32Array(3 * steps.length);
      for (let k = 0, vertex = 0; k < steps.length; k++) {
        vertex += steps[k];
        corners.set(places.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
      }
      this.walls.set(row, new Triangles(corners));
    }
    return this.walls.get(row);
  }

  // Sectors about the headings, as far as the walls; of the followed, or of all in a small crowd.
  cones(rows, motion, color, followed) {
    const { head } = this, sights = member => head.sights[head.group_of[member]];
    const seeing = followed >= 0 ? [followed] : [...Array(motion.members).keys()];
    for (const member of seeing.filter(each => sights(each) && motion.there(each)).slice(0, MOST_CONES)) {
      const [reach, angle] = sights(member), rings = this.cone(member, motion, reach, angle);
      const all = angle >= 2 * Math.PI - 1e-6, own = color(member), rim = rings[rings.length - 1];
      const sides = all ? rim : [...rings.map(ring => ring[0]), ...rim,
        ...rings.map(ring => ring[CONE_CORNERS - 1]).reverse()];
      for (let k = 1; k < sides.length; k++) rows.line(sides[k - 1], sides[k], own, 2, 0.8, 0.8);
      if (!all) rows.sheet(rings, own, row => CONE_OPACITY * (1 - 0.75 * row / (rings.length - 1)));
    }
  }

  cone(member, motion, reach, angle) {
    const { head } = this, kind = head.kind_of[member], walks = head.grounded[kind];
    const [low, high, radius] = head.capsules[kind];
    const [x, y, z] = motion.position.subarray(3 * member, 3 * member + 3);
    const turn = motion.rotation.subarray(4 * member, 4 * member + 4), walls = this.wallsOf(kind);
    const eye = [x, y, z + (low + high) / 2], rays = [];
    for (let k = 0; k < CONE_CORNERS; k++) {
      const aside = angle * (k / (CONE_CORNERS - 1) - 0.5);
      const along = turnedBy(turn, [Math.cos(aside), Math.sin(aside), 0]);
      rays.push([along, walls ? walls.cast(eye, along, reach) : reach]);
    }
    const count = walks ? clamp(Math.ceil(reach / CONE_STRIDE), 1, MOST_CONE_RINGS) : 1;
    const from = walks ? [x, y, z + low - radius] : eye, rings = [];
    for (let row = 0; row <= count; row++)
      rings.push(rays.map(([along, free], k) => {
        const at = from.map((value, axis) => value + row / count * free * along[axis]);
        if (walks && row > 0) at[2] = this.onGround(at, rings[row - 1][k]);
        return at;
      }));
    if (walks) for (const ring of rings) for (const at of ring) at[2] += MARK_LIFT;
    return rings;
  }

  // Height of the ground at a point, followed from one before it.
  onGround(at, before) {
    const rise = CLIMB * Math.hypot(at[0] - before[0], at[1] - before[1]) + CLIMB_STEP;
    const drop = this.ground.cast([at[0], at[1], before[2] + rise], [0, 0, -1], 2 * rise + 1e-6);
    return drop <= 2 * rise ? before[2] + rise - drop : before[2];
  }

  // The shortest line from a member's capsules to what it must not touch, and how long it is.
  clearance(member, motion) {
    const { head } = this, kind = head.kind_of[member], walls = this.wallsOf(kind);
    if (!walls || head.carried[kind]) return null;
    const turn = motion.rotation.subarray(4 * member, 4 * member + 4);
    const [ahead, left] = turnedBy(turn, [1, 0, 0]), plan = Math.max(Math.hypot(ahead, left), 1e-9);
    const [x, y, z] = motion.position.subarray(3 * member, 3 * member + 3);
    const found = head.capsule_rows[kind].map(([forward, ...capsule]) =>
      capsuleClearance(walls, [x + forward * ahead / plan, y + forward * left / plan, z], capsule));
    return found.reduce((least, each) => (each && !(each.length >= least?.length) ? each : least), null);
  }

  // Height [m] above which the scene hides the members from above, or the followed one.
  cut(motion, camera, followed) {
    if (followed >= 0) return this.ceiling(followed, motion);
    if (camera.elevation < STEEP_VIEW) return NEVER;
    const now = this.head.roofs.filter(([time]) => time <= motion.time + 1e-6).at(-1);
    return now?.[1] ?? NEVER;
  }

  ceiling(member, motion) {
    const moments = NEARBY.map(step => this.over(member, motion, motion.time + step));
    const all = moments.flatMap(([, found]) => found);
    if (all.filter(Number.isFinite).length < COVERED * all.length) return NEVER;
    const [head, found] = moments[2];
    const above = found.filter(each => Number.isFinite(each) && each > head + HEADROOM)
      .sort((a, b) => a - b);
    if (above.length === 0) return NEVER;
    const at = LOWER * (above.length - 1), row = Math.floor(at), after = Math.min(row + 1, above.length - 1);
    const cut = above[row] + (at - row) * (above[after] - above[row]) - ROOF_GAP;
    return Math.max(Math.floor(cut / ROUND) * ROUND, Math.min(cut, head + HEADROOM));
  }

  // Height of a head, and of what is over places around it.
  over(member, motion, time) {
    const [, high, radius] = this.head.capsules[this.head.kind_of[member]];
    const [x, y, z] = motion.placeAt(member, clamp(time, 0, this.head.duration));
    const head = z + high + radius, places = [[x, y]];
    for (let k = 0; k < 6; k++)
      places.push([x + AROUND * Math.cos(k * Math.PI / 3), y + AROUND * Math.sin(k * Math.PI / 3)]);
    return [head, places.map(place => head + this.scene.cast([...place, head], [0, 0, 1], Infinity))];
  }
}

function capsuleClearance(walls, [x, y, z], [radius, low, high]) {
  let gap = Infinity, end = null;
  for (let k = 0; k < MEASURED_POINTS; k++) {
    const height = z + low + (high - low) * k / (MEASURED_POINTS - 1);
    const [own, at] = walls.nearest([x, y, height], gap);
    if (at) [gap, end] = [own, at];
  }
  if (!end) return null;
  const start = [x, y, clamp(end[2], z + low, z + high)];
  const reach = Math.max(Math.hypot(...start.map((value, axis) => end[axis] - value)), 1e-9);
  const rim = start.map((value, axis) => value + radius / reach * (end[axis] - value));
  return { start: rim, end, length: reach - radius };
}

// A vector turned by a quaternion, scalar last.
function turnedBy([qx, qy, qz, qw], [x, y, z]) {
  const a = [qy * z - qz * y + qw * x, qz * x - qx * z + qw * y, qx * y - qy * x + qw * z];
  return [
    x + 2 * (qy * a[2] - qz * a[1]), y + 2 * (qz * a[0] - qx * a[2]), z + 2 * (qx * a[1] - qy * a[0])];
}
