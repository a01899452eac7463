#version 330 core
// Shadows of members laid over a finished picture of the scene.
in vec4 nearest;

uniform sampler2D picture;     // its alpha: how much darker it is without sun
uniform sampler2D depth;
uniform sampler2DShadow member_shadow;
uniform mat4 to_light;         // from clip space of the picture to that of the shadow map

out vec4 fragment;             // blended: the picture keeps one less alpha

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 place = nearest + 2.0 * texelFetch(depth, pixel, 0).r * to_light[2];
    vec3 at = place.xyz * (0.5 / place.w) + 0.5;
    at.z = min(at.z, 1.0);     // what is beyond the map's far end can be in shadow, too
    float lit = texture(member_shadow, at); // the map has an empty rim for what lies beside it
    fragment = vec4(texelFetch(picture, pixel, 0).a * (1.0 - lit));
}
