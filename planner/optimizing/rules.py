"""The rules that make a path cheaper, and the share of the work that each gets."""

SHARES = {"local": 0.35, "samples": 0.2, "detours": 0.1, "trees": 0.35}
RULES = tuple(SHARES)
