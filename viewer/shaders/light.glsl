// Sun, sky and ground light (hemisphere), haze; linear light to sRGB.
const vec3 SUN_COLOR = vec3(1.18, 1.08, 0.92);

uniform vec3 eye;
uniform vec3 sun_direction;                 // towards the sun, unit
uniform vec3 haze_color;
uniform float haze_distance;

// sRGB of linear light, to 0.001, from square roots: a power costs software renderers dearly.
vec3 encoded(vec3 light) {
    vec3 s1 = sqrt(clamp(light, 0.0, 1.0));
    vec3 s2 = sqrt(s1);
    vec3 s3 = sqrt(s2);
    vec3 sum = 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * light;
    return clamp(sum, 0.0, 1.0);
}

vec3 ambient_light(vec3 normal) {
    return mix(vec3(0.17, 0.15, 0.13), vec3(0.36, 0.42, 0.52), 0.5 + 0.5 * normal.z);
}

// What reaches the eye of linear light that leaves a point.
vec3 seen(vec3 light, vec3 to_eye) {
    float far = dot(to_eye, to_eye) / (haze_distance * haze_distance);
    vec3 color = mix(light, haze_color, far / (1.0 + far));
    color /= sqrt(sqrt(1.0 + color * color * color * color)); // highlights roll off below one
    return encoded(color);
}
