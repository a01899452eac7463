import re

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import Body, VehicleParameters
from rmp3d.scenes.build.shapes import box

FAST = {
    "mass": 1.0,
    "max_speed": 2.0,
    "cruise_speed": 1.0,
    "max_force": 3.0,
    "max_braking": 3.0,
    "max_turn_rate": 1.0,
}


def test_a_capsule_holds_what_a_sphere_of_its_radius_does_not():
    tall = box((-0.1, -0.1, 0.2), (0.1, 0.1, 1.6))
    Body(tall, 0.3, (0.3, 1.4))
    with pytest.raises(InputError, match=r"sticks .* m out of the capsule"):
        Body(tall, 0.3, (0.3, 0.3))


@pytest.mark.parametrize(
    ("low", "high", "capsule_axis", "cure"),
    [
        (
            0.02,
            1.0,
            (0.3, 0.9),
            "at height 0.02 m; below `capsule_axis[0]`, 0.3 m, the capsule narrows",
        ),
        (0.02, 1.0, (0.5, 0.9), "or end higher, or lower that end of `capsule_axis`"),
        (
            0.3,
            1.5,
            (0.3, 0.9),
            "at height 1.5 m; raise `capsule_axis[1]`, or make the radius larger",
        ),
        (-0.3, 0.3, (0.0, 0.0), "; make the radius larger"),
    ],
)
def test_what_sticks_out_is_told_the_cure_that_helps_there(low, high, capsule_axis, cure):
    with pytest.raises(InputError, match=re.escape(cure)):
        Body(box((-0.2, -0.2, low), (0.2, 0.2, high)), 0.3, capsule_axis)


def test_overhang_is_the_distance_of_the_farthest_corner_from_the_capsule():
    body = Body(box((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)), 0.5, (0.0, 0.0))
    assert body.overhang(body.mesh) == pytest.approx(np.sqrt(0.03) - 0.5)
    far = TriangleMesh(np.array([[0, 0, 0], [2.0, 0, 0], [0, 0, -1]]), np.array([[0, 1, 2]]))
    assert body.overhang(far) == pytest.approx(1.5)


@pytest.mark.parametrize("radius", [0.0, -1.0, np.nan, np.inf])
def test_a_radius_that_is_not_positive_is_refused(radius):
    with pytest.raises(InputError, match="`radius` must be positive"):
        Body(box((0, 0, 0), (0.1, 0.1, 0.1)), radius, (0.0, 0.0))


def test_an_axis_upside_down_is_refused():
    with pytest.raises(InputError, match=r"`capsule_axis` must be \[low, high\]"):
        Body(box((0, 0, 0), (0.1, 0.1, 0.1)), 1.0, (1.0, 0.0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": 0.0}, "`mass` must be positive"),
        ({"max_force": np.nan}, "`max_force` must be positive"),
        ({"max_turn_rate": np.inf}, "`max_turn_rate` must be positive"),
        ({"cruise_speed": 2.5}, "`cruise_speed` 2.5 is above `max_speed` 2.0"),
        ({"banking": 1.5}, "`banking` must be from 0 to 1"),
        ({"lean": -0.1}, "`lean` must be from 0 to 1"),
        ({"max_side_force": 0.0}, "`max_side_force` must be positive"),
        ({"max_torque": np.inf}, "`max_torque` must be positive"),
        ({"inertia": -1.0}, "`inertia` must be positive"),
        ({"turn_radius": -1.0}, "`turn_radius` must be 0 or more"),
        ({"pivots": True}, "`pivots` needs a `turn_radius`"),
        ({"reverse": 0.5}, "`reverse` needs a `turn_radius`"),
        ({"reverse": 2.5, "turn_radius": 1.0}, "`reverse` must be from 0 to `max_speed` 2.0"),
    ],
)
def test_a_parameter_out_of_range_is_named(change, message):
    VehicleParameters(**FAST)
    with pytest.raises(InputError, match=message):
        VehicleParameters(**{**FAST, **change})
