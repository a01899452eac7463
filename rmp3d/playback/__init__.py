"""What the viewer shows of a recording or of a run: frames, events, details of the groups."""
