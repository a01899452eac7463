"""Groups that search for a goal on a roadmap."""
