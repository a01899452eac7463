"""Which moments of a playback tell its story."""

from dataclasses import dataclass

import numpy as np

from rmp3d.viewer.playback.playback import Playback

FEWEST, MOST = 6, 9
BEFORE, AFTER = 1.5, 4.0  # [s] around a formation change; members need a while to form up


@dataclass(frozen=True)
class Moment:
    """A time [s] and why it is shown."""

    time: float
    reason: str


def key_moments(playback: Playback, fewest: int = FEWEST, most: int = MOST) -> tuple[Moment, ...]:
    """Return the start, before, at and after each formation change, and the end, in order.

    Moments closer than 2 % of the duration (and 0.6 s) to a more telling one are left out; a
    change itself tells more than what is before or after it. Too many are thinned evenly over the
    changes, too few are filled up in the middle of the widest gaps.

    Args:
        playback: What is told.
        fewest: At least so many, unless there are fewer frames.
        most: At most so many.
    """
    duration = playback.duration
    changes = [event.time for event in playback.events if event.kind == "formation"]
    changes = [time for time in changes if 0.0 < time < duration]
    kept = [Moment(0.0, "start")] + ([Moment(duration, "end")] if duration > 0.0 else [])
    nearest = max(0.02 * duration, 0.6)
    ranked = [
        [Moment(time, "change") for time in _spread(changes, most - 2)],
        [Moment(time + AFTER, "after") for time in changes],
        [Moment(time - BEFORE, "before") for time in changes],
    ]
    for moments in ranked:
        for moment in moments:
            far = all(abs(moment.time - other.time) >= nearest for other in kept)
            if len(kept) < most and far and 0.0 < moment.time < duration:
                kept.append(moment)
    while len(kept) < min(fewest, playback.frame_count):
        times = np.sort([moment.time for moment in kept])
        widest = int(np.argmax(np.diff(times)))
        kept.append(Moment(float(times[widest] + times[widest + 1]) / 2.0, "between"))
    return tuple(sorted(kept, key=lambda moment: moment.time))


def _spread(times: list[float], count: int) -> list[float]:
    """Return at most ``count`` of the times, evenly chosen, ends included."""
    if len(times) <= count:
        return times
    return [
        times[row] for row in np.unique(np.linspace(0, len(times) - 1, count).round()).astype(int)
    ]
