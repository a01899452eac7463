#version 330 core
// One square in place of each impostor. For shadows it stands upright and turns to the sun; for
// see-through figures behind walls it faces the eye.
#include light.glsl

layout(location = 4) in vec3 instance_position;
layout(location = 5) in vec4 instance_rotation; // quaternion, scalar LAST
layout(location = 6) in vec4 instance_tint;     // linear light

uniform mat4 view_projection;
uniform vec4 viewer;                            // the eye [m], 1; or the unit vector to the sun, 0
uniform vec3 low;                               // corners of the figure's box, body frame [m]
uniform vec3 high;

flat out vec3 square_color;

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
    vec3 ahead = rotate(instance_rotation, vec3(1.0, 0.0, 0.0));
    vec3 left = rotate(instance_rotation, vec3(0.0, 1.0, 0.0));
    vec3 up = cross(ahead, left);
    vec3 half_size = 0.5 * (high - low), middle = 0.5 * (high + low);
    vec3 center = instance_position + middle.x * ahead + middle.y * left + middle.z * up;
    vec3 sight = normalize(viewer.xyz - viewer.w * center);
    vec3 aside = length(sight.xy) > 1e-3 ? normalize(vec3(-sight.y, sight.x, 0.0)) : vec3(0.0, 1.0, 0.0);
    vec3 over = viewer.w == 0.0 ? up : cross(sight, aside);
    mat3 box = mat3(half_size.x * ahead, half_size.y * left, half_size.z * up);
    // How far the box, its edges rounded off, reaches aside and over.
    float wide = length(aside * box), tall = length(over * box);
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID > 1 ? 1.0 : -1.0);
    square_color = encoded(instance_tint.rgb);
    gl_Position = view_projection * vec4(center + corner.x * wide * aside
        + corner.y * tall * over, 1.0);
}
