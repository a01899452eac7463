"""An export format of one's own: the members' paths as lines of a Wavefront file.

rmp3d export a.rmp3d a.obj --with examples/own_exporter.py
"""

from dataclasses import dataclass

import rmp3d as rp
from rmp3d.viewer.export import EXPORTERS


@EXPORTERS.register(".obj")
@dataclass(frozen=True)
class PathLines:
    """Write a line through the positions of each member.

    Attributes:
        every: Frames from one point to the next.
    """

    every: int = 10

    def write(self, playback, file, progress):
        """Write to an open file; see `rmp3d.viewer.export.Exporter`."""
        points = playback.position[:: self.every]  # (T, N, 3)
        count = len(points)
        for member in range(points.shape[1]):
            lines = [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in points[:, member]]
            rows = range(member * count + 1, (member + 1) * count + 1)
            lines.append(f"l {' '.join(map(str, rows))}")
            file.write(("\n".join([f"o member {member}", *lines]) + "\n").encode())


if __name__ == "__main__":
    run = rp.run("plain", rp.Group(members=2, start="west", goal="east"), duration=2.0)
    print(run.export("paths.obj", every=5))
