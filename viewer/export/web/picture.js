// Draws with WebGL 2: sun with soft shadows and sky light, as RMP3D's viewer does.

const SHADOW_TEXELS = 2048;
const LOCATION = { position: 0, normal: 1, color: 2, place: 3, rotation: 4, tint: 5, gait: 6, joints: 7, weights: 8,
  pivot: 9, bend: 10, at: 11 };

const INSTANCE = `
layout(location = 0) in vec3 position;
layout(location = 3) in vec3 place;
layout(location = 4) in vec4 rotation;
layout(location = 6) in vec4 gait; // row of poses and 256 times the other one, phase in each, share of the other
layout(location = 7) in vec4 joints;
layout(location = 8) in vec4 weights;
layout(location = 9) in vec3 pivot; // of a steered wheel in plan, and 1 for what follows it
layout(location = 10) in vec4 bend; // of the ground under the feet: rise ahead, to the left, here;
                                    // angle of steered wheels
uniform float hip; // height [m] below which legs follow the ground; 0 for what has none
uniform highp sampler2D motions;
uniform float phases; // rows of a speed; 0 for what has no bones
void pose(float speed, float phase, float share, inout vec4 x, inout vec4 y, inout vec4 z) {
  float at = fract(phase) * phases, first = min(floor(at), phases - 1.0);
  for (int end = 0; end < 2; end++) {
    int row = int(speed * phases + mod(first + float(end), phases) + 0.5);
    float part = share * (end == 0 ? 1.0 - at + first : at - first);
    for (int k = 0; k < 4; k++) {
      if (weights[k] <= 0.0) break;
      int column = 3 * int(joints[k] + 0.5);
      x += part * weights[k] * texelFetch(motions, ivec2(column, row), 0);
      y += part * weights[k] * texelFetch(motions, ivec2(column + 1, row), 0);
      z += part * weights[k] * texelFetch(motions, ivec2(column + 2, row), 0);
    }
  }
}
void follow(inout vec3 point, inout vec3 direction) {
  if (phases < 1.0) return;
  vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
  pose(mod(gait.x, 256.0), gait.y, 1.0 - gait.w, x, y, z);
  if (gait.w > 0.0) pose(floor(gait.x / 256.0), gait.z, gait.w, x, y, z);
  vec4 at = vec4(point, 1.0);
  point = vec3(dot(x, at), dot(y, at), dot(z, at));
  direction = vec3(dot(x.xyz, direction), dot(y.xyz, direction), dot(z.xyz, direction));
  if (pivot.z > 0.5) {
    float c = cos(bend.w), s = sin(bend.w);
    mat2 turn = mat2(c, s, -s, c);
    point.xy = pivot.xy + turn * (point.xy - pivot.xy);
    direction.xy = turn * direction.xy;
  }
  if (hip > 0.0)
    point.z += clamp(1.0 - position.z / hip, 0.0, 1.0) * (dot(bend.xy, point.xy) + bend.z);
}
vec3 turned(vec3 v) {
  return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}`;

