"""What is shown: the frames, events and details of a run, and the time in it."""
