#version 330 core
// See-through faces on the ground.
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color; // sRGB and opacity

uniform mat4 view_projection;

out vec4 patch_color;

void main() {
    patch_color = color;
    gl_Position = view_projection * vec4(position, 1.0);
    gl_Position.z -= 0.00006 * gl_Position.w; // over the face it lies on
}
