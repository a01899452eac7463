"""Plan and animate groups of 3D characters: `import rmp3d as rp`.

    scene = rp.Scene.load("parking")
    group = rp.Group("pedestrian", 9, start="motorcycles", goal="cars")
    run = rp.run(scene, group, seed=1)
    run.verify().ok; run.export("a.glb"); run.show()

The names below are imported when they are first used, so that `import rmp3d` takes no time.

- What there is: `Scene` with `Box` and `Sphere` as places, `Character`, `Group`, `Change`,
  `Scenario`, `Problem`; what comes out: `Simulation`, `Recording`, `PlanResult`, `Roadmap`,
  `CertifiedPath`.
- What is done: `run`, `plan`, `verify`, `show`, `export`, `report`, `study`; `load_extension` for
  files of one's own.
- Group behaviors: `SelfGuided`, `NarrowPassages`, `LeaderFollowing`, ...
- What members do after they have arrived: `WanderAbout`, `RoamAbout`, `GoBack`, ...
- Formations: `Line`, `Column`, `Wedge`, ...; the one on a sphere is `SphereFormation`, as `Sphere`
  is a place.
- Samplers: `Uniform`, `Halton`, `Gaussian`, ...

Everything else is in the packages: `rmp3d.geometry`, `rmp3d.scenes`, `rmp3d.models`,
`rmp3d.planner`, `rmp3d.behaviors`, `rmp3d.viewer`.
"""

TYPE_CHECKING = False  # the one of `typing`, whose import would take most of the time

if TYPE_CHECKING:
    from rmp3d.behaviors.formations import (
        Arrow,
        Circle,
        Column,
        Diamond,
        Line,
        Slots,
        SphereFormation,
        Wedge,
    )
    from rmp3d.behaviors.groups import (
        Acting,
        Carried,
        CircleFollowing,
        Crowd,
        ExploreAll,
        GoalSearch,
        GoBack,
        Herded,
        Herding,
        HoldPlaces,
        LeaderFollowing,
        NarrowPassages,
        PatrolPosts,
        RoamAbout,
        SelfGuided,
        Steering,
        Trip,
        WanderAbout,
    )
    from rmp3d.errors import RecordingError
    from rmp3d.extensions import load_extension
    from rmp3d.front.checking import verify
    from rmp3d.front.planning import plan
    from rmp3d.front.recording import Recording
    from rmp3d.front.running import run
    from rmp3d.front.showing import show
    from rmp3d.front.studying import study
    from rmp3d.front.writing import export, report
    from rmp3d.geometry.errors import InputError, Rmp3dError
    from rmp3d.models import Body, Character
    from rmp3d.planner import CertifiedPath, PlanningError, PlanResult, Problem, Roadmap
    from rmp3d.planner.sampling.bridge import Bridge
    from rmp3d.planner.sampling.faure import Faure
    from rmp3d.planner.sampling.gaussian import Gaussian
    from rmp3d.planner.sampling.halton import Halton
    from rmp3d.planner.sampling.medial import Medial
    from rmp3d.planner.sampling.mixture import Mixture
    from rmp3d.planner.sampling.niederreiter import Niederreiter
    from rmp3d.planner.sampling.obstacle import Obstacle
    from rmp3d.planner.sampling.sobol import Sobol
    from rmp3d.planner.sampling.uniform import Uniform
    from rmp3d.planner.sampling.vertex import Vertex
    from rmp3d.scenario import Change, Group, Scenario
    from rmp3d.scenes import Box, Scene, Sphere
    from rmp3d.simulation import Simulation

__all__ = [
    "Acting",
    "Arrow",
    "Body",
    "Box",
    "Bridge",
    "Carried",
    "CertifiedPath",
    "Change",
    "Character",
    "Circle",
    "CircleFollowing",
    "Column",
    "Crowd",
    "Diamond",
    "ExploreAll",
    "Faure",
    "Gaussian",
    "GoBack",
    "GoalSearch",
    "Group",
    "Halton",
    "Herded",
    "Herding",
    "HoldPlaces",
    "InputError",
    "LeaderFollowing",
    "Line",
    "Medial",
    "Mixture",
    "NarrowPassages",
    "Niederreiter",
    "Obstacle",
    "PatrolPosts",
    "PlanResult",
    "PlanningError",
    "Problem",
    "Recording",
    "RecordingError",
    "Rmp3dError",
    "Roadmap",
    "RoamAbout",
    "Scenario",
    "Scene",
    "SelfGuided",
    "Simulation",
    "Slots",
    "Sobol",
    "Sphere",
    "SphereFormation",
    "Steering",
    "Trip",
    "Uniform",
    "Vertex",
    "WanderAbout",
    "Wedge",
    "export",
    "load_extension",
    "plan",
    "report",
    "run",
    "show",
    "study",
    "verify",
]

_HOMES = {
    "rmp3d.behaviors.formations": "Arrow Circle Column Diamond Line Slots SphereFormation Wedge",
    "rmp3d.behaviors.groups": "Acting Carried CircleFollowing Crowd ExploreAll GoBack GoalSearch "
    "Herded Herding HoldPlaces LeaderFollowing NarrowPassages PatrolPosts RoamAbout SelfGuided "
    "Steering Trip WanderAbout",
    "rmp3d.errors": "RecordingError",
    "rmp3d.extensions": "load_extension",
    "rmp3d.front.checking": "verify",
    "rmp3d.front.planning": "plan",
    "rmp3d.front.recording": "Recording",
    "rmp3d.front.running": "run",
    "rmp3d.front.showing": "show",
    "rmp3d.front.studying": "study",
    "rmp3d.front.writing": "export report",
    "rmp3d.geometry.errors": "InputError Rmp3dError",
    "rmp3d.models": "Body Character",
    "rmp3d.planner": "CertifiedPath PlanningError PlanResult Problem Roadmap",
    "rmp3d.planner.sampling.bridge": "Bridge",
    "rmp3d.planner.sampling.faure": "Faure",
    "rmp3d.planner.sampling.gaussian": "Gaussian",
    "rmp3d.planner.sampling.halton": "Halton",
    "rmp3d.planner.sampling.medial": "Medial",
    "rmp3d.planner.sampling.mixture": "Mixture",
    "rmp3d.planner.sampling.niederreiter": "Niederreiter",
    "rmp3d.planner.sampling.obstacle": "Obstacle",
    "rmp3d.planner.sampling.sobol": "Sobol",
    "rmp3d.planner.sampling.uniform": "Uniform",
    "rmp3d.planner.sampling.vertex": "Vertex",
    "rmp3d.scenario": "Change Group Scenario",
    "rmp3d.scenes": "Box Scene Sphere",
    "rmp3d.simulation": "Simulation",
}
"""Names by the module that they are imported from."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}
_PACKAGES = ("behaviors", "geometry", "models", "planner", "scenes", "viewer")


def __getattr__(name: str) -> object:
    import importlib

    if name in _PACKAGES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})


def _use_in_notebook() -> None:
    import sys

    if "IPython" in sys.modules:  # else this is no notebook, and nothing more is imported
        from rmp3d.front.notebook import use_in_notebook

        use_in_notebook()


_use_in_notebook()
