#version 330 core
in vec2 at;
in vec4 quad_color;

uniform sampler2D atlas; // one channel: how much of the letter covers the texel

out vec4 fragment;

void main() {
    fragment = vec4(quad_color.rgb, quad_color.a * texture(atlas, at).r);
}
