#version 330 core
in vec2 at;
in vec4 tint;
uniform sampler2D atlas;
out vec4 result;

void main() {
    result = tint * texture(atlas, at);
}
