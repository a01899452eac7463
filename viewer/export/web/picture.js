// Draws with WebGL 2: sun with soft shadows and sky light, as RMP3D's viewer does.

const NEVER = 1e9; // [m]
const XRAY_OPACITY = 0.34;

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
    this.set({ phases: 0, hip: 0, pictured: 0, cut: NEVER, opacity: 1, shaded: 1, ...uniforms });
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

  draw(place = [0, 0, 0], rotation = [0, 0, 0, 1], asEdges = false) {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (asEdges && !this.edges) this.addEdges();
    if (this.instances)
      gl.drawArraysInstanced(gl.TRIANGLES, 0, this.count, this.instances.shown);
    else {
      gl.vertexAttrib3fv(LOCATION.place, place);
      gl.vertexAttrib4fv(LOCATION.rotation, rotation);
      gl.vertexAttrib3f(LOCATION.tint, 1, 1, 1);
      if (asEdges) gl.drawElements(gl.LINES, 2 * this.count, gl.UNSIGNED_INT, 0);
      else gl.drawArrays(gl.TRIANGLES, 0, this.count);
    }
  }

  addEdges() {
    const { gl } = this, rows = new Uint32Array(2 * this.count);
    for (let k = 0; k < this.count; k += 3) rows.set([k, k + 1, k + 1, k + 2, k + 2, k], 2 * k);
    this.edges = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.edges);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, rows, gl.STATIC_DRAW);
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
    this.pose = [[0, 0, 0], [0, 0, 0, 1]];
  }

  place(position, rotation) { this.pose = [position, rotation]; }

  drawPlain(asEdges = false) { this.plain?.draw(...this.pose, asEdges); }

  // With their pictures; without any if there are none to bind.
  drawPictured(textures, asEdges = false) {
    for (const [row, model] of this.pictured) {
      textures?.[row].bind();
      model.draw(...this.pose, asEdges);
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
    const gl = canvas.getContext('webgl2', { antialias: true, stencil: true });
    if (!gl) throw new Error('this browser has no WebGL 2');
    Object.assign(this, { canvas, gl, head: data.head });
    this.surface = new Program(gl, SHADERS.surface);
    this.depth = new Program(gl, SHADERS.depth);
    this.ghost = new Program(gl, SHADERS.ghost);
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

  // Show another motion of the same members.
  goOn(data, motion) { this.marks.goOn(data, motion); }

  // `shown` says by name which layers are on; of the scene nothing is drawn above `cut` [m].
  draw(motion, camera, shown, tint, followed, cut) {
    const { gl, canvas, head } = this;
    const scale = Math.min(devicePixelRatio, 2);
    const width = Math.max(Math.round(canvas.clientWidth * scale), 1);
    const height = Math.max(Math.round(canvas.clientHeight * scale), 1);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const kind of this.kinds) kind.instances.upload(motion, tint);
    this.bodies.slice(1).forEach((body, row) => body.place(
      motion.parts.position.subarray(3 * row, 3 * row + 3),
      motion.parts.rotation.subarray(4 * row, 4 * row + 4)));
    const bodies = this.bodies.filter((_, row) => row === 0 || motion.partThere(row - 1));
    const shadows = shown.shadows && !shown.xray;
    if (shadows) this.drawShadows(bodies, cut);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const light = {
      view_projection: camera.viewProjection,
      eye: camera.eye,
      sun: head.sun,
      light: head.light,
      grain: head.light_size / SHADOW_TEXELS,
      shaded: Number(shadows),
    };
    this.drawScene(bodies, { ...light, cut }, shown);
    if (shown.hidden) this.drawGhosts(light);
    this.surface.use(light);
    if (this.paths && shown.path) this.paths.draw();
    for (const kind of this.kinds) {
      this.drawBody(kind, this.surface);
      this.surface.set({ phases: 0, hip: 0 });
      if (kind.marker && shown.markers) kind.marker.draw();
      if (shown.bodies) kind.edges.draw();
    }
    this.marks.draw(motion, camera, shown, [width, height], tint, followed);
  }

  // What the sun sees.
  drawShadows(bodies, cut) {
    const { gl, head } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.map);
    gl.viewport(0, 0, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.depth.use({ light: head.light, cut });
    for (const body of bodies) { body.drawPlain(); body.drawPictured(); }
    this.depth.set({ cut: NEVER });
    for (const kind of this.kinds) this.drawBody(kind, this.depth);
  }

  // As faces, as edges, or see-through.
  drawScene(bodies, light, shown) {
    const { gl } = this, edges = shown.wireframe, seeThrough = shown.xray && !edges;
    this.surface.use({ ...light, opacity: seeThrough ? XRAY_OPACITY : 1 });
    if (seeThrough) {
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
    }
    for (const body of bodies) body.drawPlain(edges);
    this.surface.set({ pictured: 1 });
    for (const body of bodies) body.drawPictured(this.textures, edges);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  // Members where the scene is in front of them: one see-through tint, once a pixel.
  drawGhosts({ view_projection }) {
    const { gl } = this;
    this.ghost.use({ view_projection });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthFunc(gl.GREATER);
    gl.depthMask(false);
    for (const kind of this.kinds) this.drawBody(kind, this.ghost);
    gl.depthMask(true);
    gl.depthFunc(gl.LESS);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
  }

  drawBody(kind, program) {
    if (kind.poses) kind.poses.bind();
    const { phases = 0, hip = 0 } = kind.poses ?? {};
    program.set({ phases, hip });
    kind.body.draw();
  }
}
