#version 330 core
// Flat quads in pixels from the lower left corner: panels, bars and letters.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 color;

uniform vec2 viewport;
uniform vec2 atlas_size;

out vec2 at;
out vec4 quad_color;

void main() {
    at = texel / atlas_size;
    quad_color = color;
    gl_Position = vec4(position / viewport * 2.0 - 1.0, 0.0, 1.0);
}
