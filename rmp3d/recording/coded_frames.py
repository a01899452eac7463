"""Reads the frames of an array that is stored in codes; see `rmp3d.recording.coding`."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.parallel import in_blocks
from rmp3d.recording.coding import KEY_INTERVAL, Decoder
from rmp3d.recording.stored import StoredArray


class CodedFrames:
    """The frames of an array of codes (axes, N, T).

    Where the last reading ended, the next one goes on; else it begins at a key frame.

    Args:
        array: The codes.
        order: Order of the stored differences.
    """

    def __init__(self, array: StoredArray, order: int) -> None:
        self._array = array
        self._order = order
        self._last: dict[str, Decoder] = {}  # at most one; a dictionary hands it to one thread only

    def read(self, start: int, end: int, step: float) -> tuple[Float, float]:
        """Return values (T', N, axes) of frames, times ``step``, and the largest absolute one.

        Raises:
            DamagedError: They cannot be read.
        """
        axes, members, _ = self._array.shape
        rows = np.empty((max(end - start, 0), members, axes))
        keys = range(start - start % KEY_INTERVAL, end, KEY_INTERVAL)
        last = self._last.pop("last", None)

        def some(block: slice) -> tuple[float, Decoder | None]:
            largest, decoder = 0.0, None
            for key in keys[block]:
                if last is not None and key <= last.frame <= start < key + KEY_INTERVAL:
                    decoder = last
                else:
                    decoder = Decoder(self._order, (axes, members), key)
                stop = min(key + KEY_INTERVAL, end)
                while decoder.frame < stop:
                    at = decoder.frame
                    code = self._codes(at, stop)
                    own = rows[max(at - start, 0) : max(at + code.shape[-1] - start, 0)]
                    largest = max(largest, decoder.decode(code, own, step))
            return largest, decoder

        found = in_blocks(some, len(keys), 1)
        if found and found[-1][1] is not None:
            self._last["last"] = found[-1][1]
        return rows, max((largest for largest, _ in found), default=0.0)

    def _codes(self, start: int, stop: int) -> NDArray[np.uint64]:
        """Return the codes (axes, N, K) of frames from ``start`` on, of a stored piece at most."""
        rows = self._array.piece_rows()
        if rows and KEY_INTERVAL % rows == 0:
            first = start - start % rows
            return self._array.piece(first)[..., start - first : stop - first]
        return self._array[..., start:stop]
