// The recording: unpacked, and what it says of any moment. Quaternions are scalar last.

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = new DataView(data.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
  const part = name => data.subarray(4 + size + head.arrays[name][0]);
  return {
    head,
    bytes: name => part(name).slice(0, head.arrays[name][1]),
    // Integers lie in planes: all lowest bytes, then all second ones, ...
    integers(name, width) {
      const count = head.arrays[name][1] / width, planes = part(name);
      const values = new Int32Array(count);
      for (let plane = 0; plane < width; plane++)
        for (let row = 0; row < count; row++)
          values[row] |= planes[plane * count + row] << (8 * plane);
      const spare = 32 - 8 * width;
      return values.map(value => (value << spare) >> spare);
    },
  };
}

// Key frames of all members; each array holds differences from one key of a member to the next.
class Keys {
  constructor(data, name, axes, width, step) {
    const count = data.integers(`${name}_count`, 4);
    this.axes = axes;
    this.frame = data.integers(`${name}_frame`, 4);
    const steps = data.integers(`${name}_value`, width); // all x, then all y, ...
    const total = this.frame.length;
    this.value = new Float32Array(total * axes);
    this.start = new Int32Array(count.length + 1);
    for (let member = 0; member < count.length; member++) {
      const first = this.start[member], end = first + count[member];
      this.start[member + 1] = end;
      for (let key = first + 1; key < end; key++) this.frame[key] += this.frame[key - 1];
      for (let axis = 0; axis < axes; axis++)
        for (let key = first, sum = 0; key < end; key++) {
          sum += steps[axis * total + key];
          this.value[key * axes + axis] = sum * step;
        }
    }
  }

  // Go on with later keys from a frame on, where these have keys, too: what was said of it and of
  // later frames is forgotten. Quaternions get signs that make the way short.
  goOn(later, first) {
    const { axes } = this, count = this.start.length - 1;
    const kept = Array.from({ length: count }, (_, member) => {
      let end = this.start[member];
      while (end < this.start[member + 1] && this.frame[end] < first) end++;
      return end - this.start[member];
    });
    const total = kept.reduce((sum, own) => sum + own, later.frame.length);
    const frame = new Int32Array(total), value = new Float32Array(total * axes);
    const start = new Int32Array(count + 1);
    for (let member = 0, at = 0; member < count; member++) {
      const own = this.start[member], end = own + kept[member];
      const from = later.start[member], until = later.start[member + 1];
      frame.set(this.frame.subarray(own, end), at);
      value.set(this.value.subarray(axes * own, axes * end), axes * at);
      at += kept[member];
      const turned = axes === 4 && end > own && [0, 1, 2, 3].reduce((sum, axis) =>
        sum + this.value[4 * (end - 1) + axis] * later.value[4 * from + axis], 0) < 0;
      for (let key = from; key < until; key++, at++) {
        frame[at] = later.frame[key] + first;
        for (let axis = 0; axis < axes; axis++)
          value[axes * at + axis] = (turned ? -1 : 1) * later.value[axes * key + axis];
      }
      start[member + 1] = at;
    }
    Object.assign(this, { frame, value, start });
  }

  // The last key at or before a frame, and the share of the way to the next one.
  at(member, frame) {
    let low = this.start[member], high = this.start[member + 1] - 1;
    if (low === high) return [low, low, 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.frame[middle] <= frame) low = middle; else high = middle;
    }
    const share = (frame - this.frame[low]) / (this.frame[high] - this.frame[low]);
    return [low, high, clamp(share, 0, 1)];
  }
}

function toUnit(quaternion) {
  const size = Math.hypot(...quaternion);
  for (let axis = 0; axis < 4; axis++) quaternion[axis] /= size;
}

// Where each of some bodies is at a moment: `position` and `rotation`.
class Tracks {
  constructor(count, moves, turns) {
    Object.assign(this, { count, moves, turns });
    const q = turns.value;
    for (let row = 0; row < q.length; row += 4) toUnit(q.subarray(row, row + 4));
    this.position = new Float32Array(3 * count);
    this.rotation = new Float32Array(4 * count);
  }

  goOn(later, first) {
    this.moves.goOn(later.moves, first);
    this.turns.goOn(later.turns, first);
  }

  // Keys have signs that make the way short.
  seek(frame) {
    const p = this.moves.value, q = this.turns.value;
    for (let row = 0; row < this.count; row++) {
      let [a, b, share] = this.moves.at(row, frame);
      for (let axis = 0; axis < 3; axis++)
        this.position[3 * row + axis] = (1 - share) * p[3 * a + axis] + share * p[3 * b + axis];
      [a, b, share] = this.turns.at(row, frame);
      const turned = this.rotation.subarray(4 * row, 4 * row + 4);
      for (let axis = 0; axis < 4; axis++)
        turned[axis] = (1 - share) * q[4 * a + axis] + share * q[4 * b + axis];
      toUnit(turned);
    }
  }
}

