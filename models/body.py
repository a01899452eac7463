"""The body of a character: what collides, and the capsules that hold it in every pose."""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.vectors import length
from rmp3d.models.poses import Attitudes, capsule_row, sticks_out
from rmp3d.models.vehicle import walks
from rmp3d.scenes.build.shapes import turned

# A mesh may stick out of its capsule this far [m], because of rounding.
ROUNDING = 1e-9
# A row of capsules is used where it is narrower than this share of the round body.
MUCH_NARROWER = 0.9


@dataclass(frozen=True, eq=False)
class Body:
    """The body that is tested for collisions: a mesh, and the upright capsule around it.

    The frame of a hugging body has its origin on the ground between the feet and stays upright. The
    frame of a flying body has its origin in its middle, and its capsule is a sphere.

    A body that is longer than wide and faces where it moves has a row of upright capsules along its
    heading besides (see `rmp3d.models.poses.capsule_row`): they hold every pose that it takes, and
    they are what planning and safety keep clear.

    Attributes:
        mesh: Collision mesh, body frame [m].
        radius: Of the capsule [m].
        capsule_axis: Heights [m] of the ends of the capsule's segment in the body frame, the lower
            one first.
        holds: The bodies inside, if this body encloses several; see `rmp3d.models.envelope`.
        capsules: (K, 4) offset along the heading, radius, and heights of the ends of the axis over
            the reference point [m]; for a round body the one capsule above.

    Raises:
        InputError: The radius is not positive, the axis is upside down, or the mesh sticks out of
            the capsule, where no row of capsules holds it.
    """

    mesh: TriangleMesh
    radius: float
    capsule_axis: tuple[float, float]
    holds: tuple["Body", ...] = ()
    capsules: Float = field(default_factory=lambda: np.zeros((0, 4)))

    __repr__ = short_repr

    def __post_init__(self) -> None:
        low, high = self.capsule_axis
        if not 0.0 < self.radius < np.inf:
            raise InputError(f"`radius` must be positive, got {self.radius}")
        if not (np.isfinite([low, high]).all() and low <= high):
            raise InputError(f"`capsule_axis` must be [low, high], got {list(self.capsule_axis)}")
        out = _overhangs(self.mesh, self.radius, self.capsule_axis)
        worst = int(out.argmax())
        if out[worst] > ROUNDING and len(self.capsules) < 2:
            height = float(self.mesh.vertices[worst, 2])
            raise InputError(
                f"the collision mesh sticks {out[worst]:.3g} m out of the capsule (`radius` "
                f"{self.radius:g}, `capsule_axis` [{low:g}, {high:g}]) "
                f"at height {height:.3g} m; "
                f"{self._cure(height)}"
            )
        row = self.capsules if len(self.capsules) else [(0.0, self.radius, low, high)]
        object.__setattr__(self, "capsules", frozen(np.array(row, np.float64)))

    @property
    def elongated(self) -> bool:
        """Whether a row of capsules along the heading holds it, and not one that is round."""
        return len(self.capsules) > 1

    @property
    def half_width(self) -> float:
        """Distance [m] from its middle plane to the outside of its capsules."""
        return float(self.capsules[0, 1])

    @property
    def across(self) -> float:
        """Width [m] of a long mesh, much narrower than the round body around it; else 0."""
        width, size = (2.0 * float(np.abs(self.mesh.vertices[:, axis]).max()) for axis in (1, 0))
        is_long = not self.elongated and width < min(size, MUCH_NARROWER * 2.0 * self.radius)
        return width if is_long else 0.0

    def overhang(self, mesh: TriangleMesh) -> float:
        """Return how far [m] a mesh sticks out of the capsule; zero or negative if it is inside."""
        return float(_overhangs(mesh, self.radius, self.capsule_axis).max())

    def _cure(self, height: float) -> str:
        low, high = self.capsule_axis
        if low == high == 0.0 or low <= height <= high:
            return "make the radius larger"
        if height > high:
            return "raise `capsule_axis[1]`, or make the radius larger"
        cure = "let the mesh narrow there too, or end higher"
        if low > self.radius:
            cure += ", or lower that end of `capsule_axis`"
        return f"below `capsule_axis[0]`, {low:g} m, the capsule narrows towards the floor: {cure}"


