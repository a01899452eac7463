#version 330 core
in vec3 figure_color;

uniform float opacity;

out vec4 fragment;

void main() {
    fragment = vec4(figure_color, opacity);
}
