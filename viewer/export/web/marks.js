// Layers: lines of a width in pixels, see-through faces, rings; and the trails of members.

const LINE_FLOATS = 15, PATCH_FLOATS = 7, RING_FLOATS = 11; // of a row
const REFERENCE_HEIGHT = 720; // pixels for which widths are stated
const MARK_LIFT = 0.04; // [m] above the ground
const TRAIL_SECONDS = 6, TRAIL_STEPS = 24, MOST_TRAILS = 400;

const MARK_SHADERS = {
  lines: [`#version 300 es
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 start_color;
layout(location = 3) in vec4 end_color;
layout(location = 4) in float width;
uniform mat4 view_projection;
uniform vec3 screen; // width, height [pixels], scale of widths
uniform float near;
out vec4 color;
out float across;
flat out float half_width;
void main() {
  float drawn = width * screen.z;
  vec4 a = view_projection * vec4(start, 1.0), b = view_projection * vec4(end, 1.0);
  if (a.w < near && b.w < near) { gl_Position = vec4(0.0, 0.0, 2.0, 1.0); return; }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 along = (b.xy / b.w - a.xy / a.w) * screen.xy;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
  bool at_end = gl_VertexID > 1;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0, reach = 0.5 * drawn + 1.0;
  vec2 offset = vec2(-along.y, along.x) * side * reach + along * (at_end ? 0.4 : -0.4) * drawn;
  vec4 here = at_end ? b : a;
  here.xy += offset * 2.0 / screen.xy * here.w;
  here.z -= 0.00008 * here.w;
  across = side * reach;
  half_width = 0.5 * drawn;
  color = at_end ? end_color : start_color;
  gl_Position = here;
}`, `#version 300 es
precision highp float;
in vec4 color;
in float across;
flat in float half_width;
out vec4 fragment;
void main() {
  fragment = vec4(color.rgb, color.a * clamp(half_width + 0.5 - abs(across), 0.0, 1.0));
}`],
  patches: [`#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 paint;
uniform mat4 view_projection;
out vec4 color;
void main() {
  color = paint;
  gl_Position = view_projection * vec4(position, 1.0);
  gl_Position.z -= 0.00006 * gl_Position.w;
}`, `#version 300 es
precision mediump float;
in vec4 color;
out vec4 fragment;
void main() { fragment = color; }`],
  rings: [`#version 300 es
layout(location = 0) in vec3 center;
layout(location = 1) in float radius;
layout(location = 2) in vec2 heading;
layout(location = 3) in vec4 paint;
layout(location = 4) in float width;
uniform mat4 view_projection;
uniform vec3 screen;
out vec2 at;
out vec4 color;
flat out float half_width;
void main() {
  at = vec2((gl_VertexID & 1) == 0 ? -1.3 : 1.3, gl_VertexID > 1 ? 1.3 : -1.3);
  color = paint;
  vec4 middle = view_projection * vec4(center, 1.0);
  vec4 rim = view_projection * vec4(center + vec3(radius, 0.0, 0.0), 1.0);
  float pixels = length((rim.xy / rim.w - middle.xy / middle.w) * 0.5 * screen.xy);
  half_width = 0.5 * width * screen.z / max(pixels, 1.0);
  gl_Position = view_projection * vec4(center + radius * vec3(at, 0.0), 1.0);
  gl_Position.z -= 0.00008 * gl_Position.w;
}`, `#version 300 es
precision highp float;
in vec2 at;
in vec4 color;
flat in float half_width;
out vec4 fragment;
void main() {
  float off = abs(length(at) - 1.0), soft = fwidth(length(at));
  fragment = vec4(color.rgb, color.a * clamp((half_width - off) / soft + 0.5, 0.0, 1.0));
}`],
};

const MARK_COLUMNS = {
  lines: [LINE_FLOATS, [3, 3, 4, 4, 1]],
  patches: [PATCH_FLOATS, [3, 4]],
  rings: [RING_FLOATS, [3, 1, 2, 4, 1]],
};

// Rows of one kind on the card.
class MarkRows {
  constructor(gl, kind) {
    Object.assign(this, { gl, kind, count: 0 });
    this.array = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    const [floats, columns] = MARK_COLUMNS[kind];
    columns.reduce((offset, size, location) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * floats, 4 * offset);
      gl.vertexAttribDivisor(location, kind === 'patches' ? 0 : 1);
      return offset + size;
    }, 0);
    gl.bindVertexArray(null);
  }

  upload(bytes) {
    const { gl } = this;
    this.count = bytes.byteLength / 4 / MARK_COLUMNS[this.kind][0];
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.DYNAMIC_DRAW);
  }

  draw() {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (this.kind === 'patches') gl.drawArrays(gl.TRIANGLES, 0, this.count);
    else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.count);
  }
}

