"""Planning and simulating beside the drawing: the session of the viewer's panel.

`Workshop` does the work, `worker` runs it in a process of its own, `LiveSession` is the panel's
end of the wire.
"""

from rmp3d.live.session import LiveSession

__all__ = ["LiveSession"]
