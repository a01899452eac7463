"""The bytes that a glTF file refers to: in it, written in base64, or in files beside it.

Khronos Group (2021), "glTF 2.0 specification", sections 2.8 (URIs), 3.6.1 (buffers) and 4 (GLB).
"""

import base64
import binascii
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.scenes.formats.mesh_format import MAX_BYTES
from rmp3d.scenes.tokens import confined


class GltfBuffers:
    """The buffers of one document, read when they are asked for.

    Attributes:
        folder: Of the file, from which other files are named.
        chunk: The binary chunk of a .glb file, the first buffer if that has no `uri`.
    """

    def __init__(self, folder: Path, chunk: bytes) -> None:
        self.folder = folder
        self.chunk = chunk
        self._read: dict[int, bytes] = {}

    def buffer(self, row: int, buffer: dict[str, Any]) -> bytes:
        """Return the bytes of a buffer.

        Raises:
            InputError: It is nowhere, not base64, or its file cannot be read.
        """
        if row not in self._read:
            place = f"buffers[{row}]"
            if "uri" in buffer:
                self._read[row] = self.at(buffer["uri"], place)
            elif row == 0 and self.chunk:
                self._read[row] = self.chunk
            else:
                raise InputError(f"{place} has no `uri`, and no bytes in the file")
        return self._read[row]

    def at(self, uri: Any, place: str) -> bytes:
        """Return the bytes at a URI: `data:` in base64, or the name of a file beside this one.

        Raises:
            InputError: It is something else, or cannot be read; names ``place``.
        """
        if not isinstance(uri, str):
            raise InputError(f"{place}.uri should be text")
        if uri.startswith("data:"):
            head, _, text = uri.partition(",")
            if not head.endswith(";base64"):
                raise InputError(f"{place}.uri is data, but not in base64")
            try:
                return base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError):
                raise InputError(f"{place}.uri is damaged: not base64") from None
        return read_input(confined(self.folder, unquote(uri), f"{place}.uri"), MAX_BYTES)
