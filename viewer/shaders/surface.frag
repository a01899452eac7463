#version 330 core
// Light with soft shadows at every pixel.
// Compiled with SHADOWS: 0 none, 1 of the scene, 2 of the scene and of members; and with TAPS, how
// many places of a shadow map are looked at; and with PICTURE: 1 if a picture has the colors.
#include light.glsl

in vec3 world_position;
in vec3 world_normal;
in vec3 surface_color;

uniform float opacity;
#if PICTURE
uniform sampler2D picture;
#endif
uniform vec2 grain;                         // size [m] of a texel of each shadow map
uniform mat4 scene_light;
uniform mat4 member_light;
uniform sampler2DShadow scene_shadow;
uniform sampler2DShadow member_shadow;

out vec4 fragment;

// Share of the sun that a map lets through at a point, from taps of 2 x 2 comparisons each.
// A texel covers `grain` [m]; the point is lifted off its face by what the taps reach over, so
// that a face does not shade itself.
float lit(sampler2DShadow map, mat4 light, vec3 point, vec3 face, float slant, float grain) {
    vec3 lifted = point + face * grain * (0.6 + 2.4 * slant) + sun_direction * 0.5 * grain;
    vec3 at = (light * vec4(lifted, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
#if TAPS == 1
    return texture(map, at);
#endif
    // Three by three of them, the middle ones counting double: smooth over five texels.
    float sum = 0.0, texel = 1.0 / float(textureSize(map, 0).x);
    for (int across = -1; across <= 1; across++)
        for (int along = -1; along <= 1; along++) {
            float weight = (across == 0 ? 2.0 : 1.0) * (along == 0 ? 2.0 : 1.0);
            sum += weight * texture(map, at + 1.4 * texel * vec3(across, along, 0.0));
        }
    return sum / 16.0;
}

void main() {
    vec3 paint = surface_color;
#if PICTURE
    vec4 texel = texture(picture, surface_color.xy);
    if (texel.a < 0.5) discard; // leaves and fences are cut out
    paint = texel.rgb;
#endif
    vec3 to_eye = eye - world_position;
    vec3 normal = normalize(world_normal);
    if (dot(normal, to_eye) < 0.0) normal = -normal; // both sides of a face are shown
    float sun = max(dot(normal, sun_direction), 0.0);
#if SHADOWS > 0
    // The face's own normal: the shaded one may lean away from it.
    vec3 face = normalize(cross(dFdx(world_position), dFdy(world_position)));
    if (dot(face, to_eye) < 0.0) face = -face;
    float turned = dot(face, sun_direction);
    float slant = sqrt(max(1.0 - turned * turned, 0.0));
    sun *= lit(scene_shadow, scene_light, world_position, face, slant, grain.x);
#endif
#if SHADOWS > 1
    sun *= lit(member_shadow, member_light, world_position, face, slant, grain.y);
#endif
    vec3 shade = paint * ambient_light(normal);
    vec3 bright = seen(shade + paint * sun * SUN_COLOR, to_eye);
#if SHADOWS == 1
    // For shadows that are laid over later: how much darker it is where no sun falls.
    vec3 dark = seen(shade, to_eye);
    vec3 weight = vec3(0.3, 0.6, 0.1);
    fragment = vec4(bright, 1.0 - dot(dark, weight) / max(dot(bright, weight), 1e-3));
#else
    fragment = vec4(bright, opacity);
#endif
}