def _overhangs(mesh: TriangleMesh, radius: float, capsule_axis: tuple[float, float]) -> Float:
    """Return how far (V,) [m] each vertex sticks out of an upright capsule; negative inside."""
    nearest = np.zeros_like(mesh.vertices)
    nearest[:, 2] = np.clip(mesh.vertices[:, 2], *capsule_axis)
    return length(mesh.vertices - nearest) - radius


def shaped(body: Body, attitudes: Attitudes, *, faces_ahead: bool, name: str) -> Body:
    """Return the body that holds every pose that its vehicle takes.

    If it always faces where it moves and is longer than wide, a row of capsules along its heading
    holds it; the round capsule then is as wide as it takes to turn the row. All others can turn on
    the spot, or in the air: their capsule is round, and they must not leave it.

    Args:
        body: As it is stated.
        attitudes: How far it tilts.
        faces_ahead: Whether its heading is always that of its motion, or opposite.
        name: Of the character, for the error.

    Raises:
        InputError: It leaves its capsule; the error says where, and what would fit.
    """
    points = body.mesh.vertices
    out, where = sticks_out(points, body.radius, body.capsule_axis, attitudes)
    if faces_ahead:
        row = capsule_row(body.mesh, attitudes)
        if out > ROUNDING or row[0, 1] < MUCH_NARROWER * body.radius:
            return _with_row(body.mesh, row, body.radius, body.capsule_axis)
    if body.elongated:  # of another mesh's, or of other limits
        body = replace(body, capsules=np.zeros((0, 4)))
    if out > ROUNDING and attitudes != Attitudes() and not body.holds:
        raise InputError(_leans_out(name, body, attitudes, out, where))
    return body


def check_turned(body: Body, name: str) -> None:
    """Refuse a body that leaves its capsule when it turns; what does not walk turns any way round.

    Raises:
        InputError: The largest ball in the capsule about the origin does not hold the mesh; the
            error says which one does.
    """
    low, high = body.capsule_axis
    held = body.radius - max(low, -high, 0.0)
    needed = float(length(body.mesh.vertices).max())
    if needed > held + ROUNDING:
        raise InputError(
            f"`{name}` does not walk, so it may turn any way round; then its collision mesh sticks "
            f"{needed - held:.3g} m out of its capsule (`radius` {body.radius:g}, `capsule_axis` "
            f"[{low:g}, {high:g}]): make it a ball, `capsule_axis` [0, 0] with `radius` "
            f"{needed + 5e-4:.3f} at least"
        )


def row_around(
    mesh: TriangleMesh, attitudes: Attitudes, radius: float = 0.0,
    capsule_axis: tuple[float, float] = (0.0, 0.0),
) -> Body:  # fmt: skip
    """Return the body of a vehicle on wheels: a row of capsules holds its mesh, however long it is.

    Args:
        mesh: Over the ground z = 0, on which its origin stands.
        attitudes: How far it tilts.
        radius: Of the round capsule at least [m].
        capsule_axis: The heights of its axis at least [m].
    """
    row = capsule_row(mesh, attitudes)
    low, high = capsule_axis
    return _with_row(mesh, row, radius, (low, max(high, float(row[:, 3].max()))))


def stated_body(
    mesh: TriangleMesh, radius: float, capsule_axis: tuple[float, float], attitudes: Attitudes, *,
    faces_ahead: bool,
) -> Body:  # fmt: skip
    """Return the body with a mesh and a capsule as a file states them.

    What faces ahead is held by a row of capsules if the stated one does not hold it.

    Raises:
        InputError: As of `Body`.
    """
    if faces_ahead and _overhangs(mesh, radius, capsule_axis).max() > ROUNDING:
        return row_around(mesh, attitudes, radius, capsule_axis)
    return Body(mesh, radius, capsule_axis)


