"""A small world made of files: a walled yard with a pillar, a walker, a flyer, and recordings."""

from pathlib import Path

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import load_character
from rmp3d.recording import Header, RecordingWriter
from rmp3d.scenario import GroupTable, ScenarioTable, SimulationSettings
from rmp3d.scenes import RegionDescription, SceneDescription, load_scene
from rmp3d.scenes.build.shapes import box


def write_obj(path: Path, parts: dict[str, TriangleMesh]) -> Path:
    lines, offset = [], 1
    for name, mesh in parts.items():
        lines.append(f"o {name}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (mesh.faces + offset).tolist()]
        offset += len(mesh.vertices)
    path.write_text("\n".join(lines) + "\n")
    return path


WALKER = """mesh = "walker.obj"
[body]
radius = 0.3
capsule_axis = [0.3, 1.4]
[vehicle]
kind = "hugging"
mass = 75.0
max_speed = 1.8
cruise_speed = 1.3
max_force = 300.0
max_turn_rate = 360.0
"""
FLYER = """mesh = "flyer.obj"
[body]
radius = 0.4
[vehicle]
kind = "flying"
mass = 4.0
max_speed = 5.0
cruise_speed = 3.0
max_force = 32.0
max_turn_rate = 360.0
"""
CRATE = """mesh = "flyer.obj"
[body]
radius = 0.4
[vehicle]
kind = "carried"
mass = 4.0
max_speed = 5.0
cruise_speed = 3.0
max_force = 32.0
max_turn_rate = 90.0
"""


class World:
    """The yard: 20 x 10 m of floor, a terrace at z = 3 over x > 15, a thin wall, a pillar."""

    box = staticmethod(box)
    write_obj = staticmethod(write_obj)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        parts = {
            "floor": TriangleMesh(
                [[0, 0, 0], [20, 0, 0], [20, 10, 0], [0, 10, 0]], [[0, 1, 2], [0, 2, 3]]
            ),
            "terrace": TriangleMesh(
                [[15, 0, 3], [20, 0, 3], [20, 10, 3], [15, 10, 3]], [[0, 1, 2], [0, 2, 3]]
            ),
            "screen": TriangleMesh(
                [[10, 4, 0], [10, 10, 0], [10, 10, 2.5], [10, 4, 2.5]], [[0, 1, 2], [0, 2, 3]]
            ),
            "pillar": box([4, 7, 0], [6, 9, 2.9]),
        }
        write_obj(folder / "yard.obj", parts)
        write_obj(folder / "walker.obj", {"body": box([-0.15, -0.2, 0.2], [0.15, 0.2, 1.55])})
        write_obj(folder / "flyer.obj", {"body": box([-0.2, -0.2, -0.05], [0.2, 0.2, 0.05])})
        (folder / "walker.toml").write_text(WALKER)
        (folder / "flyer.toml").write_text(FLYER)
        (folder / "crate.toml").write_text(CRATE)
        self.description = SceneDescription(
            mesh=str(folder / "yard.obj"),
            roles={"floor": "ground", "terrace": "ground"},
            bounds=((0.0, 0.0, 0.0), (20.0, 10.0, 6.0)),
            regions={
                "west": RegionDescription(lower=(0.0, 0.0, -1.0), upper=(5.0, 5.0, 2.0)),
                "east": RegionDescription(lower=(12.0, 0.0, -1.0), upper=(20.0, 5.0, 2.0)),
                "anywhere": RegionDescription(lower=(-99.0,) * 3, upper=(99.0,) * 3),
            },
        )
        self.scene = load_scene(self.description, folder)

    def scenario(
        self, members: int, character: str = "walker", frames: int | None = None
    ) -> ScenarioTable:
        """A scenario in which members may begin anywhere, and whose run lasts so many frames."""
        lasts = {} if frames is None else {"duration": max(frames - 1, 1) / 32}
        group = GroupTable(
            name="group 1",
            character=str(self.folder / f"{character}.toml"),
            members=members,
            start="anywhere",
            goal="east",
        )
        return ScenarioTable(
            name="yard",
            scene=self.description,
            groups=[group],
            simulation=SimulationSettings(dt=1 / 32, **lasts),
        )

    def scenario_text(self, mesh: str = "yard.obj") -> str:
        """The same as a user would write it into a file in `folder`."""
        return f"""seed = 3
[scene]
mesh = "{mesh}"
bounds = [[0, 0, 0], [20, 10, 6]]
[scene.roles]
floor = "ground"
terrace = "ground"
[scene.regions]
west = {{ lower = [0, 0, -1], upper = [5, 5, 2] }}
east = {{ lower = [12, 0, -1], upper = [20, 5, 2] }}
[[groups]]
character = "walker.toml"
members = 2
start = "west"
goal = "east"
[planner]
nodes = 60
"""

    def header(self, members: int, character: str = "walker", frames: int | None = None) -> Header:
        scenario = self.scenario(members, character, frames)
        kind = load_character(scenario.groups[0].character)
        path = np.array([[1.0, 1.0, 0.0], [15.0, 1.0, 0.0]])
        return Header.of(
            scenario,
            self.scene,
            [kind] * members,
            formations=("line", "column"),
            paths=[path],
            plans=[{"formation": np.array(["line", "column", "line"], "S32")}],
        )

    def record(self, path: Path, position, orientation=None, character: str = "walker") -> Path:
        """Write positions (T, N, 3) as a finished recording."""
        position = np.asarray(position, float)
        frames, members, _ = position.shape
        if orientation is None:
            orientation = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, members, 4))
        with RecordingWriter(path, self.header(members, character, frames)) as writer:
            for row in range(frames):
                writer.append(
                    position=position[row],
                    orientation_wxyz=orientation[row],
                    subgoal=position[-1],
                    formation_of=[0],
                )
            writer.add_event((frames - 1) / 32, "end", -1, -1, "")
        return path


@pytest.fixture(scope="session")
def world(tmp_path_factory) -> World:
    return World(tmp_path_factory.mktemp("yard"))
