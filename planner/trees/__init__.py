"""The parts of the planner `sliding_trees`: two trees that slide along contacts, and milestones."""
