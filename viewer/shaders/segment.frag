#version 330 core
in vec4 line_color;
in float across;
flat in float half_width;

uniform float opacity;

out vec4 fragment;

void main() {
    float edge = clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
    fragment = vec4(line_color.rgb, line_color.a * edge * opacity);
}
