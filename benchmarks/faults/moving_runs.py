"""Kinds of run with parts that move, carry, appear and go: their scenarios, and their boxes."""

GATES = """\
[scene]
mesh = "gates.glb"
up = "z"
roles = { "floor *" = "ground" }
bounds = [[0.0, 0.0, -1.0], [14.0, 4.0, 4.0]]

[scene.regions.west]
lower = [0.5, 0.5, 0.0]
upper = [2.0, 3.5, 2.0]

[scene.regions.east]
lower = [12.0, 0.5, 0.0]
upper = [13.5, 3.5, 2.0]

[[scene.motions]]
part = "door"
repeat = "cycle"
keys = [
    { time = 0.0 },
    { time = 2.0 },
    { time = 3.0, position = [0.0, 1.6, 0.0] },
    { time = 9.0, position = [0.0, 1.6, 0.0] },
    { time = 10.0 },
]

[[scene.motions]]
part = "floor bridge"
repeat = "cycle"
hinge = [6.0, 2.0, 0.0]
keys = [
    { time = 0.0, rotation = [0.0, -70.0, 0.0] },
    { time = 2.0 },
    { time = 14.0 },
    { time = 16.0, rotation = [0.0, -70.0, 0.0] },
    { time = 18.0, rotation = [0.0, -70.0, 0.0] },
]

[[scene.presence]]
part = "barrier"
there = false
times = [1.0, 8.0]

[[groups]]
members = 2
start = "west"
goal = "east"
behavior = "self_guided"

[planner]
nodes = 60

[simulation]
duration = 30.0
linger = 1.0
"""
"""A door that slides, a bridge that turns, and a barrier that appears and goes again."""

LIFTS = """\
[scene]
mesh = "lifts.glb"
up = "z"
roles = { lower = "ground", upper = "ground", "lift *" = "ground" }
bounds = [[0.0, 0.0, -1.0], [11.0, 6.0, 7.0]]

[scene.regions.low]
lower = [0.5, 0.5, -0.1]
upper = [3.5, 5.5, 2.0]

[scene.regions.high]
lower = [7.0, 0.5, 2.9]
upper = [10.5, 5.5, 5.0]

[[scene.motions]]
part = "lift one"
carries = true
repeat = "cycle"
keys = [
    { time = 0.0 },
    { time = 4.0 },
    { time = 5.5, position = [0.0, 0.0, 3.0] },
    { time = 9.5, position = [0.0, 0.0, 3.0] },
    { time = 11.0 },
]

[[scene.motions]]
part = "lift two"
carries = true
repeat = "cycle"
phase = 6.0
keys = [
    { time = 0.0 },
    { time = 4.0 },
    { time = 5.5, position = [0.0, 0.0, 3.0] },
    { time = 9.5, position = [0.0, 0.0, 3.0] },
    { time = 11.0 },
]

[[groups]]
name = "up"
members = 2
start = "low"
goal = "high"
behavior = "self_guided"

[[groups]]
name = "down"
members = 1
start = "high"
goal = "low"
behavior = "self_guided"

[planner]
nodes = 40

[simulation]
duration = 40.0
linger = 0.5
"""
"""Two lifts that ride at different times; members go up and down."""

SWITCHED = """\
[scene]
mesh = "gates.glb"
up = "z"
roles = { "floor *" = "ground", door = "decor" }
bounds = [[0.0, 0.0, -1.0], [14.0, 4.0, 4.0]]

[scene.regions.west]
lower = [0.5, 0.5, 0.0]
upper = [2.0, 3.5, 2.0]

[scene.regions.button]
lower = [1.2, 0.5, 0.0]
upper = [3.3, 3.5, 2.0]

[scene.regions.east]
lower = [12.0, 0.5, 0.0]
upper = [13.5, 3.5, 2.0]

[[scene.presence]]
part = "barrier"

[[scene.presence]]
part = "north"

[[groups]]
name = "walkers"
members = 2
start = "west"
goal = "east"
behavior = "self_guided"

[[groups]]
name = "guard"
members = 1
start = [9.0, 2.0, 0.0]

[groups.behavior]
name = "acting"
idle = "watch"
goals.watch.go_to = [9.0, 3.0, 0.0]
switches = [{ when = "time > 1.5", part = "barrier", there = false }]

[[changes]]
time = 1.0
part = "north"
there = false

[[changes]]
time = 4.0
part = "north"
there = true

[planner]
nodes = 60

[simulation]
duration = 20.0
linger = 1.0
"""
"""Parts that go and appear as a rule of somebody, and interventions, ask them to."""

