#version 330 core
flat in vec3 square_color;

uniform float opacity;

out vec4 fragment;

void main() {
    fragment = vec4(square_color, opacity);
}
