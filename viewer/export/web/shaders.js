// What the graphics card computes for the scene and the members.

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
out float height;
void main() {
  vec3 point = position, none = vec3(0.0);
  follow(point, none);
  vec3 world = turned(point) + place;
  height = world.z;
  gl_Position = light * vec4(world, 1.0);
}`, `#version 300 es
precision highp float;
in float height;
uniform float cut; // height [m] above which nothing is drawn
void main() { if (height > cut) discard; }`],
  ghost: [`#version 300 es
${INSTANCE}
layout(location = 5) in vec3 tint;
uniform mat4 view_projection;
out vec3 paint;
void main() {
  vec3 point = position, none = vec3(0.0);
  follow(point, none);
  paint = tint;
  gl_Position = view_projection * vec4(turned(point) + place, 1.0);
}`, `#version 300 es
precision mediump float;
in vec3 paint;
out vec4 fragment;
void main() { fragment = vec4(paint, 0.3); }`],
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
uniform float pictured, cut, opacity, shaded;
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
  if (world.z > cut) discard;
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
  if (shaded > 0.5 && sunny > 0.0) sunny *= lit(world, flat_face);
  vec3 ambient = mix(vec3(0.17, 0.15, 0.13), vec3(0.36, 0.42, 0.52), 0.5 + 0.5 * smooth_face.z);
  vec3 shade = base * (ambient + sunny * vec3(1.18, 1.08, 0.92));
  shade /= sqrt(sqrt(1.0 + shade * shade * shade * shade));
  fragment = vec4(pow(shade, vec3(1.0 / 2.2)), opacity);
}`],
};
