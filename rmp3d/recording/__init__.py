"""Recordings: one HDF5 file per run; it is written during the run, and readable at any time."""

from rmp3d.recording.header import Header, fingerprint
from rmp3d.recording.read_anew import is_of_character
from rmp3d.recording.reader import RecordedEvent, RecordingReader
from rmp3d.recording.writer import RecordingWriter

__all__ = [
    "Header",
    "RecordedEvent",
    "RecordingReader",
    "RecordingWriter",
    "fingerprint",
    "is_of_character",
]
