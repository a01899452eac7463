"""The checksums that HDF5 puts behind its own structures, and behind pieces of arrays."""

import numpy as np

from rmp3d.geometry.compiled import released

WORD = 0xFFFFFFFF
MIXED = ((0, 2, 4), (1, 0, 6), (2, 1, 8), (0, 2, 16), (1, 0, 19), (2, 1, 4))
ENDED = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))
"""Which of the three words is changed by which other one, turned by so many bits."""


def lookup3(data: bytes) -> int:
    """Return the 32-bit hash ``hashlittle`` of lookup3, begun with 0.

    Jenkins (2006), "lookup3.c, for hash table lookup"; HDF5 calls it its metadata checksum.
    """
    a = b = c = (0xDEADBEEF + len(data)) & WORD
    start = 0
    while len(data) - start > 12:
        a = (a + _word(data, start)) & WORD
        b = (b + _word(data, start + 4)) & WORD
        c = (c + _word(data, start + 8)) & WORD
        for left, right, turn in (
            (0, 2, 4),
            (1, 0, 6),
            (2, 1, 8),
            (0, 2, 16),
            (1, 0, 19),
            (2, 1, 4),
        ):
            word = [a, b, c]
            word[left] = ((word[left] - word[right]) & WORD) ^ _rotated(word[right], turn)
            word[right] = (word[right] + word[3 - left - right]) & WORD
            a, b, c = word
        start += 12
    if start == len(data):
        return c
    rest = data[start:].ljust(12, b"\0")
    word = [(x + _word(rest, at)) & WORD for x, at in ((a, 0), (b, 4), (c, 8))]
    for left, right, turn in ENDED:
        word[left] = ((word[left] ^ word[right]) - _rotated(word[right], turn)) & WORD
    return word[2]


def _word(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], "little")


def _rotated(word: int, turn: int) -> int:
    return ((word << turn) | (word >> (32 - turn))) & WORD


@released
def fletcher32(data):
    """Return the checksum of HDF5's filter of bytes (B,): Fletcher's, of words of two bytes.

    Fletcher (1982), "An arithmetic checksum for serial transmissions".
    """
    low, high = np.int64(0), np.int64(0)
    words = len(data) // 2
    for k in range(words):
        low += (np.int64(data[2 * k]) << 8) | np.int64(data[2 * k + 1])
        high += low
        if k % 360 == 359:  # the sums stay within 32 bits
            low, high = (low & 0xFFFF) + (low >> 16), (high & 0xFFFF) + (high >> 16)
    if words % 360:
        low, high = (low & 0xFFFF) + (low >> 16), (high & 0xFFFF) + (high >> 16)
    if len(data) % 2:
        low += np.int64(data[-1]) << 8
        high += low
        low, high = (low & 0xFFFF) + (low >> 16), (high & 0xFFFF) + (high >> 16)
    low, high = (low & 0xFFFF) + (low >> 16), (high & 0xFFFF) + (high >> 16)
    return (high << 16) | low


@released
def unshuffled(data, values):
    """Undo HDF5's shuffling of bytes (8 V,): first all lowest bytes, then the next ones, ...

    Args:
        data: The bytes.
        values: (V,) unsigned numbers of 64 bits, which get them.
    """
    count = len(values)
    for v in range(count):
        value = np.uint64(0)
        for byte in range(8):
            value |= np.uint64(data[byte * count + v]) << np.uint64(8 * byte)
        values[v] = value
