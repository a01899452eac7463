"""What there is to see of a plan: bodies, their certified paths, and the roadmaps behind them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.graphs import component_numbers
from rmp3d.models import Body, Character, VehicleParameters
from rmp3d.planner import PlanResult, Problem
from rmp3d.planner.errors import ConfirmationError, PlacementError
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.endpoints import Place, endpoint
from rmp3d.scenes import Region, Scene

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
"""Quaternion of a body that is not turned."""


def no_rows() -> Float:
    """Return no points."""
    return frozen(np.zeros((0, 3)))


def no_edges() -> Index:
    """Return no edges."""
    return frozen(np.zeros((0, 2)), np.intp)


@dataclass(frozen=True, eq=False)
class Placement:
    """Where a path begins or ends.

    Attributes:
        configuration: (W,) of the body.
        reason: Why it is not free, in words that follow "is"; empty if it is free.
    """

    configuration: Float
    reason: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class BodyPlan:
    """The plan of one body.

    Attributes:
        name: Of the body or its group.
        problem: The question.
        character: What is seen.
        configurations: (K, W) the certified path; K = 0 if there is none.
        nodes: (V, 3) positions of the roadmap's nodes.
        edges: (E, 2) rows of ``nodes``.
        rejected: Returns the samples (R, 3) in collision; may take seconds.
        reason: Why there is no path; empty if there is one.
        facts: What ``rmp3d plan --json`` says of it.
        others: (K, W) certified paths of other classes.
        tradeoffs: (K, W) certified paths of which none is better than another in all costs.
    """

    name: str
    problem: Problem
    character: Character
    configurations: Float
    nodes: Float = field(default_factory=no_rows)
    edges: Index = field(default_factory=no_edges)
    rejected: Callable[[], Float] = no_rows
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[Float, ...] = ()
    tradeoffs: tuple[Float, ...] = ()

    @classmethod
    def of_result(
        cls,
        result: PlanResult,
        *,
        name: str = "",
        character: Character | None = None,
        rejected: Callable[[], Float] = no_rows,
        facts: Mapping[str, Any] | None = None,
    ) -> "BodyPlan":
        """Return the plan that a result of planning is; its facts are made if none are given."""
        from rmp3d.plans.facts import result_facts

        roadmap = result.roadmap
        return cls(
            name=name or result.problem.name or "body",
            problem=result.problem,
            character=character or seen_body(result.problem),
            configurations=result.configurations,
            nodes=roadmap.configurations[:, :3],
            edges=roadmap.edges,
            rejected=rejected,
            reason=result.reason,
            facts=result_facts(result) if facts is None else facts,
            others=result.ways[1:],
            tradeoffs=tuple(each.configurations for each in result.improved.tradeoffs),
        )

    def ways(self) -> list["BodyPlan"]:
        """Return the plan, and one for each path of another class; each is a body of its own."""
        stated = self.facts.get("alternatives", [])
        lengths = [f", {way['length']:.4g} m" for way in stated] or [""] * (1 + len(self.others))
        ways = [
            replace(
                self, name=f"{self.name}, way {row + 2}{lengths[row + 1]}", configurations=path,
                nodes=no_rows(), edges=no_edges(), rejected=no_rows, others=(), tradeoffs=(),
                facts={**self.facts, "length": None, "clearance_min": None,
                       **({"length": stated[row + 1]["length"]} if stated else {})},
            )
            for row, path in enumerate(self.others)
        ]  # fmt: skip
        own = f"{self.name}, way 1{lengths[0]}" if self.others else self.name
        return [replace(self, name=own, others=()), *ways] if self.others else [self]

    @property
    def solved(self) -> bool:
        """Whether there is a path."""
        return len(self.configurations) > 0

    @property
    def space(self) -> Space:
        """Where the body may be."""
        return self.problem.space

    @cached_property
    def component(self) -> Index:
        """(V,) connected component of each node."""
        return frozen(component_numbers(len(self.nodes), self.edges), np.intp)

    @cached_property
    def path(self) -> CertifiedPath | None:
        """The path with arc lengths and clearances at its configurations; None if there is none."""
        if not self.solved:
            return None
        rows = self.configurations
        turned = rows[:, 3:] if rows.shape[1] == 7 else None
        return CertifiedPath(rows[:, :3], self.clearance(rows), self.space.grounded, turned)

    def clearance(self, configurations: Float) -> Float:
        """Return the clearance (M,) at configurations (M, W), at most ten radii of the body."""
        from rmp3d.planner.paths.edges import CLEARANCE_CAP

        world = self.space.world
        return world.clearance(configurations, CLEARANCE_CAP * world.body.radius)

    @cached_property
    def proved(self) -> Bool:
        """Which of the K - 1 motions of the path are proved free, asked again now."""
        rows = self.configurations
        if len(rows) < 2:
            return np.ones(0, np.bool_)
        return np.asarray(self.space.connects(rows[:-1], rows[1:]), np.bool_)

    @cached_property
    def refused(self) -> int | None:
        """The first motion of the path that python-fcl does not confirm, asked again now."""
        try:
            self.space.world.confirm(self.configurations)
        except ConfirmationError as error:
            return error.index
        return None

    @property
    def confirmed(self) -> bool:
        """Whether python-fcl confirms the path."""
        return self.refused is None

    @cached_property
    def ends(self) -> tuple[Placement, Placement]:
        """Start and goal."""
        if self.solved:
            return Placement(self.configurations[0]), Placement(self.configurations[-1])
        return placement(self.problem, "start"), placement(self.problem, "goal")


@dataclass(frozen=True, eq=False, kw_only=True)
class WatchedPlan:
    """What a problem, a scenario or a file of a result has to show.

    Attributes:
        title: What window, pictures and pages are called.
        scene: Where it is.
        bodies: At least one.
        facts: What ``rmp3d plan --json`` says.
    """

    title: str
    scene: Scene
    bodies: tuple[BodyPlan, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_result(cls, result: PlanResult) -> "WatchedPlan":
        """Return what a result of planning has to show."""
        body = BodyPlan.of_result(result)
        title = f"{body.name}, seed {result.session.seed}"
        scene = body.space.world.scene
        return cls(title=title, scene=scene, bodies=tuple(body.ways()), facts=body.facts)

    @classmethod
    def of_problem(cls, problem: Problem) -> "WatchedPlan":
        """Return a problem that nobody has planned: the body at its start and at its goal."""
        nothing = np.zeros((0, problem.space.width))
        name, seen = problem.name or "body", seen_body(problem)
        body = BodyPlan(name=name, problem=problem, character=seen, configurations=nothing)
        return cls(title=name, scene=problem.space.world.scene, bodies=(body,))

    @property
    def solved(self) -> bool:
        """Whether every body has a path."""
        return all(body.solved for body in self.bodies)

    @property
    def free(self) -> bool:
        """Whether every body has a path that is proved and confirmed again now."""
        return all(
            body.solved and bool(body.proved.all()) and body.confirmed for body in self.bodies
        )


def placement(problem: Problem, end: Literal["start", "goal"]) -> Placement:
    """Return the ``start`` or ``goal`` of a problem; where it is not free, as it is stated."""
    place = problem.start if end == "start" else problem.goal
    try:
        return Placement(endpoint(problem.space, place, end))
    except PlacementError as error:
        return Placement(_as_stated(problem.space, place), error.reason)


def _as_stated(space: Space, place: Place) -> Float:
    """Return the configuration (W,) of a place; of a region its middle."""
    stated = place.bounds.mean(axis=0) if isinstance(place, Region) else np.asarray(place, float)
    if len(stated) == space.width:
        return stated
    turned = getattr(space, "origin", np.append(np.zeros(3), UPRIGHT))[3 : space.width]
    return np.append(stated[:3], turned)


def seen_body(problem: Problem) -> Character:
    """Return what is seen of a problem's body: its character, or the mesh of its file."""
    if problem.character is not None:
        return problem.character
    mesh = problem.space.world.body.mesh
    limits = VehicleParameters(
        mass=1.0, max_speed=1.0, cruise_speed=1.0, max_force=1.0, max_braking=1.0, max_turn_rate=1.0
    )
    radius = float(np.linalg.norm(mesh.vertices, axis=1).max()) or 1.0
    body = Body(mesh, radius * (1.0 + 1e-9), (0.0, 0.0))
    return Character(mesh, name="body", vehicle="carried", body=body, parameters=limits)
