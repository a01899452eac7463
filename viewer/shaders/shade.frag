#version 330 core
// Shadows of members laid over a finished picture of the scene.
uniform sampler2D picture;     // its alpha: how much darker it is without sun
uniform sampler2D depth;
uniform sampler2DShadow member_shadow;
uniform mat4 to_light;         // from clip space of the picture to that of the shadow map

out vec4 fragment;             // blended: the picture keeps one less alpha

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec2 size = vec2(textureSize(depth, 0));
    vec3 clip = vec3(gl_FragCoord.xy / size, texelFetch(depth, pixel, 0).r) * 2.0 - 1.0;
    vec4 place = to_light * vec4(clip, 1.0);
    vec3 at = place.xyz / place.w * 0.5 + 0.5;
    bool outside = any(lessThan(at, vec3(0.0))) || any(greaterThan(at.xy, vec2(1.0)));
    at.z = min(at.z, 1.0);     // what is beyond the map's far end can be in shadow, too
    vec2 texel = vec2(0.6 / 1024.0);
    float lit = 0.5 * (texture(member_shadow, at + vec3(texel, 0.0))
                     + texture(member_shadow, at - vec3(texel, 0.0)));
    float share = texelFetch(picture, pixel, 0).a;
    fragment = vec4(0.0, 0.0, 0.0, outside ? 0.0 : share * (1.0 - lit));
}