class Marks {
  constructor(gl, data, motion) {
    Object.assign(this, { gl, head: data.head, layers: {} });
    this.programs = Object.fromEntries(
      Object.entries(MARK_SHADERS).map(([kind, text]) => [kind, new Program(gl, text)]));
    for (const { name } of data.head.layers)
      this.layers[name] = ['patches', 'rings', 'lines']
        .filter(kind => data.head.arrays[`layer_${name}_${kind}`])
        .map(kind => {
          const rows = new MarkRows(gl, kind);
          rows.upload(data.bytes(`layer_${name}_${kind}`));
          return rows;
        });
    this.trails = new MarkRows(gl, 'lines');
    this.crowd = data.head.crowd ? new CrowdMaps(data, motion) : null;
    this.map = new MarkRows(gl, 'patches');
    this.wants = new Wants(data);
    this.sight = new Sight(data);
    this.moment = Object.fromEntries(Object.keys(MARK_COLUMNS).map(kind => [kind, new MarkRows(gl, kind)]));
    this.labels = []; // of this moment: layer, text, place and color
  }

  // Show another motion of the same members, of which `data` says all from its first frame on.
  goOn(data, motion) {
    this.crowd?.goOn(motion, data.head.frames - 1);
    this.wants.goOn(data, data.head.first);
    this.sight.head = { ...this.sight.head, duration: data.head.duration, roofs: data.head.roofs };
  }

  // What layers draw of this moment; also fills `labels`.
  rowsOfMoment(motion, shown, color, followed) {
    const { wants, sight } = this, rows = new MomentRows();
    this.labels = [];
    if (shown.slots && wants.slot) wants.slots(rows, motion, color);
    if (shown.subgoals && wants.subgoal) wants.subgoals(rows, motion, color);
    if (shown.forces && wants.force) this.labels.push(...wants.forces(rows, motion, color, followed));
    if (shown.cones) sight.cones(rows, motion, color, followed);
    const gap = shown.clearance && followed >= 0 && motion.there(followed)
      ? sight.clearance(followed, motion) : null;
    if (gap) {
      rows.line(gap.start, gap.end, this.head.selected_color, 3, 1, 1);
      const at = gap.start.map((value, axis) => (value + gap.end[axis]) / 2);
      this.labels.push({ text: lengthText(gap.length), at, color: this.head.selected_color });
    }
    return Object.entries(this.moment).map(([kind, own]) => {
      own.upload(new Float32Array(rows[kind]));
      return own;
    });
  }

  draw(motion, camera, shown, size, color, followed) {
    const { gl } = this;
    const rows = Object.entries(this.layers).filter(([name]) => shown[name]).flatMap(([, own]) => own);
    if (shown.trails) {
      this.trails.upload(trailRows(motion, color));
      rows.push(this.trails);
    }
    const name = this.crowd && MAPS.find(each => shown[each]);
    if (name) {
      const patches = this.crowd.patches(name, motion.time, shown.mean);
      if (patches) this.map.upload(patches);
      rows.push(this.map);
    }
    rows.push(...this.rowsOfMoment(motion, shown, color, followed));
    if (rows.length === 0) return;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const kind of ['patches', 'rings', 'lines']) {
      const own = rows.filter(each => each.kind === kind && each.count);
      if (own.length === 0) continue;
      const program = this.programs[kind];
      program.use({ view_projection: camera.viewProjection, near: camera.distance / 100,
        screen: [...size, size[1] / REFERENCE_HEIGHT] });
      for (const each of own) each.draw();
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

// A length [m] in words; of one below 10 cm two digits that count.
const lengthText = meters =>
  `${Math.abs(meters) >= 0.1 || meters === 0 ? meters.toFixed(2) : Number(meters.toPrecision(2))} m`;

// Where members have been in the last seconds, fading into the past.
function trailRows(motion, color) {
  const members = Math.min(motion.members, MOST_TRAILS), rows = [];
  const first = Math.max(0, motion.time - TRAIL_SECONDS);
  for (let member = 0; member < members; member++) {
    if (!motion.there(member)) continue;
    const [r, g, b] = color(member), start = Math.max(first, motion.lifeOf(member)[0]);
    let before = null;
    for (let step = 0; step <= TRAIL_STEPS; step++) {
      const time = start + (motion.time - start) * step / TRAIL_STEPS;
      const at = motion.placeAt(member, time), fade = 0.75 * step / TRAIL_STEPS;
      at[2] += 0.04;
      if (before && Math.hypot(at[0] - before[0], at[1] - before[1], at[2] - before[2]) > 1e-3)
        rows.push(...before, ...at, r, g, b, fade - 0.75 / TRAIL_STEPS, r, g, b, fade, 2.2);
      before = at;
    }
  }
  return new Float32Array(rows);
}
