"""The panel of the window: the whole work flow, from a scene to a recording.

Its state (`Studio`) knows nothing of windows, and its drawing (`widgets`) keeps no state. What
takes time is done by a `Session`, beside the drawing.
"""

from rmp3d.viewer.panel.protocol import Session
from rmp3d.viewer.panel.state import PanelState

__all__ = ["PanelState", "Session"]
