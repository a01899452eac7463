"""An obstacle between two places: its kind, its place, what was measured, and the words."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal[
    "door", "beam", "step", "slope", "gap", "wall", "level", "opening", "bend"
]


@dataclass(frozen=True)
class Blockage:
    """What separates two places.

    Attributes:
        kind: ``door``, an opening that is too narrow; ``beam``, something too low; ``step``,
            ``slope``, ``gap`` of the ground; ``wall``, closed; ``level``, nothing leads from one
            floor to another; ``opening``, too narrow for a flyer; ``bend``, where a vehicle as wide
            as the way has the least room to turn.
        parts: Names of the scene's parts; those on both sides of an opening.
        position: (3,) [m].
        measured: Width, height [m] or angle [degrees] there; of a ``level`` the height between; of
            a ``wall`` its height, 0 if it is as tall as the body.
        needed: What the body needs, or the most that it can do, in the same unit.
        others: How many more obstacles are on the same way.
        across: Width [m] of a long body that needs more because it may turn on the spot; else 0.
    """

    kind: Kind
    parts: tuple[str, ...]
    position: tuple[float, float, float]
    measured: float
    needed: float
    others: int = 0
    across: float = 0.0

    @property
    def part(self) -> str:
        """The parts as one text."""
        return " and ".join(self.parts)

    def facts(self) -> dict[str, Any]:
        """Return the facts that `--json` prints."""
        return {
            "kind": self.kind,
            "part": self.part,
            "position": [round(value, 4) for value in self.position],
            "measured": round(self.measured, 4),
            "needed": round(self.needed, 4),
            "others": self.others,
        }

    @property
    def short(self) -> str:
        """What it is and where, without advice."""
        x, y, z = (f"{round(value, 2) + 0.0:g}" for value in self.position)
        names = " and ".join(f"`{name}`" for name in self.parts)
        where = f" between {names}" if len(self.parts) > 1 else f" at {names}" if names else ""
        high = f", {self.measured:.3g} m high," if self.measured else ""
        what = _WHAT[self.kind].format(
            measured=f"{self.measured:.3g}", names=names or "something", where=where, high=high
        )
        return f"{what} at ({x}, {y}, {z})"

    @property
    def words(self) -> str:
        """What it is, where, and what the body can do; then what helps."""
        more = ""
        if self.others:
            counted = "one more obstacle is" if self.others == 1 else f"{self.others} more are"
            more = f"; {counted} behind it"
        can = _CAN[self.kind].format(needed=f"{self.needed:.3g}")
        if 0.0 < self.across < self.measured:
            can = _TURNS.format(across=f"{self.across:.2g}", needed=f"{self.needed:.3g}")
        if self.kind == "wall" and 0.0 < self.measured <= self.needed:
            can = "and is no ground; give it the role `ground` if it may be stepped on"
        return f"{self.short}, {can}{more}"


_OPENING = "the opening{where} is only {measured} m wide"
_WHAT = {
    "door": _OPENING,
    "opening": _OPENING,
    "beam": "{names} leaves a height of only {measured} m",
    "step": "a step of {measured} m{where}",
    "slope": "a slope of {measured} degrees{where}",
    "gap": "a gap of {measured} m in the ground{where}",
    "wall": "{names}{high} closes the way",
    "level": "no stairs and no ramp lead over a height of {measured} m",
    "bend": "{measured} m{where} leave the vehicle the least room to turn",
}
_WIDE = "and the body is {needed} m wide; widen it, or take a smaller character"
_TURNS = (
    "and the body, {across} m wide, is longer and may turn on the spot, which takes {needed} m; "
    "widen it, take a smaller character, or give this one a `turn_radius`"
)
_CAN = {
    "door": _WIDE,
    "opening": _WIDE,
    "beam": "and the body is {needed} m tall; raise it, or take a smaller character",
    "step": "and the character climbs at most {needed} m",
    "slope": "and the scene's `max_slope` is {needed} degrees",
    "gap": "and the ground must join within {needed} m; close it",
    "wall": "and has no opening there",
    "level": "and the character climbs at most {needed} m",
    "bend": "and its body is {needed} m wide, and longer; widen that place, take a shorter "
    "vehicle, or try more `nodes`",
}
