"""The rules that make a path cheaper, and the share of the work that each gets."""

SHARES = {"local": 0.3, "samples": 0.15, "detours": 0.2, "trees": 0.35}
RULES = tuple(SHARES)
