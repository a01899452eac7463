#version 330 core
// A straight line of a width in pixels: one instance, four corners by vertex number.
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 start_color; // sRGB and opacity
layout(location = 3) in vec4 end_color;
layout(location = 4) in float width;      // pixels at the reference height

uniform mat4 view_projection;
uniform vec2 viewport;                    // pixels
uniform float width_scale;
uniform float near;                       // [m] lines are cut here, in front of the eye

out vec4 line_color;
out float across;                         // -1..1 over the width
flat out float half_width;

void main() {
    float drawn = width * width_scale;
    vec4 a = view_projection * vec4(start, 1.0);
    vec4 b = view_projection * vec4(end, 1.0);
    if (a.w < near && b.w < near) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
        return;
    }
    if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
    if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
    float size = length(along);
    along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
    bool at_end = gl_VertexID > 1;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    float half_drawn = 0.5 * drawn + 1.0; // one pixel for the soft edge
    // Lines reach half a width beyond their ends, so that corners of polylines close.
    vec2 offset = vec2(-along.y, along.x) * side * half_drawn
        + along * (at_end ? 1.0 : -1.0) * 0.4 * drawn;
    vec4 here = at_end ? b : a;
    here.xy += offset * 2.0 / viewport * here.w;
    here.z -= 0.00008 * here.w;           // drawn over the face it lies on
    across = side * half_drawn;
    half_width = 0.5 * drawn;
    line_color = at_end ? end_color : start_color;
    gl_Position = here;
}
