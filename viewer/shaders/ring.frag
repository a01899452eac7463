#version 330 core
in vec2 at;
in vec4 ring_color;
flat in float pixel;
flat in float half_width;
flat in float stroke;

uniform float opacity;

out vec4 fragment;

void main() {
    float off = abs(length(at) - 1.0);
    if (stroke > 0.0) off = min(off, length(at - vec2(clamp(at.x, 1.0, 1.5), 0.0)));
    float cover = clamp((half_width - off) / pixel + 0.5, 0.0, 1.0);
    if (cover == 0.0) discard;
    fragment = vec4(ring_color.rgb, ring_color.a * cover * opacity);
}
