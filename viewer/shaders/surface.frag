#version 330 core
// Sun with soft shadows, sky and ground light (hemisphere), haze; linear light to sRGB.
in vec3 world_position;
in vec3 world_normal;
in vec3 surface_color;
in vec3 tint_color;

uniform vec3 eye;
uniform vec3 sun_direction;                 // towards the sun, unit
uniform vec3 haze_color;
uniform float haze_distance;
uniform float ghost;                        // > 0: flat tint of this opacity, for hidden parts
uniform float shadow_strength;              // 0 or 1
uniform vec2 grain;                         // size [m] of a texel of each shadow map
uniform mat4 scene_light;
uniform mat4 member_light;
uniform sampler2DShadow scene_shadow;
uniform sampler2DShadow member_shadow;

out vec4 fragment;

// sRGB of linear light, to 0.001, from square roots: a power costs software renderers dearly.
vec3 encoded(vec3 light) {
    vec3 s1 = sqrt(clamp(light, 0.0, 1.0));
    vec3 s2 = sqrt(s1);
    vec3 s3 = sqrt(s2);
    vec3 sum = 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * light;
    return clamp(sum, 0.0, 1.0);
}

float squared(float value) {
    return value * value;
}

// Share of the sun that a map lets through at a point, from four taps of 2 x 2 comparisons each.
// A texel covers `grain` [m]; the point is lifted off its face by what the taps reach over, so
// that a face does not shade itself.
float lit(sampler2DShadow map, mat4 light, vec3 point, vec3 face, float grain, float texel) {
    float slant = sqrt(max(1.0 - squared(dot(face, sun_direction)), 0.0));
    vec3 lifted = point + face * grain * (0.6 + 2.4 * slant) + sun_direction * 0.5 * grain;
    vec3 at = (light * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
    float sum = texture(map, at + vec3(-1.2, -0.4, 0.0) * texel);
    sum += texture(map, at + vec3(0.4, -1.2, 0.0) * texel);
    sum += texture(map, at + vec3(1.2, 0.4, 0.0) * texel);
    sum += texture(map, at + vec3(-0.4, 1.2, 0.0) * texel);
    return 0.25 * sum;
}

void main() {
    if (ghost > 0.0) {
        fragment = vec4(encoded(tint_color), ghost);
        return;
    }
    vec3 to_eye = eye - world_position;
    vec3 normal = normalize(world_normal);
    if (dot(normal, to_eye) < 0.0) normal = -normal; // both sides of a face are shown
    float facing = dot(normal, sun_direction);
    float sun = max(facing, 0.0);
    if (sun > 0.0 && shadow_strength > 0.0) {
        // The face's own normal: the shaded one may lean away from it.
        vec3 face = normalize(cross(dFdx(world_position), dFdy(world_position)));
        if (dot(face, to_eye) < 0.0) face = -face;
        sun *= lit(scene_shadow, scene_light, world_position, face, grain.x, 1.0 / 2048.0);
        if (sun > 0.0)
            sun *= lit(member_shadow, member_light, world_position, face, grain.y, 1.0 / 1024.0);
    }
    float up = 0.5 + 0.5 * normal.z;
    vec3 ambient = mix(vec3(0.17, 0.15, 0.13), vec3(0.36, 0.42, 0.52), up);
    vec3 color = surface_color * (ambient + sun * vec3(1.18, 1.08, 0.92));
    float far = dot(to_eye, to_eye) / (haze_distance * haze_distance);
    color = mix(color, haze_color, far / (1.0 + far));
    color /= sqrt(sqrt(1.0 + color * color * color * color)); // highlights roll off below one
    fragment = vec4(encoded(color), 1.0);
}
