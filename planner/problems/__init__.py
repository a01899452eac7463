"""Problems: what a planner is asked, and the files that such questions come from."""
