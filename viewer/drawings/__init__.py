"""What each layer draws; every module of this folder is imported, so a new file is enough."""

from rmp3d.geometry.registry import load_folder
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Legend, Seen, missing_of

__all__ = ["DRAWINGS", "Drawing", "Drawn", "Label", "Legend", "Seen", "missing_of"]

load_folder(__name__, __path__)
