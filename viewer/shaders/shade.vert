#version 330 core
// Boxes of pixels that shadows are laid over.
layout(location = 0) in vec4 box; // left, bottom, right, top

uniform vec2 viewport;            // pixels
uniform mat4 to_light;            // from clip space of the picture to that of the shadow map

out vec4 nearest;                 // where the near plane is in the shadow map

void main() {
    vec2 pixel = vec2((gl_VertexID & 1) == 0 ? box.x : box.z, gl_VertexID > 1 ? box.w : box.y);
    gl_Position = vec4(pixel / viewport * 2.0 - 1.0, 0.0, 1.0);
    nearest = to_light * vec4(gl_Position.xy, -1.0, 1.0);
}
