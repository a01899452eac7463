"""Planning in one call: for a body in a scene, or for a problem file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Unpack

import numpy as np

from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import check_callbacks
from rmp3d.geometry.short_repr import in_short
from rmp3d.models import Character, load_character
from rmp3d.planner import PlanResult, Problem, Roadmap
from rmp3d.planner import plan as answer
from rmp3d.planner.explaining import explained
from rmp3d.planner.optimizing.settings import Better, Optimization
from rmp3d.planner.planners import PLANNERS, usual_planner
from rmp3d.planner.roadmap.building import Progress, Watch
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.plans.confirming import judged_twice
from rmp3d.problem_options import OF_ANY_PLANNER
from rmp3d.scenario import Group, Scenario
from rmp3d.scenario.group import GivenCharacter, GivenPlace
from rmp3d.scenario.settings import names_of, refuse_unknown_arguments
from rmp3d.scenario.tables import PlannerSettings
from rmp3d.scenes import Scene
from rmp3d.scenes.given import GivenMesh

GivenBody: TypeAlias = GivenCharacter | GivenMesh
# Settings that may be objects; who makes something of them checks them.
CHOICES = ("sampler", "local_planner", "cost", "against", "planner", "roadmap")
NUMBER = int | float | np.integer | np.floating


class RoadmapKeywords(TypedDict, total=False):
    """What may be said of roadmap and optimizing; see `rmp3d.scenario.PlannerSettings`."""

    space: str
    sampler: Choice
    local_planner: Choice
    nodes: int
    connected_nodes: int
    seconds: float
    until_solved: bool
    neighbors: int | str
    radius: float
    forest: bool
    lazy: bool
    backend: str
    optimize: float
    optimize_work: int
    cost: Choice
    alternatives: int
    against: Sequence[Choice]


def plan(
    problem: Problem | Scene | str | PathLike[str],
    *,
    body: GivenBody | None = None,
    start: GivenPlace | None = None,
    goal: GivenPlace | None = None,
    planner: Choice = "auto",
    roadmap: Roadmap | str | PathLike[str] | None = None,
    clearance_wanted: float = 0.0,
    seed: int = 0,
    rng: np.random.Generator | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
    watch: Watch = None,
    better: Better = None,
    **settings: Unpack[RoadmapKeywords],
) -> PlanResult:
    """Find a certified path for one body.

    >>> plan("sky", body="drone", start=(-25, -15, 10), goal=(25, 15, 10), nodes=50).solved
    True

    Args:
        problem: A `Problem`, or a problem file (``.cfg``, ``.env``); or a `Scene`, or what
            `Scene.load` takes, with ``body``, ``start`` and ``goal``.
        body: A character's name, file or object; or a mesh, a trimesh or arrays (vertices, faces)
            [m], which moves about its origin and turns freely.
        start: A region's name, a point (3,) [m], a `Box` or a `Sphere`.
        goal: The same.
        planner: A name of `PLANNERS`, a table with ``name``, or a planner; "auto": the usual one.
        roadmap: What to begin with, or the file of it.
        clearance_wanted: Clearance [m] that the path keeps where there is room for it.
        seed: Of all randomness, unless ``rng`` is given.
        rng: Source of all randomness.
        time_limit: [s]; by default that of the problem's file, else the planner's.
        progress: Called with done and total; a KeyboardInterrupt that it raises ends the planning.
        watch: Called with the roadmap so far.
        better: Called with every better path, an `Improvement`.
        settings: Of the roadmap, in place of ``planner``: ``sampler``, ``nodes``, ...; and
            ``optimize`` [s], ``optimize_work``, ``cost``, ``against``, ``alternatives``.

    Returns:
        The path, or why there is none: ``solved``, ``path``, ``error``, ``roadmap``, ...;
        ``or_raise()`` raises the error, such as that start or goal is not free.

    Raises:
        InputError: Names the argument, what was given, and what would be right.
    """
    _check_settings(settings)
    _check_numbers(seed, time_limit, clearance_wanted)
    check_callbacks(progress=progress, watch=watch, better=better)
    asked = _problem_of(problem, {"body": body, "start": start, "goal": goal}, settings)
    return judged_twice(_answered(
        asked, roadmap, planner=_planner_of(asked, planner, settings),
        clearance_wanted=clearance_wanted, seed=seed, rng=rng, time_limit=time_limit,
        progress=progress, watch=watch, better=better, optimization=_optimization(settings),
    ))  # fmt: skip


def _check_settings(settings: RoadmapKeywords) -> None:
    refuse_unknown_arguments(settings, names_of(PlannerSettings), "setting of a roadmap")
    checked({key: value for key, value in settings.items() if key not in CHOICES}, PlannerSettings)


def _check_numbers(seed: Any, time_limit: Any, clearance_wanted: Any) -> None:
    if not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"`seed` must be a whole number, 0 or more, got {seed!r}")
    if time_limit is not None and not (isinstance(time_limit, NUMBER) and time_limit >= 0.0):
        raise InputError(f"`time_limit` must be seconds, 0 or more, got {time_limit!r}")
    if not (isinstance(clearance_wanted, NUMBER) and 0.0 <= clearance_wanted < np.inf):
        raise InputError(f"`clearance_wanted` must be meters, 0 or more, got {clearance_wanted!r}")


def _answered(problem: Problem, given: Any, **asked: Any) -> PlanResult:
    """Return the planner's answer, with the help of `explained` where it finds no path."""
    roadmap = Path(given) if isinstance(given, str | PathLike) else given
    found = answer(problem, roadmap=roadmap, **asked)
    if not isinstance(found.error, NoPathError) or problem.rigid is not None:
        return found
    plain = problem.without_heading()
    if plain is not None:
        other = answer(plain, **{**asked, "planner": "auto"})
        if other.solved:
            return other
    better = explained(found.error, problem.space, problem.places[0], problem.places[-1])
    if isinstance(better, NoPathError):
        return replace(found, error=better)
    return answer(problem, roadmap=better, **asked)