CARTS = """\
[scene]
mesh = "yard.glb"
up = "z"
roles = { floor = "ground", cart = "decor" }
bounds = [[0.0, 0.0, -1.0], [14.0, 6.0, 4.0]]

[[groups]]
name = "carts"
members = 1
start = [3.5, 3.0, 0.0]
goal = [10.0, 3.0, 0.0]
behavior = "self_guided"

[planner]
nodes = 30

[simulation]
duration = 12.0
linger = 0.5
"""
"""Whom the cart of `TRACKS` follows."""

TRACKS = """\
[scene]
mesh = "yard.glb"
up = "z"
roles = { floor = "ground", cart = "obstacle" }
bounds = [[0.0, 0.0, -1.0], [14.0, 6.0, 4.0]]

[scene.regions.south]
lower = [5.0, 0.5, 0.0]
upper = [9.0, 1.5, 2.0]

[scene.regions.north]
lower = [5.0, 4.5, 0.0]
upper = [9.0, 5.5, 2.0]

[[scene.motions]]
part = "cart"
recording = "carts.rmp3d"
repeat = "stay"

[[groups]]
members = 2
start = "south"
goal = "north"
behavior = "self_guided"

[planner]
nodes = 40

[simulation]
duration = 25.0
linger = 1.0
"""
"""A cart goes where a member of another run went, across the way of others."""

BRIDGE = """\
[scene]
mesh = "gates.glb"
up = "z"
roles = { "floor *" = "ground", door = "decor", barrier = "decor" }
bounds = [[0.0, 0.0, -1.0], [14.0, 4.0, 4.0]]

[scene.regions.west]
lower = [0.5, 0.5, 0.0]
upper = [2.0, 3.5, 2.0]

[scene.regions.east]
lower = [12.0, 0.5, 0.0]
upper = [13.5, 3.5, 2.0]

[[scene.presence]]
part = "floor bridge"
there = false
times = [6.0, 20.0]

[[groups]]
members = 2
start = "west"
goal = "east"
behavior = "self_guided"

[planner]
nodes = 60

[simulation]
duration = 30.0
linger = 1.0
"""
"""Ground that appears: a bridge is laid, and taken away."""

Boxes = dict[str, tuple[tuple[float, ...], tuple[float, ...]]]

GATE_BOXES: Boxes = {
    "floor west": ((0.0, 0.0, -1.0), (6.0, 4.0, 0.0)),
    "floor bridge": ((6.0, 1.0, -0.2), (8.0, 3.0, 0.0)),
    "floor east": ((8.0, 0.0, -1.0), (14.0, 4.0, 0.0)),
    "south": ((3.9, 0.0, 0.0), (4.1, 1.2, 2.5)),
    "north": ((3.9, 2.8, 0.0), (4.1, 4.0, 2.5)),
    "door": ((3.95, 1.21, 0.02), (4.05, 2.79, 2.2)),
    "barrier": ((10.0, 0.2, 0.02), (10.2, 3.8, 1.2)),
}

YARD_BOXES: Boxes = {
    "floor": ((0.0, 0.0, -1.0), (14.0, 6.0, 0.0)),
    "cart": ((3.2, 2.7, 0.02), (3.8, 3.3, 1.2)),
}

LIFT_BOXES: Boxes = {
    "lower": ((0.0, 0.0, -0.3), (5.0, 6.0, 0.0)),
    "upper": ((5.9, 0.0, 2.7), (11.0, 6.0, 3.0)),
    "lift one": ((5.0, 1.0, -0.2), (5.9, 1.9, 0.0)),
    "lift two": ((5.0, 4.0, -0.2), (5.9, 4.9, 0.0)),
}
