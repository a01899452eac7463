"""A formation along a path: its frame, its plan, and the assignment of its slots."""