const SHADERS = {
  depth: [`#version 300 es
${INSTANCE}
uniform mat4 light;
void main() {
  vec3 point = position, none = vec3(0.0);
  follow(point, none);
  gl_Position = light * vec4(turned(point) + place, 1.0);
}`, `#version 300 es
precision mediump float;
void main() {}`],
  surface: [`#version 300 es
${INSTANCE}
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color; // sRGB, and the share that the group's color dyes
layout(location = 5) in vec3 tint;
layout(location = 11) in vec2 at; // in the picture
uniform mat4 view_projection;
out vec3 world, face;
out vec3 paint;
out vec2 spot;
void main() {
  vec3 point = position, direction = normal;
  follow(point, direction);
  world = turned(point) + place;
  face = turned(direction);
  vec3 own = pow(color.rgb, vec3(2.2)), dye = pow(tint, vec3(2.2));
  float value = dot(own, vec3(0.2126, 0.7152, 0.0722));
  spot = at;
  paint = mix(own, dye * (0.8 + 0.5 * value), color.a);
  gl_Position = view_projection * vec4(world, 1.0);
}`, `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 world, face;
in vec3 paint;
in vec2 spot;
uniform sampler2D picture;
uniform float pictured;
uniform vec3 eye, sun;
uniform mat4 light;
uniform float grain; // size [m] of a texel of the shadow map
uniform sampler2DShadow shadow;
out vec4 fragment;
float lit(vec3 point, vec3 flat_face) {
  float slant = sqrt(max(1.0 - pow(dot(flat_face, sun), 2.0), 0.0));
  vec3 lifted = point + flat_face * grain * (0.6 + 2.4 * slant) + sun * 0.5 * grain;
  vec3 at = (light * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  float texel = 1.0 / ${SHADOW_TEXELS}.0;
  return 0.25 * (texture(shadow, at + vec3(-1.2, -0.4, 0.0) * texel)
    + texture(shadow, at + vec3(0.4, -1.2, 0.0) * texel)
    + texture(shadow, at + vec3(1.2, 0.4, 0.0) * texel)
    + texture(shadow, at + vec3(-0.4, 1.2, 0.0) * texel));
}
void main() {
  vec3 base = paint;
  if (pictured > 0.5) {
    vec4 texel = texture(picture, spot);
    if (texel.a < 0.5) discard;
    base = texel.rgb;
  }
  vec3 to_eye = eye - world;
  vec3 flat_face = normalize(cross(dFdx(world), dFdy(world)));
  if (dot(flat_face, to_eye) < 0.0) flat_face = -flat_face;
  vec3 smooth_face = normalize(face);
  if (dot(smooth_face, to_eye) < 0.0) smooth_face = -smooth_face;
  float sunny = max(dot(smooth_face, sun), 0.0);
  if (sunny > 0.0) sunny *= lit(world, flat_face);
  vec3 ambient = mix(vec3(0.17, 0.15, 0.13), vec3(0.36, 0.42, 0.52), 0.5 + 0.5 * smooth_face.z);
  vec3 shade = base * (ambient + sunny * vec3(1.18, 1.08, 0.92));
  shade /= sqrt(sqrt(1.0 + shade * shade * shade * shade));
  fragment = vec4(pow(shade, vec3(1.0 / 2.2)), 1.0);
}`],
};

class Program {
  constructor(gl, [vertex, fragment]) {
    this.gl = gl;
    this.program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS))
      throw new Error(`the graphics driver refuses a shader: ${gl.getProgramInfoLog(this.program)}`);
  }

  use(uniforms) {
    const { gl } = this;
    gl.useProgram(this.program);
    gl.uniform1i(gl.getUniformLocation(this.program, 'motions'), 1);
    gl.uniform1i(gl.getUniformLocation(this.program, 'picture'), 2);
    this.set({ phases: 0, hip: 0, pictured: 0, ...uniforms });
  }

  set(uniforms) {
    const { gl } = this;
    for (const [name, value] of Object.entries(uniforms)) {
      const where = gl.getUniformLocation(this.program, name);
      if (value.length === 16) gl.uniformMatrix4fv(where, false, value);
      else if (value.length === 3) gl.uniform3fv(where, value);
      else gl.uniform1f(where, value);
    }
  }
}

// Triangles on the card; drawn once, or once for each of its instances.
class Model {
  constructor(gl, data, name, instances = null) {
    this.gl = gl;
    this.array = gl.createVertexArray();
    this.instances = instances;
    gl.bindVertexArray(this.array);
    const position = data.bytes(`${name}_position`);
    this.count = position.length / 12;
    this.attribute(LOCATION.position, position, 3, gl.FLOAT, false);
    this.attribute(LOCATION.normal, data.bytes(`${name}_normal`), 4, gl.BYTE, true);
    this.attribute(LOCATION.color, data.bytes(`${name}_color`), 4, gl.UNSIGNED_BYTE, true);
    if (data.head.arrays[`${name}_joints`]) {
      this.attribute(LOCATION.joints, data.bytes(`${name}_joints`), 4, gl.UNSIGNED_BYTE, false);
      this.attribute(LOCATION.weights, data.bytes(`${name}_weights`), 4, gl.UNSIGNED_BYTE, true);
    }
    if (data.head.arrays[`${name}_places`])
      this.attribute(LOCATION.at, data.bytes(`${name}_places`), 2, gl.FLOAT, false);
    if (data.head.arrays[`${name}_pivot`])
      this.attribute(LOCATION.pivot, data.bytes(`${name}_pivot`), 3, gl.FLOAT, false);
    if (instances) instances.connect();
    gl.bindVertexArray(null);
  }

  attribute(location, bytes, size, type, normalized) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalized, 0, 0);
  }

  draw(place = [0, 0, 0], rotation = [0, 0, 0, 1]) {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (this.instances)
      gl.drawArraysInstanced(gl.TRIANGLES, 0, this.count, this.instances.shown);
    else {
      gl.vertexAttrib3fv(LOCATION.place, place);
      gl.vertexAttrib4fv(LOCATION.rotation, rotation);
      gl.vertexAttrib3f(LOCATION.tint, 1, 1, 1);
      gl.drawArrays(gl.TRIANGLES, 0, this.count);
    }
  }
}

