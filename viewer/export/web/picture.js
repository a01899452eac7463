// Draws with WebGL 2: sun with soft shadows and sky light, as RMP3D's viewer does.

const SHADOW_TEXELS = 2048;
const LOCATION = { position: 0, normal: 1, color: 2, place: 3, rotation: 4, tint: 5 };

const INSTANCE = `
layout(location = 0) in vec3 position;
layout(location = 3) in vec3 place;
layout(location = 4) in vec4 rotation;
vec3 turned(vec3 v) {
  return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}`;

const SHADERS = {
  depth: [`#version 300 es
${INSTANCE}
uniform mat4 light;
void main() { gl_Position = light * vec4(turned(position) + place, 1.0); }`, `#version 300 es
precision mediump float;
void main() {}`],
  surface: [`#version 300 es
${INSTANCE}
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color; // sRGB, and the share that the group's color dyes
layout(location = 5) in vec3 tint;
uniform mat4 view_projection;
out vec3 world, face;
out vec3 paint;
void main() {
  world = turned(position) + place;
  face = turned(normal);
  vec3 own = pow(color.rgb, vec3(2.2)), dye = pow(tint, vec3(2.2));
  float value = dot(own, vec3(0.2126, 0.7152, 0.0722));
  paint = mix(own, dye * (0.8 + 0.5 * value), color.a);
  gl_Position = view_projection * vec4(world, 1.0);
}`, `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 world, face;
in vec3 paint;
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
  vec3 to_eye = eye - world;
  vec3 flat_face = normalize(cross(dFdx(world), dFdy(world)));
  if (dot(flat_face, to_eye) < 0.0) flat_face = -flat_face;
  vec3 smooth_face = normalize(face);
  if (dot(smooth_face, to_eye) < 0.0) smooth_face = -smooth_face;
  float sunny = max(dot(smooth_face, sun), 0.0);
  if (sunny > 0.0) sunny *= lit(world, flat_face);
  vec3 ambient = mix(vec3(0.17, 0.15, 0.13), vec3(0.36, 0.42, 0.52), 0.5 + 0.5 * smooth_face.z);
  vec3 shade = paint * (ambient + sunny * vec3(1.18, 1.08, 0.92));
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

  draw() {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    if (this.instances)
      gl.drawArraysInstanced(gl.TRIANGLES, 0, this.count, this.instances.rows.length);
    else {
      gl.vertexAttrib3f(LOCATION.place, 0, 0, 0);
      gl.vertexAttrib4f(LOCATION.rotation, 0, 0, 0, 1);
      gl.vertexAttrib3f(LOCATION.tint, 1, 1, 1);
      gl.drawArrays(gl.TRIANGLES, 0, this.count);
    }
  }
}

// Place, rotation and tint of the members of one kind.
class Instances {
  constructor(gl, rows) {
    this.gl = gl;
    this.rows = rows;
    this.values = new Float32Array(10 * rows.length);
    this.buffer = gl.createBuffer();
  }

  connect() {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    for (const [name, size, offset] of [['place', 3, 0], ['rotation', 4, 12], ['tint', 3, 28]]) {
      gl.enableVertexAttribArray(LOCATION[name]);
      gl.vertexAttribPointer(LOCATION[name], size, gl.FLOAT, false, 40, offset);
      gl.vertexAttribDivisor(LOCATION[name], 1);
    }
  }

  upload(motion, tint) {
    this.rows.forEach((member, row) => {
      this.values.set(motion.position.subarray(3 * member, 3 * member + 3), 10 * row);
      this.values.set(motion.rotation.subarray(4 * member, 4 * member + 4), 10 * row + 3);
      this.values.set(tint(member), 10 * row + 7);
    });
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.values, gl.DYNAMIC_DRAW);
  }
}

class Picture {
  constructor(canvas, data) {
    const gl = canvas.getContext('webgl2', { antialias: true });
    if (!gl) throw new Error('this browser has no WebGL 2');
    Object.assign(this, { canvas, gl, head: data.head });
    this.surface = new Program(gl, SHADERS.surface);
    this.depth = new Program(gl, SHADERS.depth);
    this.scene = new Model(gl, data, 'scene');
    this.paths = data.head.has_paths ? new Model(gl, data, 'paths') : null;
    this.kinds = data.head.kinds.map(kind => {
      const instances = new Instances(gl, kind.members);
      const marker = kind.marker ? new Model(gl, data, `marker${kind.row}`, instances) : null;
      return { instances, marker, body: new Model(gl, data, `kind${kind.row}`, instances) };
    });
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

  draw(motion, camera, showPaths, tint) {
    const { gl, canvas, head } = this;
    const scale = Math.min(devicePixelRatio, 2);
    const width = Math.max(Math.round(canvas.clientWidth * scale), 1);
    const height = Math.max(Math.round(canvas.clientHeight * scale), 1);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const kind of this.kinds) kind.instances.upload(motion, tint);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.map);
    gl.viewport(0, 0, SHADOW_TEXELS, SHADOW_TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.depth.use({ light: head.light });
    this.scene.draw();
    for (const kind of this.kinds) kind.body.draw();
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
    this.scene.draw();
    if (this.paths && showPaths) this.paths.draw();
    for (const kind of this.kinds) {
      kind.body.draw();
      if (kind.marker) kind.marker.draw();
    }
  }
}
