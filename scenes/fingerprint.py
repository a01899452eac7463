"""A number that says whether two scenes are the same to a run."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from rmp3d.scenes.part import Part
from rmp3d.scenes.region import Region


def fingerprint(
    parts: Sequence[Part], regions: Mapping[str, Region], numbers: Sequence[float]
) -> str:
    """Return the SHA-256 of parts without colors, their motions, regions, and further numbers."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part.name}\0{part.role}\0{len(part.mesh.vertices)}\0".encode())
        digest.update(part.mesh.vertices.astype("<f8", "C", copy=False).reshape(-1).data)
        digest.update(part.mesh.faces.astype("<i8", "C", copy=False).reshape(-1).data)
        if part.motion is not None:
            digest.update(part.motion.fingerprint)
    for name, region in sorted(regions.items()):
        digest.update(f"{name}\0{region.kind}\0".encode())
        digest.update(region.bounds.astype("<f8").tobytes())
    digest.update(np.array(numbers, "<f8").tobytes())
    return digest.hexdigest()
