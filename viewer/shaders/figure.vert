#version 330 core
// Small figures, lit at their corners: characters far away, and see-through ones behind walls.
// Compiled with GHOST: 1 for a flat tint.
#include light.glsl

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;             // linear light
layout(location = 3) in float dyed;             // share of the instance's tint, 0..1
layout(location = 4) in vec3 instance_position;
layout(location = 5) in vec4 instance_rotation; // quaternion, scalar LAST
layout(location = 6) in vec4 instance_tint;     // linear light, and a factor on the dyed share
layout(location = 7) in float instance_lit;     // share of the sun that the scene lets through

uniform mat4 view_projection;

out vec3 figure_color;

#include skin.glsl

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
    vec3 point = position, face = normal;
    follow(point, face);
    vec3 world = rotate(instance_rotation, point) + instance_position;
    gl_Position = view_projection * vec4(world, 1.0);
#if GHOST
    figure_color = encoded(instance_tint.rgb);
#else
    vec3 turned = rotate(instance_rotation, face);
    float value = dot(color, vec3(0.2126, 0.7152, 0.0722));
    vec3 tinted = instance_tint.rgb * (0.8 + 0.5 * value);
    vec3 surface = mix(color, tinted, clamp(dyed * instance_tint.a, 0.0, 1.0));
    float sun = max(dot(turned, sun_direction), 0.0) * instance_lit;
    figure_color = seen(surface * (ambient_light(turned) + sun * SUN_COLOR), eye - world);
#endif
}
