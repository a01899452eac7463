#version 330 core
// Sky above the horizon, a calm floor below it.
in vec3 direction;

uniform vec3 zenith_color;
uniform vec3 horizon_color;
uniform vec3 floor_color;

out vec4 fragment;

void main() {
    float height = normalize(direction).z;
    vec3 color = height >= 0.0
        ? mix(horizon_color, zenith_color, pow(height, 0.6))
        : mix(horizon_color, floor_color, pow(min(-height * 1.6, 1.0), 0.7));
    fragment = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}
