#version 330 core
// Widgets of the panel: position in points from the upper left corner.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 color;
uniform vec2 display;
out vec2 at;
out vec4 tint;

void main() {
    at = texel;
    tint = color;
    gl_Position = vec4(2.0 * position.x / display.x - 1.0, 1.0 - 2.0 * position.y / display.y, 0.0, 1.0);
}
