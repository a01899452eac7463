"""Synthetic vision: a cone, and a line of sight through the scene's meshes."""

from dataclasses import dataclass

from rmp3d.behaviors.perception.perception import PERCEPTIONS, places_within
from rmp3d.behaviors.perception.sight import bodies_are_seen, lines_are_clear
from rmp3d.behaviors.perception.zone import check_angle, check_memory, check_positive, in_cone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index


@PERCEPTIONS.register("view_cone")
@dataclass(frozen=True)
class ViewCone:
    """See the others in a cone ahead that the scene does not hide.

    The eye is the upper end of the body's segment. Another is in the cone if its middle is, and
    not hidden if a straight line from the eye to its head, middle or foot crosses no solid part
    of the scene, ground included; decor and other bodies hide nobody. What Renault, Magnenat
    Thalmann and Thalmann 1990, "A vision-based approach to behavioural animation", read from a
    rendered picture comes from exact rays here.

    Attributes:
        range: How far it sees [m].
        angle: Full opening of the cone about the heading [degrees].
        near: Others that are nearer than this and not hidden are noticed all around [m].
        memory: How long others are remembered where they were last seen [s].
    """

    range: float = 20.0
    angle: float = 200.0
    near: float = 0.0
    memory: float = 0.0

    def __post_init__(self) -> None:
        check_positive(range=self.range)
        check_angle(self.angle)
        check_memory(self.memory)

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, j = world.near(rows, self.range)
        offset = world.middle[j] - world.middle[rows[i]]
        inside = in_cone(offset, world.flock.heading[rows[i]], self.angle)
        inside |= (offset * offset).sum(axis=1) <= self.near**2
        i, j = i[inside], j[inside]
        if world.solid is not None:
            seen = bodies_are_seen(world.solid, world.eye, world.foot, world.eye, rows[i], j)
            i, j = i[seen], j[seen]
        return i, j

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, place = places_within(world, rows, places, self.range)
        offset = places[place] - world.eye[rows[i]]
        inside = in_cone(offset, world.flock.heading[rows[i]], self.angle)
        inside |= (offset * offset).sum(axis=1) <= self.near**2
        i, place = i[inside], place[inside]
        if world.solid is not None:
            clear = lines_are_clear(world.solid, world.eye[rows[i]], places[place])
            i, place = i[clear], place[clear]
        return i, place
