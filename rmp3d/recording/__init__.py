"""Recordings: one HDF5 file per run, streamed while it runs, readable whatever happens to it."""

from rmp3d.recording.header import Header, fingerprint
from rmp3d.recording.reader import RecordedEvent, Recording
from rmp3d.recording.writer import RecordingWriter

__all__ = ["Header", "RecordedEvent", "Recording", "RecordingWriter", "fingerprint"]
