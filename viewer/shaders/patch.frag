#version 330 core
in vec4 patch_color;

uniform float opacity;

out vec4 fragment;

void main() {
    fragment = vec4(patch_color.rgb, patch_color.a * opacity);
}