class Motion {
  constructor(data) {
    const { members, position_step, rotation_step } = data.head;
    this.members = members;
    this.dt = data.head.dt;
    this.life = data.head.life;
    this.moves = new Keys(data, 'move', 3, 4, position_step);
    this.tracks = new Tracks(members, this.moves, new Keys(data, 'turn', 4, 2, rotation_step));
    const { bodies, part_position_step, part_rotation_step } = data.head;
    this.parts = new Tracks(bodies.length - 1, new Keys(data, 'part_move', 3, 4, part_position_step),
      new Keys(data, 'part_turn', 4, 4, part_rotation_step));
    this.partShown = data.head.part_shown;
    this.readGait(data);
    this.position = this.tracks.position;
    this.rotation = this.tracks.rotation;
  }

  // Phases of gaits and speeds, at even times: differences of phases, in planes of bytes.
  readGait(data) {
    const { members, gait } = data.head;
    const steps = data.integers('gait_phase', 3), speeds = data.integers('gait_speed', 2);
    this.gait = { ...gait, phases: new Float32Array(steps.length) };
    for (let row = 0, sum = 0; row < steps.length; row++) {
      sum = (row % gait.samples ? sum : 0) + steps[row];
      this.gait.phases[row] = sum * gait.phase;
    }
    this.gait.speeds = Float32Array.from(speeds, value => value * gait.speed);
    const bends = data.head.arrays.gait_bend ? data.integers('gait_bend', 2) : null;
    this.gait.bends = bends && Float32Array.from(bends, value => value * gait.bend);
    const rests = data.head.arrays.gait_rest ? data.integers('gait_rest', 1) : null;
    this.gait.rests = rests && new Float32Array(rests.length);
    for (let row = 0, sum = 0; rests && row < rests.length; row++) {
      sum = (row % gait.samples ? sum : 0) + rests[row];
      this.gait.rests[row] = sum * gait.rest;
    }
    this.rest = new Float32Array(members); // how far each sits, or grazes
    this.bend = new Float32Array(4 * members);
    this.phase = new Float32Array(members);
    this.speed = new Float32Array(members);
  }

  // Go on with a run, of which `later` says all from its frame `first` on.
  goOn(later, first) {
    this.tracks.goOn(later.tracks, first);
    this.parts.goOn(later.parts, first);
    this.life = later.life;
    this.partShown = this.partShown.map((shown, row) => [
      ...shown.filter(([time]) => time < first * this.dt - 1e-6),
      ...later.partShown[row].map(([time, there]) => [time + first * this.dt, there]),
    ]);
    const own = this.gait, more = later.gait, samples = more.first + more.samples;
    const joined = (name, width) => {
      if (!own[name] && !more[name]) return null;
      const values = new Float32Array(this.members * samples * width);
      for (let member = 0; member < this.members; member++) {
        const row = width * member, old = row * own.samples, at = row * samples;
        if (own[name]) values.set(own[name].subarray(old, old + width * more.first), at);
        if (more[name])
          values.set(more[name].subarray(row * more.samples, (row + width) * more.samples),
            at + width * more.first);
      }
      return values;
    };
    const rows = { phases: joined('phases', 1), speeds: joined('speeds', 1),
      bends: joined('bends', 4), rests: joined('rests', 1) };
    this.gait = { ...own, ...more, ...rows, samples };
  }

  seekGait(time) {
    const { samples, step, phases, speeds, bends, rests } = this.gait;
    const at = clamp(time / step, 0, samples - 1), first = Math.min(Math.floor(at), samples - 1);
    const after = Math.min(first + 1, samples - 1), share = at - first;
    for (let member = 0; member < this.members; member++) {
      const row = member * samples;
      this.phase[member] = (1 - share) * phases[row + first] + share * phases[row + after];
      this.speed[member] = (1 - share) * speeds[row + first] + share * speeds[row + after];
      if (rests) this.rest[member] = (1 - share) * rests[row + first] + share * rests[row + after];
      for (let k = 0; bends && k < 4; k++) // of the ground under the feet, and of steered wheels
        this.bend[4 * member + k] =
          (1 - share) * bends[4 * (row + first) + k] + share * bends[4 * (row + after) + k];
    }
    this.time = time;
  }

  // From when until when a member is there [s].
  lifeOf(member) { return this.life ? this.life[member] : [0, Infinity]; }

  there(member) {
    const [first, end] = this.lifeOf(member);
    return first <= this.time + 1e-6 && this.time < end - 1e-6;
  }

  // Whether a part that moves, or appears and goes, is there now.
  partThere(row) {
    return this.partShown[row].reduce((is, [time, there]) => time <= this.time + 1e-6 ? there : is, true);
  }

  placeAt(member, time) {
    const p = this.moves.value, [a, b, share] = this.moves.at(member, time / this.dt);
    return [0, 1, 2].map(axis => (1 - share) * p[3 * a + axis] + share * p[3 * b + axis]);
  }

  // Put members and moving parts where they are at a moment.
  seek(frame) {
    this.tracks.seek(frame);
    this.parts.seek(frame);
  }
}
