"""A formation along a path: its frame, its plan, and who takes which slot."""
