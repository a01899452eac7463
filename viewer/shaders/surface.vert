#version 330 core
// Lit triangles, drawn once per instance: scene parts (one instance) and characters (many).
// Compiled with PICTURE: 1 if colors are places in a picture.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;             // linear light
layout(location = 3) in float dyed;             // share of the instance's tint, 0..1
layout(location = 4) in vec3 instance_position;
layout(location = 5) in vec4 instance_rotation; // quaternion, scalar LAST
layout(location = 6) in vec4 instance_tint;     // linear light, and a factor on the dyed share

uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 push;                              // back in depth: of the part, and of back sides
uniform float cut;                              // height [m] from which on clipping leaves out
uniform vec4 clip;                              // equation of a plane; negative is left out, too

out vec3 world_position;
out vec3 world_normal;
out vec3 surface_color;

#include skin.glsl

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
    vec3 point = position, face = normal;
    follow(point, face);
    world_position = rotate(instance_rotation, point) + instance_position;
    world_normal = rotate(instance_rotation, face);
    // The dye keeps some of the light and dark of the character's own colors.
    float value = dot(color, vec3(0.2126, 0.7152, 0.0722));
    vec3 tinted = instance_tint.rgb * (0.8 + 0.5 * value);
#if PICTURE
    surface_color = color; // a place in the picture
#else
    surface_color = mix(color, tinted, clamp(dyed * instance_tint.a, 0.0, 1.0));
#endif
    gl_ClipDistance[0] = cut - world_position.z;
    gl_ClipDistance[1] = dot(clip, vec4(world_position, 1.0));
    gl_Position = view_projection * vec4(world_position, 1.0);
    // Of faces in one place the nearest is drawn: the front side, and that of the smaller part.
    float behind = dot(world_normal, eye - world_position) < 0.0 ? push.y : 0.0;
    gl_Position.z += (push.x + behind) * gl_Position.w;
}
