"""Files of planning problems from other programs: PMPL (`.env` and others), OMPL.app (`.cfg`)."""
