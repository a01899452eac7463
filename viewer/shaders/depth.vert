#version 330 core
// Depth only, seen from the sun: the shadow maps.
layout(location = 0) in vec3 position;
layout(location = 4) in vec3 instance_position;
layout(location = 5) in vec4 instance_rotation; // quaternion, scalar LAST

uniform mat4 view_projection;
uniform float cut;                              // height [m] from which on clipping leaves out
uniform vec4 clip;                              // equation of a plane; negative is left out, too

#include skin.glsl

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
    vec3 point = position, face = vec3(0.0);
    follow(point, face);
    vec3 world = rotate(instance_rotation, point) + instance_position;
    gl_ClipDistance[0] = cut - world.z;
    gl_ClipDistance[1] = dot(clip, vec4(world, 1.0));
    gl_Position = view_projection * vec4(world, 1.0);
}
