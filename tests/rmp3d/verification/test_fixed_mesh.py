import fcl
import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.verification import fixed_mesh
from rmp3d.verification.fixed_mesh import FixedMesh

RADIUS, LENGTH = 0.3, 1.2


@pytest.fixture
def mesh():
    rng = np.random.default_rng(6)
    corners = rng.uniform(-5.0, 5.0, (300, 1, 3)) + rng.normal(0.0, 0.5, (300, 3, 3))
    return TriangleMesh(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3))


def touched(fixed, place):
    """Return the faces that a capsule touches."""
    reach = RADIUS + np.array([0.0, 0.0, 0.5 * LENGTH])
    placed, rows = fixed.within(place - reach, place + reach)
    if placed is None:
        return set()
    body = fcl.CollisionObject(fcl.Capsule(RADIUS, LENGTH), fcl.Transform(place))
    result = fcl.CollisionResult()
    fcl.collide(body, placed, fcl.CollisionRequest(num_max_contacts=900), result)
    return {int(rows[max(each.b1, each.b2)]) for each in result.contacts}


def test_a_body_touches_the_same_faces_of_a_mesh_in_pieces(mesh, monkeypatch):
    whole = FixedMesh(mesh)
    places = np.random.default_rng(7).uniform(-7.0, 7.0, (150, 3))
    expected = [touched(whole, place) for place in places]
    monkeypatch.setattr(fixed_mesh, "MANY_FACES", 10)
    pieces = FixedMesh(mesh)
    monkeypatch.setattr(FixedMesh, "placed", None)
    assert [touched(pieces, place) for place in places] == expected
    assert 20 < sum(bool(each) for each in expected) < 150
