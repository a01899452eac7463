"""Groups whose members follow a path each on their own, or follow a leader."""