def _with_row(
    mesh: TriangleMesh, row: Float, radius: float, capsule_axis: tuple[float, float]
) -> Body:
    """Return the body with a row of capsules (K, 4), and a round one as wide as it turns."""
    if len(row) == 1:  # a row, too: the round capsule is higher over the ground
        row = np.repeat(row, 2, axis=0)
    radius = max(radius, float(np.abs(row[:, 0]).max() + row[0, 1]))
    low, high = capsule_axis
    return Body(mesh, radius, (max(low, radius), max(high, radius)), capsules=row)


def _leans_out(name: str, body: Body, attitudes: Attitudes, out: float, where: Float) -> str:
    """Say where a body that leans leaves its capsule, and which numbers would do."""
    points = body.mesh.vertices
    fits = 0.0
    for share in np.linspace(0.0, 1.0, 101):
        less = Attitudes(share * attitudes.pitch, share * attitudes.roll)
        if sticks_out(points, body.radius, body.capsule_axis, less)[0] > ROUNDING:
            break
        fits = float(share)
    low, high = body.capsule_axis
    wider = next(
        (radius for radius in np.linspace(body.radius, 4.0 * body.radius, 301)[1:]
         if sticks_out(points, radius, (max(low, radius), max(high, radius)), attitudes)[0] <= 0.0),
        None,
    )  # fmt: skip
    pitch, roll = np.degrees(attitudes)
    place = ", ".join(f"{x:.3g}" for x in where)
    cure = f"let it lean less (`max_pitch` {fits * pitch:.2g}, `max_roll` {fits * roll:.2g})"
    if wider is not None:
        cure += (
            f", or make the body larger (`radius` {wider:.3f} with `capsule_axis` "
            f"[{max(low, wider):.3f}, {max(high, wider):.3f}])"
        )
    return (
        f"`{name}` leans with the ground, by up to {pitch:g} degrees in pitch "
        f"(`max_pitch`) and {roll:g} in roll (`max_roll`); then its collision mesh sticks "
        f"{out:.3g} m out of its capsule (`radius` {body.radius:g}, `capsule_axis` "
        f"[{low:g}, {high:g}]) at [{place}]: {cure}"
    )


def capsule_around(mesh: TriangleMesh, vehicle: str) -> Body:
    """Return a body that holds a mesh.

    One that does not walk has a ball about its origin, with the mesh in it. A walker has an
    upright capsule from the floor to the top; a mesh whose feet reach out of its round end, as
    feet do, collides as an eight-sided column instead, which narrows towards the floor.

    Raises:
        InputError: The mesh of a walker does not stand on the floor z = 0.
    """
    if not walks(vehicle):
        return Body(mesh, float(length(mesh.vertices).max()), (0.0, 0.0))
    top = float(mesh.vertices[:, 2].max())
    if top <= 0.0 or mesh.vertices[:, 2].min() < -0.5 * top:
        raise InputError(
            "`body`: a walker stands on z = 0, with its origin between the feet; the mesh goes "
            f"from z = {mesh.vertices[:, 2].min():g} to {top:g}"
        )
    radius = float(length(mesh.vertices[:, :2]).max()) / np.cos(np.pi / 8)
    high = max(radius, top - radius)
    capsule = radius, (radius, high)
    nearest = np.clip(mesh.vertices[:, 2], radius, high)
    offset = mesh.vertices - np.stack([0.0 * nearest, 0.0 * nearest, nearest], axis=1)
    if float(length(offset).max()) <= radius:
        return Body(mesh, *capsule)
    angle = np.radians([20.0, 55.0, 90.0])
    foot = [(radius * np.sin(a), radius * (1.0 - np.cos(a))) for a in angle]
    head = [(radius * np.sin(a), high + radius * np.cos(a)) for a in angle[::-1]]
    rows = foot + (head if high > radius else head[1:])
    return Body(turned([(0.999 * x, z) for x, z in rows], 8), *capsule)
