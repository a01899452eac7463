"""A problem: a body in a space, where it starts, and where it is to go."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal

from rmp3d.geometry import Float
from rmp3d.geometry.given import path_given
from rmp3d.models import Character
from rmp3d.planner.spaces import GroundHeadingSpace, RigidBodySpace, Space
from rmp3d.planner.spaces.endpoints import Place
from rmp3d.scenes.problems.rigid_problem import RigidProblem


class Problem:
    """A question to `rmp3d.planner.plan`: how does a body get from start to goal?

    Args:
        space: Where the body may be, with the body and its surroundings; or a function that makes
            the space when it is first needed.
        start: A point (3,) [m], a configuration (W,), or a region of the scene.
        goal: The same.
        stops: Places to pass between start and goal, in this order.
        name: For messages.
        rigid: The problem file, if the space is that of one.
        time_limit: That the file asks for [s]; None: the file asks for none.
        notes: What the reader of the file assumed, or found and did not use.
        character: What is seen of the body; None: its mesh.
    """

    def __init__(
        self,
        space: Space | Callable[[], Space],
        start: Place,
        goal: Place,
        stops: Sequence[Place] = (),
        *,
        name: str = "",
        rigid: RigidProblem | None = None,
        time_limit: float | None = None,
        notes: Sequence[str] = (),
        character: Character | None = None,
    ) -> None:
        self._space = space
        self.start = start
        self.goal = goal
        self.stops = tuple(stops)
        self.name = name
        self.rigid = rigid
        self.time_limit = time_limit
        self.notes = tuple(notes)
        self.character = character

    def __repr__(self) -> str:
        return f"<Problem {f'`{self.name}` ' if self.name else ''}from {self.start} to {self.goal}>"

    @classmethod
    def load(
        cls,
        path: Path | str,
        *,
        robot: Path | None = None,
        query: Path | None = None,
        backend: Literal["auto", "fcl"] = "auto",
    ) -> "Problem":
        """Read a problem file: OMPL.app's `.cfg`, or PMPL's `.env` with `.robot` and `.query`.

        Args:
            path: The file.
            robot: For an `.env`: its `.robot` file, or a mesh; by default the one beside it.
            query: For an `.env`: its `.query` file; by default the one beside it.
            backend: Of collision: "auto", the compiled kernels, or "fcl", python-fcl alone.

        Raises:
            InputError: Names file and line, or key, of what is wrong.
        """
        from rmp3d.planner.problems.files import read_problem  # slow to load

        file = read_problem(path_given(path), robot=robot, query=query)
        return cls.of_rigid(
            file.problem,
            file.stops,
            backend=backend,
            time_limit=file.time_limit,
            notes=file.notes,
        )

    @classmethod
    def of_rigid(
        cls,
        rigid: RigidProblem,
        stops: Float | None = None,
        *,
        backend: Literal["auto", "fcl"] = "auto",
        time_limit: float | None = None,
        notes: Sequence[str] = (),
    ) -> "Problem":
        """Return the problem of a rigid body, in the coordinates of its file.

        Args:
            rigid: Body, obstacles, bounds, start and goal.
            stops: (Q, 7) start, places to pass, and goal; by default those of ``rigid``.
            backend: See `load`.
            time_limit: See `Problem`.
            notes: See `Problem`.

        Raises:
            InputError: Two stops differ in a degree of freedom that is locked.
        """
        legs = [rigid]
        if stops is not None:
            legs = [replace(rigid, start=one, goal=other) for one, other in pairwise(stops)]
        first = legs[0]
        return cls(
            lambda: RigidBodySpace.of_problem(first, backend),
            first.start,
            legs[-1].goal,
            [leg.start for leg in legs[1:]],
            name=first.name,
            rigid=first,
            time_limit=time_limit,
            notes=notes,
        )

    def without_heading(self) -> "Problem | None":
        """Return the problem of a vehicle's round body; None for a body that has no heading.

        That is wider than the row of the body's capsules, but stands higher over steep ground.
        """
        if not isinstance(self.space, GroundHeadingSpace):
            return None
        return Problem(
            self.space.round, self.start, self.goal, self.stops, name=self.name,
            character=self.character,
        )  # fmt: skip

    @cached_property
    def space(self) -> Space:
        """Where the body may be, with the body and its surroundings."""
        return self._space() if callable(self._space) else self._space

    @property
    def places(self) -> tuple[Place, ...]:
        """Start, stops and goal."""
        return (self.start, *self.stops, self.goal)
