#version 330 core
// One triangle that covers the picture.
uniform mat3 view_axes;      // rows of the camera: right, up, back
uniform vec2 half_extent;    // tan(field of view / 2), horizontal and vertical

out vec3 direction;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    direction = view_axes * vec3(corner * half_extent, -1.0);
    gl_Position = vec4(corner, 1.0, 1.0);
}