// A picture on faces of the scene.
class Texture {
  constructor(gl, data, row, ready) {
    this.gl = gl;
    this.texture = gl.createTexture();
    this.fill(new Uint8Array([180, 180, 180, 255]), 1);
    const blob = new Blob([data.bytes(`picture${row}`)], { type: `image/${data.head.pictures[row]}` });
    createImageBitmap(blob, { imageOrientation: 'flipY', premultiplyAlpha: 'none' })
      .then(image => { this.fill(image); ready(); });
  }

  fill(image, size) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const kind = [gl.RGBA, gl.UNSIGNED_BYTE, image];
    if (size) gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, size, size, 0, ...kind);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, ...kind);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.activeTexture(gl.TEXTURE0);
  }

  bind() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.activeTexture(gl.TEXTURE0);
  }
}

// The parts of the scene that stand still, or one that moves: its faces of plain colors, and those
// of each picture.
class Body {
  constructor(gl, data, { name, plain, pictures }) {
    this.plain = plain ? new Model(gl, data, name) : null;
    this.pictured = pictures.map(row => [row, new Model(gl, data, `${name}_picture${row}`)]);
    this.pose = [];
  }

  place(position, rotation) { this.pose = [position, rotation]; }

  drawPlain() { this.plain?.draw(...this.pose); }

  // With their pictures; without any if there are none to bind.
  drawPictured(textures) {
    for (const [row, model] of this.pictured) {
      textures?.[row].bind();
      model.draw(...this.pose);
    }
  }
}

// Edges of what collides; one line for each pair of ends.
class Edges {
  constructor(gl, data, name, instances) {
    Object.assign(this, { gl, instances, array: gl.createVertexArray() });
    const bytes = data.bytes(`${name}_edges`);
    this.count = bytes.length / 12;
    gl.bindVertexArray(this.array);
    Model.prototype.attribute.call(this, LOCATION.position, bytes, 3, gl.FLOAT, false);
    instances.connect();
    gl.bindVertexArray(null);
  }

  draw() {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    gl.vertexAttrib4f(LOCATION.color, 0.95, 0.3, 0.85, 0);
    gl.vertexAttrib3f(LOCATION.normal, 0, 0, 1);
    gl.drawArraysInstanced(gl.LINES, 0, this.count, this.instances.shown);
  }
}

// Poses of a kind with bones: a texture with a row for each speed, then each clip at rest, and phase.
class Poses {
  constructor(gl, data, name, facts) {
    Object.assign(this, { gl, ...facts });
    const bytes = data.bytes(`${name}_motions`);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, 3 * this.joints,
      (this.speeds.length + this.rests.length) * this.phases, 0,
      gl.RGBA, gl.HALF_FLOAT, new Uint16Array(bytes.buffer));
    for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, key, gl.NEAREST);
  }

  // Row of poses and 256 times the other one, the phases in both, and the share of the other.
  gait(member, motion) {
    const { speeds, idle, rests } = this, phase = motion.phase[member] % 1;
    if (motion.rest[member] > 0) {
      const clip = motion.gait.rest_of[member], own = 0.618 * member;
      const calm = idle ? (motion.time / idle + own) % 1 : phase;
      return [256 * (speeds.length + clip), calm, (motion.time / rests[clip] + own) % 1, motion.rest[member]];
    }
    const speed = Math.min(motion.speed[member], speeds[speeds.length - 1]);
    let row = 0;
    while (row < speeds.length - 2 && speeds[row + 1] <= speed) row++;
    const calm = idle && row === 0 ? (motion.time / idle + 0.618 * member) % 1 : phase;
    const share = speeds.length > 1 ? (speed - speeds[row]) / (speeds[row + 1] - speeds[row]) : 0;
    return [row + 256 * (row + 1), calm, phase, share];
  }

  bind() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.activeTexture(gl.TEXTURE0);
  }
}

// Place, rotation, tint and gait of the members of one kind that look alike.
class Instances {
  constructor(gl, rows, poses) {
    this.gl = gl;
    this.rows = rows;
    this.poses = poses;
    this.shown = rows.length;
    this.values = new Float32Array(18 * rows.length);
    this.buffer = gl.createBuffer();
  }

