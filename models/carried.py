"""A character as a thing that is carried: its mesh, free to turn, without a vehicle of its own."""

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.vectors import length
from rmp3d.models.body import Body
from rmp3d.models.character import Character, VehicleParameters

# By how much [m] a body that turns is planned for as if it were larger.
MARGIN = 0.02


def as_carried(character: Character) -> Character:
    """Return a character whose collision mesh is planned in six degrees of freedom.

    It keeps its name, mesh, mass, speeds and accelerations. Its body is the collision mesh in a
    ball about its reference point, so every turn of it is held.
    """
    if character.vehicle == "carried":
        return character
    mesh, own = character.body.mesh, character.parameters
    radius = float(length(mesh.vertices).max()) * (1.0 + 1e-9)
    return Character(
        character.mesh,
        name=character.name,
        vehicle="carried",
        body=Body(mesh, radius, (0.0, 0.0)),
        colors=character.colors,
        parameters=VehicleParameters(
            mass=own.mass,
            max_speed=own.max_speed,
            cruise_speed=own.cruise_speed,
            max_force=own.max_force,
            max_braking=own.max_braking,
            max_turn_rate=own.max_turn_rate,
        ),
        description=character.description,
    )


def grown(body: Body) -> Body:
    """Return the body, longer, wider and taller by `MARGIN` on every side, for paths to keep.

    What is not a box is in there itself, too: a path of the grown body is one of the body.
    """
    lower, upper = body.mesh.bounds
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    share = (half + MARGIN) / np.maximum(half, MARGIN)
    vertices = body.mesh.vertices
    mesh = TriangleMesh(middle + share * (vertices - middle), body.mesh.faces)
    if not ((vertices == lower) | (vertices == upper)).all():  # no box: parts may lie outside
        mesh = join([body.mesh, mesh])
    return Body(mesh, body.radius + 2.0 * MARGIN, body.capsule_axis)
