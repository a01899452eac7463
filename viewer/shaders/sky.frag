#version 330 core
// Sky above the horizon, a calm floor below it.
in vec3 direction;

uniform vec3 zenith_color;
uniform vec3 horizon_color;
uniform vec3 floor_color;

out vec4 fragment;

// sRGB of linear light, to 0.001, from square roots: a power costs software renderers dearly.
vec3 encoded(vec3 light) {
    vec3 s1 = sqrt(clamp(light, 0.0, 1.0));
    vec3 s2 = sqrt(s1);
    vec3 s3 = sqrt(s2);
    vec3 sum = 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * light;
    return clamp(sum, 0.0, 1.0);
}

void main() {
    float height = normalize(direction).z;
    vec3 color = height >= 0.0
        ? mix(horizon_color, zenith_color, sqrt(height))
        : mix(horizon_color, floor_color, sqrt(min(-height * 1.6, 1.0)));
    fragment = vec4(encoded(color), 1.0);
}
