// Linear blend skinning: vertices follow up to four joints. Compiled with SKIN: 1 with joints.
// A row of `motion` is an instance; three texels a joint are the rows of its motion (3 x 4).
#if SKIN
layout(location = 8) in vec4 joints;
layout(location = 9) in vec4 weights;

uniform sampler2D motion;

void follow(inout vec3 point, inout vec3 normal) {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    for (int k = 0; k < 4; k++) {
        if (weights[k] <= 0.0) break; // the heaviest come first
        int first = 3 * int(joints[k] + 0.5);
        x += weights[k] * texelFetch(motion, ivec2(first, gl_InstanceID), 0);
        y += weights[k] * texelFetch(motion, ivec2(first + 1, gl_InstanceID), 0);
        z += weights[k] * texelFetch(motion, ivec2(first + 2, gl_InstanceID), 0);
    }
    vec4 at = vec4(point, 1.0);
    point = vec3(dot(x, at), dot(y, at), dot(z, at));
    normal = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
}
#else
void follow(inout vec3 point, inout vec3 normal) {}
#endif
