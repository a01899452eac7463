"""Which members of a crowd come to where they stay, or pass, in one compiled loop over them."""

from math import isnan

from rmp3d.geometry.compiled import compiled


@compiled
def note_arrivals(
    inside, has_left, place, final, stay, leaves, time, until, arrived, coming, at_goal
):  # fmt: skip
    """Note who of n members is in the region that it goes to, for the first time.

    Args:
        inside: (n,) whether each is in its region.
        has_left: (n,) whether each has set out.
        place: (n,) that each holds there, -1 for none.
        final: (n,) whether the region is the last one of its trip.
        stay: (n,) how long each stays there [s].
        leaves: (n,) whether each leaves the scene there.
        time: Now [s].
        until: (n,) when each goes on, nan if it is at no stop [s]; written to.
        arrived: (n,) whether each has been in its last region; written to.
        coming: (n,) written to: who needs a place in the region.
        at_goal: (n,) written to: who has arrived now.
    """
    for i in range(inside.shape[0]):
        if not (inside[i] and has_left[i]):
            continue
        stops = isnan(until[i])
        coming[i] = place[i] < 0 and not leaves[i] and stops and (final[i] or stay[i] > 0.0)
        if final[i]:
            at_goal[i] = not arrived[i]
            arrived[i] = True
        elif stops:
            until[i] = time + stay[i]