  connect() {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (const [name, size, offset] of [['place', 3, 0], ['rotation', 4, 12], ['tint', 3, 28], ['gait', 4, 40],
      ['bend', 4, 56]]) {
      gl.enableVertexAttribArray(LOCATION[name]);
      gl.vertexAttribPointer(LOCATION[name], size, gl.FLOAT, false, 72, offset);
      gl.vertexAttribDivisor(LOCATION[name], 1);
    }
  }

  upload(motion, tint) {
    const rows = this.rows.filter(member => motion.there(member));
    this.shown = rows.length;
    rows.forEach((member, row) => {
      this.values.set(motion.position.subarray(3 * member, 3 * member + 3), 18 * row);
      this.values.set(motion.rotation.subarray(4 * member, 4 * member + 4), 18 * row + 3);
      this.values.set(tint(member), 18 * row + 7);
      if (this.poses) this.values.set(this.poses.gait(member, motion), 18 * row + 10);
      this.values.set(motion.bend.subarray(4 * member, 4 * member + 4), 18 * row + 14);
    });
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.values, gl.DYNAMIC_DRAW);
  }
}

class Picture {
  constructor(canvas, data, motion, ready) {
    const gl = canvas.getContext('webgl2', { antialias: true });
    if (!gl) throw new Error('this browser has no WebGL 2');
    Object.assign(this, { canvas, gl, head: data.head });
    this.surface = new Program(gl, SHADERS.surface);
    this.depth = new Program(gl, SHADERS.depth);
    this.bodies = data.head.bodies.map(body => new Body(gl, data, body));
    this.textures = data.head.pictures.map((_, row) => new Texture(gl, data, row, ready));
    this.paths = data.head.has_paths ? new Model(gl, data, 'paths') : null;
    this.kinds = data.head.kinds.map(kind => {
      const poses = kind.poses ? new Poses(gl, data, `kind${kind.row}`, kind.poses) : null;
      const instances = new Instances(gl, kind.members, poses);
      const marker = kind.marker ? new Model(gl, data, `marker${kind.row}`, instances) : null;
      const edges = new Edges(gl, data, `kind${kind.row}`, instances);
      return { instances, marker, poses, edges, body: new Model(gl, data, kind.body, instances) };
    });
    this.marks = new Marks(gl, data, motion);
    const map = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, map);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    this.map = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.map);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, map, 0);
    gl.enable(gl.DEPTH_TEST);
  }

  // `shown` says by name which layers are on.
  // Show another motion of the same members.
  goOn(motion, frames) { this.marks.crowd?.goOn(motion, frames); }

  draw(motion, camera, shown, tint) {
    const { gl, canvas, head } = this;
    const scale = Math.min(devicePixelRatio, 2);
    const width = Math.max(Math.round(canvas.clientWidth * scale), 1);
    const height = Math.max(Math.round(canvas.clientHeight * scale), 1);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const kind of this.kinds) kind.instances.upload(motion, tint);
    this.bodies.slice(1).forEach((body, row) => body.place(
      motion.parts.position.subarray(3 * row, 3 * row + 3),
      motion.parts.rotation.subarray(4 * row, 4 * row + 4)));
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.map);
    gl.viewport(0, 0, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.depth.use({ light: head.light });
    const bodies = this.bodies.filter((_, row) => row === 0 || motion.partThere(row - 1));
    for (const body of bodies) { body.drawPlain(); body.drawPictured(); }
    for (const kind of this.kinds) this.drawBody(kind, this.depth);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.surface.use({
      view_projection: camera.viewProjection,
      eye: camera.eye,
      sun: head.sun,
      light: head.light,
      grain: head.light_size / SHADOW_TEXELS,
    });
    for (const body of bodies) body.drawPlain();
    this.surface.set({ pictured: 1 });
    for (const body of bodies) body.drawPictured(this.textures);
    this.surface.set({ pictured: 0 });
    if (this.paths && shown.path) this.paths.draw();
    for (const kind of this.kinds) {
      this.drawBody(kind, this.surface);
      this.surface.set({ phases: 0, hip: 0 });
      if (kind.marker && shown.markers) kind.marker.draw();
      if (shown.bodies) kind.edges.draw();
    }
    this.marks.draw(motion, camera, shown, [width, height], tint);
  }

  drawBody(kind, program) {
    if (kind.poses) kind.poses.bind();
    const { phases = 0, hip = 0 } = kind.poses ?? {};
    program.set({ phases, hip });
    kind.body.draw();
  }
}
