"""Files of characters that are nearly right."""

import json
import struct

import pytest


@pytest.fixture
def with_head():
    """Return a binary glTF file (bytes) with its JSON changed by a function."""

    def changed(data, change):
        length = struct.unpack_from("<I", data, 12)[0]
        head = json.loads(data[20 : 20 + length])
        change(head)
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 4)
        rest = data[20 + length :]
        size = 20 + len(text) + len(rest)
        start = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON")
        return start + text + rest

    return changed
