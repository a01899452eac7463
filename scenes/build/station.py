"""A station: a platform between two tracks, a concourse above its end, and a lift between them."""

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box

# Of the platform and the concourse [m]: where they begin and end along the tracks, half their
# widths, and the height of the concourse.
WEST, END, EAST = -10.0, 22.0, 42.0
PLATFORM, HALL, HIGH = 4.0, 7.0, 4.2
LIFT = 2.4  # length and width
HALL_DOOR = 33.0
TRAIN = (-8.0, 12.0)


def build() -> Model:
    """Return the scene's parts; those that move are as the scene's key frames expect them."""
    model = Model()
    model.add("platform", "#b9b2a4", box((WEST, -PLATFORM, -1.0), (END, PLATFORM, 0.0)))
    model.add("track bed", "#6f675c", box((WEST, -9.0, -1.6), (END + 30.0, 9.0, -1.1)))
    far = END + LIFT
    model.add("concourse", "#c9c4b8", box((far, -HALL, HIGH - 0.4), (EAST, HALL, HIGH)))
    for number, (x, y) in enumerate(
        ((far + 0.6, -6.0), (far + 0.6, 6.0), (41.0, -6.0), (41.0, 6.0)), start=1
    ):
        model.add(f"column {number}", "#8d8a84", box((x, y, -1.1), (x + 0.5, y + 0.5, HIGH - 0.4)))
    _lift(model)
    _hall(model)
    _furniture(model)
    for name, side in (("north", 1.0), ("south", -1.0)):
        _train(model, f"train {name}", side)
    return model


def _lift(model: Model) -> None:
    half, far = 0.5 * LIFT, END + LIFT
    model.add("lift", "#d8d2c2", box((END, -half, -0.25), (far, half, 0.0)))
    for name, y in (("south", -half), ("north", half - 0.04)):
        rail = box((END + 0.1, y, 0.05), (far - 0.1, y + 0.04, 1.05))
        model.add(f"lift rail {name}", "#4d5a66", rail)
    for name, y in (("south", -half - 0.15), ("north", half + 0.05)):
        for x in (END, far - 0.1):
            post = box((x, y, -1.0), (x + 0.1, y + 0.1, HIGH + 2.6))
            model.add(f"shaft {name}", "#9fb6c2", post)
        beam = box((END, y, HIGH + 2.61), (far, y + 0.1, HIGH + 2.75))
        model.add(f"shaft {name}", "#9fb6c2", beam)
    for name, x, z in (("low", END - 0.12, 0.0), ("high", far + 0.04, HIGH)):
        leaf = box((x, -half, z + 0.02), (x + 0.08, half, z + 2.3))
        model.add(f"lift door {name}", "#c0563f", leaf)
    for name, x, z, end in (
        ("low", END - 0.24, 0.0, PLATFORM), ("high", far + 0.14, HIGH, HALL)
    ):  # fmt: skip
        model.add(f"lobby {name} south", "#8fa3ad", box((x, -end, z), (x + 0.1, -half, z + 2.4)))
        model.add(f"lobby {name} north", "#8fa3ad", box((x, half, z), (x + 0.1, end, z + 2.4)))


def _hall(model: Model) -> None:
    for name, low, high in (("south", -HALL, -1.2), ("north", 1.2, HALL)):
        wall = box((HALL_DOOR + 0.1, low, HIGH), (HALL_DOOR + 0.2, high, HIGH + 2.6))
        model.add(f"hall wall {name}", "#a9b8ae", wall)
    for name, low, high in (("south", -1.2, -0.005), ("north", 0.005, 1.2)):
        leaf = box((HALL_DOOR, low, HIGH + 0.02), (HALL_DOOR + 0.08, high, HIGH + 2.3))
        model.add(f"hall door {name}", "#7fb0c4", leaf)
    for number, y in enumerate((-6.2, 4.8), start=1):
        counter = box((38.2, y, HIGH), (40.6, y + 1.4, HIGH + 1.1))
        model.add(f"tickets {number}", "#a6673f", counter)
    for name, y in (("south", -HALL), ("north", HALL - 0.1)):
        model.add(
            f"parapet {name}", "#8d8a84",
            box((END + LIFT, y, HIGH), (EAST, y + 0.1, HIGH + 1.1)),
        )  # fmt: skip


def _furniture(model: Model) -> None:
    for number, x in enumerate((-7.0, 1.0, 9.0), start=1):
        model.add(f"bench {number}", "#8a5a3c", box((x, -0.3, 0.0), (x + 1.8, 0.3, 0.5)))
        post = box((x + 3.0, -0.12, 0.0), (x + 3.24, 0.12, 3.6))
        model.add(f"post {number}", "#59636b", post)
    model.add("canopy", "#5b6f7a", box((WEST, -1.4, 3.6), (14.0, 1.4, 3.75)))


def _train(model: Model, name: str, side: float) -> None:
    """Add a train beside the platform, and its doors, which close it."""
    inner, outer = side * (PLATFORM + 0.3), side * (PLATFORM + 3.0)
    low, high = min(inner, outer), max(inner, outer)
    (x0, x1), glass = TRAIN, "#2e3b46"
    model.add(name, "#c8402f", box((x0, low, -0.9), (x1, high, 1.1)))
    model.add(name, glass, box((x0 + 0.1, low + 0.02, 1.1), (x1 - 0.1, high - 0.02, 2.1)))
    model.add(name, "#e6e1d6", box((x0, low, 2.1), (x1, high, 2.8)))
    edge = sorted((inner - side * 0.07, inner - side * 0.02))
    for x in (-5.0, 1.5, 8.0):
        model.add(f"{name} doors", "#f0c24b", box((x, edge[0], 0.05), (x + 1.3, edge[1], 2.1)))
