"""The rules that make a path cheaper, and the share of the work that each gets."""

SHARES = {
    "local": 0.3, "samples": 0.1, "detours": 0.1, "trees": 0.15, "turns": 0.35, "dense": 0.03
}  # fmt: skip
RULES = tuple(SHARES)
