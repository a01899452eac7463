"""The panel of the window: scenarios are made, planned, run and saved in it.

`PanelState` is what the panel knows; it has no window and no widget. `Sections` draws it with
`Widgets` and keeps nothing. `PanelWindow` joins both to the picture of the scene. The panel plans
and simulates nothing: it sends the commands of `protocol` to a `Session`, which answers with
reports; `rmp3d.live` has the session whose work is done in a process of its own.
"""

from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.panel.state import PanelState

__all__ = ["PanelState", "Session"]
