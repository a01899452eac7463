"""Places for all members in a goal region."""
