"""A recording, or a run that goes on, as the viewer takes it: frames, events, group details."""
