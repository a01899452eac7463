"""The checksum that HDF5 puts behind its own structures."""

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
