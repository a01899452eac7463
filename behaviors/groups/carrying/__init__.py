"""Carrying rigid bodies: places at rest, motions along certified paths, and who waits for whom."""
