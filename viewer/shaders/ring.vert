#version 330 core
// Level rings with a stroke towards a heading: one instance, four corners by vertex number.
layout(location = 0) in vec3 center;
layout(location = 1) in float radius;
layout(location = 2) in vec2 heading;
layout(location = 3) in vec4 color;  // sRGB and opacity
layout(location = 4) in float width; // pixels at the reference height

uniform mat4 view_projection;
uniform float pixels_per_unit;       // pixels that one meter covers, times the depth
uniform float width_scale;
uniform vec3 eye;

out vec2 at;                         // in radii, heading along +x
out vec4 ring_color;
flat out float pixel;                // its size in radii
flat out float half_width;           // in radii
flat out float stroke;               // 1 with a heading

const float REACH = 1.7;
const float PULL = 0.6;              // in radii; over ground that slopes by a half

void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -REACH : REACH, gl_VertexID > 1 ? REACH : -REACH);
    stroke = length(heading) > 0.01 ? 1.0 : 0.0;
    vec2 along = stroke > 0.0 ? normalize(heading) : vec2(1.0, 0.0);
    vec3 place = center;
    place.xy += radius * (corner.x * along + corner.y * vec2(-along.y, along.x));
    vec4 middle = view_projection * vec4(center, 1.0);
    pixel = middle.w / (pixels_per_unit * radius);
    half_width = 0.5 * width * width_scale * pixel;
    at = corner;
    ring_color = color;
    gl_Position = view_projection * vec4(place, 1.0);
    // In front of ground that slopes up to the ring, by depth alone.
    vec4 pulled = view_projection * vec4(place + PULL * radius * normalize(eye - place), 1.0);
    if (pulled.w > 0.0) gl_Position.z = pulled.z / pulled.w * gl_Position.w;
}
