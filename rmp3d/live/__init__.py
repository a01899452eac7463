"""The process beside the window: it plans and simulates what the viewer's panel asks for.

`LiveSession` is the panel's end of the connection: it sends commands and collects reports.
`worker` is the loop of the process at the other end, `LiveBackend` carries out its commands,
`LiveRun` is the run that goes on, and `reports` makes what the panel shows of all that. The
messages are defined in `rmp3d.viewer.panel.protocol`; the planning and the simulation themselves
are those of `rmp3d.simulation`, the same as of the command line.
"""

from rmp3d.live.session import LiveSession

__all__ = ["LiveSession"]