def _problem_of(problem: Any, ends: Mapping[str, Any], settings: RoadmapKeywords) -> Problem:
    """Return the problem that the arguments state."""
    if isinstance(problem, str | PathLike) and Path(problem).suffix.lower() in (".cfg", ".env"):
        problem = Problem.load(Path(problem))
    if isinstance(problem, Problem):
        given = [name for name, value in ends.items() if value is not None]
        if given:
            raise InputError(f"`{given[0]}`: the problem states it; leave it out")
        return problem
    missing = [name for name, value in ends.items() if value is None]
    if missing:
        raise InputError(
            f"`{missing[0]}`: in a scene, say `body`, `start` and `goal`, such as "
            'plan(scene, body="drone", start=(0, 0, 5), goal="door")'
        )
    return problem_in(problem, ends["body"], ends["start"], ends["goal"], **_of_space(settings))


def problem_in(
    scene: Scene | str | PathLike[str],
    body: GivenBody,
    start: GivenPlace,
    goal: GivenPlace,
    *,
    space: str = "auto",
    backend: str = "auto",
) -> Problem:
    """Return the problem of one character in a scene.

    Args:
        scene: A `Scene`, or what `Scene.load` takes.
        body: The character's name, file or object; or a mesh, which turns freely.
        start: A region's name, a point (3,) [m], a `Box` or a `Sphere`.
        goal: The same.
        space: Where the path is; by default where the character moves.
        backend: Of collision: "auto", or "fcl", python-fcl alone.

    Raises:
        InputError: Names the argument, what was given, and what would be right.
    """
    from rmp3d.simulation.planning import prepare

    if isinstance(body, str | Path):
        character = load_character(body)
    elif isinstance(body, Character):
        character = body
    else:
        character = body = _turning_body(body)
    turns = space == "rigid" or character.vehicle == "carried"
    behavior = "carried" if turns else "self_guided"
    group = Group(body, 1, start=start, goal=goal, behavior=behavior)
    own = Path(scene) if isinstance(scene, PathLike) else scene
    with _of_no_group():
        scenario = Scenario(own, group, space=space, backend=backend)  # type: ignore[arg-type]
    stated = scenario.table.groups[0]
    ends: list[Any] = [
        scenario.scene.region(place) if isinstance(place, str) else np.array(place, np.float64)
        for place in (stated.start, stated.goal)
    ]
    prepared = prepare(scenario, scenario.scene, 0, headed=True)
    return Problem(prepared.space, *ends, name=scenario.scene.name, character=character)


@contextmanager
def _of_no_group() -> Iterator[None]:
    """Let errors name arguments of a plan: who plans for one body knows of no group."""
    try:
        yield
    except InputError as error:
        text = str(error).removeprefix("scenario: ").removeprefix("`group 1`: ")
        error.args = (text.replace("`groups[0].", "`", 1).replace("`planner.", "`", 1),)
        raise


def _turning_body(mesh: Any) -> Character:
    """Return what moves about the origin of a mesh and turns freely.

    Raises:
        InputError: It is no mesh.
    """
    if not (isinstance(mesh, Sequence) or hasattr(mesh, "faces") or hasattr(mesh, "geometry")):
        kinds = "a character's name, file or object, or a mesh"
        raise InputError(f"`body` must be {kinds}, got {in_short(mesh)}")
    with prefix_errors_with_key("body"):
        return Character(mesh, name="body", vehicle="carried")


def _of_space(settings: RoadmapKeywords) -> dict[str, str]:
    return {key: str(settings[key]) for key in ("space", "backend") if key in settings}


def _optimization(settings: RoadmapKeywords) -> Optimization:
    """Return what is done after the first path."""
    against = settings.get("against", [])
    return Optimization(
        settings.get("optimize", 0.0), settings.get("optimize_work", 0),
        settings.get("cost", "length"), settings.get("alternatives", 1),
        (against,) if isinstance(against, str) else tuple(against),
    )  # fmt: skip


def _planner_of(problem: Problem, planner: Any, settings: RoadmapKeywords) -> Any:
    """Return the planner that was chosen, or the roadmap planner with the settings stated."""
    own: dict[str, Any] = {
        key: value for key, value in settings.items() if key not in OF_ANY_PLANNER
    }
    if not own:
        return planner
    first = next(iter(own))
    if planner != "auto":
        raise InputError(f"`{first}`: give it to the planner, or leave `planner` out")
    if problem.rigid is not None:
        raise InputError(
            f"`{first}`: a problem file is planned by `sliding_trees`; for a roadmap say "
            "`planner=PRM(...)`"
        )
    kind: Any = PLANNERS[usual_planner(problem)]
    return kind(**own)
