"""What the options of `rmp3d plan`, and of the verbs that show a plan, ask of a problem file."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.planner.optimizing.settings import Optimization

if TYPE_CHECKING:
    from rmp3d.geometry.arrays import Float
    from rmp3d.planner.problems.files import ProblemFile
    from rmp3d.scenario.tables import PlannerSettings
    from rmp3d.scenes.problems.rigid_problem import RigidProblem

TIME_LIMIT = 60.0
"""For planning [s], where neither the command line nor the file says otherwise."""

IDLE = ("members", "behavior", "formation", "duration", "profile")
"""Options of scenarios that mean nothing for a problem."""

OPTIMIZING = ("optimize", "optimize_work", "cost", "against", "alternatives")
"""Keys of `[planner]`, and options of `rmp3d plan`, that say what is done after the first path."""

OF_ANY_PLANNER = {"roadmap", "backend", "space", "planner", *OPTIMIZING}
"""Keys of `[planner]` that do not ask for a probabilistic roadmap."""


@dataclass(frozen=True, eq=False)
class Request:
    """What is asked.

    Attributes:
        stops: (Q, 7) start, goal, further goals.
        seed: Of all chance.
        time_limit: [s].
        planner: That answers: its name, or the planner with its parameters.
        backend: Of collision.
        roadmap: File to begin with.
        optimization: What is done after the first path.
    """

    stops: "Float"
    seed: int
    time_limit: float
    planner: Any
    backend: Literal["auto", "fcl"]
    roadmap: Path | None
    optimization: Optimization

    @property
    def unit(self) -> str:
        """What progress is counted in."""
        return "s" if self.planner == "sliding_trees" else "nodes"


def refuse_idle(options: argparse.Namespace) -> None:
    """Refuse options that mean nothing for a problem, and values out of range.

    Raises:
        InputError: Names the option.
    """
    given = [f"--{name}" for name in IDLE if getattr(options, name, None) is not None]
    if given:
        raise InputError(f"{options.target}: {given[0]} means nothing for a problem file")
    if options.time_limit is not None and not options.time_limit > 0.0:
        raise InputError(f"--time-limit must be above 0, got {options.time_limit}")
    if options.seed is not None and options.seed < 0:
        raise InputError(f"--seed must not be negative, got {options.seed}")


def request_of(options: argparse.Namespace, file: "ProblemFile") -> Request:
    """Return what the options and the file ask.

    Raises:
        InputError: A key that a problem has not, or a wrong value; names it.
    """
    planner: Any = "sliding_trees"
    backend: Literal["auto", "fcl"] = "auto"
    stored = ""
    optimization = asked_of(options, Optimization())
    if options.overrides:  # reading them takes longer than an easy problem
        given = _given(options)
        planner, backend, stored = _planner_of(given, set(_planner_table(options)), file)
        optimization = asked_of(options, given.optimization)
    roadmap = getattr(options, "load", None) or (Path(stored) if stored else None)
    return Request(
        stops=_stops(options, file),
        seed=options.seed or 0,
        time_limit=options.time_limit or file.time_limit or TIME_LIMIT,
        planner=planner,
        backend=backend,
        roadmap=roadmap,
        optimization=optimization,
    )


def asked_of(options: argparse.Namespace, given: Optimization) -> Optimization:
    """Return what the options of optimizing say, in place of what a file or ``--set`` says.

    Raises:
        InputError: A value is out of range.
    """
    stated = {
        "seconds": getattr(options, "optimize", None),
        "work": getattr(options, "optimize_work", None),
        "alternatives": getattr(options, "alternatives", None),
    }
    costs = getattr(options, "cost", None)
    if costs is not None:
        first, *further = costs.split(",")
        stated |= {"cost": first, "against": tuple(further)}
    return replace(given, **{key: value for key, value in stated.items() if value is not None})


def _given(options: argparse.Namespace) -> "PlannerSettings":
    """Return the `[planner]` settings of ``--set``.

    Raises:
        InputError: A key that a problem has not, or a wrong value; names it.
    """
    from rmp3d.scenario import PlannerOnly

    return checked({"planner": _planner_table(options)}, PlannerOnly).planner


def _planner_of(
    given: "PlannerSettings", keys: set[str], file: "ProblemFile"
) -> tuple[Any, Literal["auto", "fcl"], str]:
    """Return planner, collision backend and roadmap file of ``--set``.

    Raises:
        InputError: A value is not for a problem file; names it.
    """
    if given.space not in ("auto", "rigid"):
        raise InputError(
            f"`planner.space`: a problem file says itself what is free to move "
            f"(`{file.problem.space}`); got `{given.space}`"
        )
    usual = "prm" if keys - OF_ANY_PLANNER else "sliding_trees"
    planner: Any = usual if given.planner == "auto" else given.planner
    if planner == "sliding_trees" and given.backend == "fcl":
        raise InputError(
            "`planner.backend`: the planner `sliding_trees` searches with the compiled kernels "
            "only (python-fcl confirms); with `fcl`, ask for a roadmap: --set planner.nodes=400"
        )
    if planner != "sliding_trees":
        from rmp3d.scenario.roadmaps import planner_of

        planner = planner_of(given, usual)
    return planner, given.backend, given.roadmap


def _planner_table(options: argparse.Namespace) -> dict[str, Any]:
    """Return the `[planner]` table of ``--set``, names of samplers and the like as tables."""
    from rmp3d.scenario.overrides import apply_overrides

    table: dict[str, Any] = {}
    apply_overrides(table, options.overrides)
    unknown = sorted(set(table) - {"planner"})
    if unknown:
        raise InputError(f"--set {unknown[0]}: a problem file has only `planner` keys")
    planner = table.get("planner", {})
    if not isinstance(planner, dict):
        raise InputError(f"--set planner: must be a table, got {planner!r}")
    for key in ("sampler", "local_planner", "cost"):
        if isinstance(planner.get(key), str):
            planner[key] = {"name": planner[key]}
    return planner


def _stops(options: argparse.Namespace, file: "ProblemFile") -> "Float":
    """Return the file's stops, or those of ``--start`` and ``--goal``."""
    stops = file.stops
    if getattr(options, "start", None) is not None:
        start = _configuration("--start", options.start, file.problem, stops[0])
        stops = np.concatenate([start[None], stops[1:]])
    if getattr(options, "goal", None) is not None:
        # A goal that is stated is the only one.
        goal = _configuration("--goal", options.goal, file.problem, stops[-1])
        stops = np.stack([stops[0], goal])
    return stops


def _configuration(
    option: str, values: Sequence[float], problem: "RigidProblem", instead: "Float"
) -> "Float":
    """Return a configuration (7,) of an option's numbers; what is left out is as it was."""
    sizes = (3, 7) if problem.has_rotation else (3,)
    if len(values) not in sizes or not np.isfinite(values).all():
        wanted = "x y z, or x y z qw qx qy qz" if problem.has_rotation else "x y z"
        raise InputError(f"{option} must be {wanted} in the file's coordinates, got {values}")
    configuration = instead.copy()
    configuration[: len(values)] = values
    size = float(np.linalg.norm(configuration[3:]))
    if not size > 1e-9:
        raise InputError(f"{option}: the quaternion {list(values[3:])} has no length")
    configuration[3:] /= size
    return configuration
