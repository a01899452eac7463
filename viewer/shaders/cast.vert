#version 330 core
// Depth only, seen from the sun: an upright square that faces the sun in place of each stand-in.
layout(location = 4) in vec3 instance_position;
layout(location = 5) in vec4 instance_rotation; // quaternion, scalar LAST

uniform mat4 view_projection;
uniform vec3 sun_direction;                     // towards the sun, unit
uniform vec3 low;                               // corners of the figure's box, body frame [m]
uniform vec3 high;

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
    vec3 ahead = rotate(instance_rotation, vec3(1.0, 0.0, 0.0));
    vec3 left = rotate(instance_rotation, vec3(0.0, 1.0, 0.0));
    vec3 up = cross(ahead, left);
    vec3 aside = normalize(vec3(-sun_direction.y, sun_direction.x, 0.0));
    vec3 half_size = 0.5 * (high - low), middle = 0.5 * (high + low);
    float reach = abs(dot(aside, ahead)) * half_size.x + abs(dot(aside, left)) * half_size.y;
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID > 1 ? 1.0 : -1.0);
    vec3 world = instance_position + middle.x * ahead + middle.y * left
        + (middle.z + corner.y * half_size.z) * up + corner.x * reach * aside;
    gl_Position = view_projection * vec4(world, 1.0);
}
