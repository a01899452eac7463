"""Plans to look at: one body or one of each group, its certified path, and what was built."""
