"""Layers on the graphics card: lines, rings, see-through faces; still ones are uploaded once."""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.drawings import DRAWINGS, Drawing, Drawn, Label, Legend, Seen
from rmp3d.viewer.gpu.buffers import RingBuffer, SegmentBuffer, TriangleBuffer
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.palette import SELECTED
from rmp3d.viewer.playback.bounds import feet
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.rings import rings

REFERENCE_HEIGHT = 720.0  # line widths are stated for pictures of this height
HIDDEN = 0.22  # opacity of marks that the scene hides
# A backdrop's alpha says how much shadows darken it: marks are not darkened.
UNDARKENED = (*SEE_THROUGH[:2], gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_ALPHA)


class _Buffers:
    def __init__(self) -> None:
        self._patches, self._rings, self._lines = TriangleBuffer(), RingBuffer(), SegmentBuffer()

    def upload(self, drawn: Drawn) -> None:
        self._patches.rows.upload(drawn.patches)
        self._rings.rows.upload(drawn.rings)
        self._lines.rows.upload(drawn.lines)

    def draw(self, programs: dict[str, Program], opacity: float) -> None:
        for name, buffer in (
            ("patch", self._patches), ("ring", self._rings), ("segment", self._lines)
        ):  # fmt: skip
            if buffer.rows.count:
                programs[name].use(opacity=opacity)
                buffer.draw()


class Marks:
    """Draws the layers of one playback."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._drawings: dict[str, Drawing] = {}
        self._programs = {name: Program(name) for name in ("patch", "ring", "segment")}
        self._still, self._moving = _Buffers(), _Buffers()
        self._still_key: object = None
        self._still_labels: tuple[Label, ...] = ()
        self._still_legends: tuple[Legend, ...] = ()
        self.labels: tuple[Label, ...] = ()
        self.legends: tuple[Legend, ...] = ()

    def show(self, playback: Playback) -> None:
        """Draw another playback of the same scene, members and characters from now on."""
        self._playback = playback
        self._still_key = None
        for drawing in self._drawings.values():
            drawing.playback = playback

    def update(self, seen: Seen, layers: Layers) -> object:
        """Upload what has changed; return a value that changes when still marks do."""
        shown = [self._drawing(name) for name in DRAWINGS if getattr(layers, name)]
        still = [each for each in shown if not each.moves]
        key = tuple((type(each).__name__, each.version(seen.time)) for each in still)
        if key != self._still_key:
            drawn = Drawn.together([each.draw(seen) for each in still])
            self._still.upload(drawn)
            self._still_key = key
            self._still_labels, self._still_legends = drawn.labels, drawn.legends
        moving = [each.draw(seen) for each in shown if each.moves]
        drawn = Drawn.together([*moving, self._selection(seen)])
        self._moving.upload(drawn)
        self.labels = self._still_labels + drawn.labels
        self.legends = self._still_legends + drawn.legends
        return key

    def draw(
        self,
        camera: Camera,
        view_projection: NDArray[np.float32],
        size: tuple[int, int],
        *,
        still: bool,
        moving: bool,
        hidden: bool,
    ) -> None:
        """Draw over the scene, and faintly what it hides, if that is wanted."""
        focal = size[1] / 2.0 / np.tan(camera.field_of_view / 2.0)
        for program in self._programs.values():
            program.use(
                view_projection=view_projection,
                viewport=np.array(size, float),
                near=camera.distance / 100.0,
                width_scale=max(size[1] / REFERENCE_HEIGHT, 0.5),
                pixels_per_unit=float(focal),
                eye=camera.eye,
            )
        for test, opacity in [(gl.GL_LEQUAL, 1.0)] + [(gl.GL_GREATER, HIDDEN)] * hidden:
            set_state(depth=test, write_depth=False, blend=UNDARKENED)
            if still:
                self._still.draw(self._programs, opacity)
            if moving:
                self._moving.draw(self._programs, opacity)

    def _drawing(self, name: str) -> Drawing:
        if name not in self._drawings:
            self._drawings[name] = DRAWINGS[name](self._playback)
        return self._drawings[name]

    def _selection(self, seen: Seen) -> Drawn:
        """Return the rings around the selected members."""
        wanted = np.array([*seen.chosen, seen.selected], np.intp)
        rows = wanted[(wanted >= 0) & seen.pose.there[wanted]] if len(seen.pose.there) else wanted
        if seen.selected < 0 or len(rows) == 0:
            return Drawn()
        at = feet(self._playback, seen.pose)[rows]
        return Drawn(rings=rings(at, 1.35 * self._playback.radius[rows], SELECTED, 4.0))
