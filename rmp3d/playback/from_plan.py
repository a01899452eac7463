"""The playback of a plan, for the viewer: each body goes along its certified path."""

from functools import partial

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.plans.body_plan import BodyPlan, WatchedPlan
from rmp3d.plans.motion import DT, BodyTrack, motion_along
from rmp3d.viewer.playback.details import GroupDetails, MeasuredPath
from rmp3d.viewer.playback.playback import Event, Playback

MOST_WAYPOINTS = 60
"""That are marked on the timeline; a path on uneven ground has hundreds."""


def playback_of_plan(plan: WatchedPlan) -> Playback:
    """Return what there is to see of a plan.

    Each body is a group. One with a path is a member that goes along it; of one without, there are
    two members, at its start and at its goal.
    """
    tracks = [_track(body) for body in plan.bodies]
    frames = max(len(motion.position) for motion in tracks)
    counts = [motion.position.shape[1] for motion in tracks]
    groups = np.repeat(np.arange(len(counts)), counts)
    kinds = list(dict.fromkeys(body.character for body in plan.bodies))
    return Playback(
        scene=plan.scene,
        characters=tuple(kinds),
        character_of=np.array([kinds.index(plan.bodies[row].character) for row in groups]),
        group_of=groups,
        group_names=tuple(body.name for body in plan.bodies),
        dt=DT,
        position=np.concatenate([_lasting(each.position, frames) for each in tracks], axis=1),
        orientation_wxyz=np.concatenate(
            [_lasting(each.quaternion_wxyz, frames) for each in tracks], axis=1
        ),
        formation_of=np.full((frames, len(plan.bodies)), -1),
        events=tuple(
            event
            for row, (body, track) in enumerate(zip(plan.bodies, tracks, strict=True))
            for event in _events(body, track, row)
        ),
        paths=tuple(body.configurations[:, :3] for body in plan.bodies),
        details=tuple(
            GroupDetails(
                nodes=body.nodes,
                edges=body.edges,
                component=body.component,
                behavior="certified path" if body.solved else f"no path: {body.reason}",
                rejected=body.rejected,
                measured=partial(_measured, body, track) if body.solved else None,
                ends=_ends(track),
            )
            for body, track in zip(plan.bodies, tracks, strict=True)
        ),
        title=plan.title,
    )


def _track(body: BodyPlan) -> BodyTrack:
    """Return a body's motion as arrays (T, n, 3) and (T, n, 4) of its n members."""
    if body.solved:
        motion = motion_along(body)
        return BodyTrack(motion.position[:, None], motion.quaternion_wxyz[:, None], motion.waypoint)
    rows = np.stack([end.configuration for end in body.ends])
    turned = rows[:, 3:] if rows.shape[1] == 7 else np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    return BodyTrack(rows[None, :, :3], turned[None], np.zeros(0, np.intp))


def _ends(track: BodyTrack) -> Float:
    """Return where (2, 7) a body starts and where its goal is."""
    place, turned = track.position, track.quaternion_wxyz
    if track.position.shape[1] == 2:
        return np.hstack([place[0], turned[0]])
    return np.hstack([place[[0, -1], 0], turned[[0, -1], 0]])


def _lasting(rows: Float, frames: int) -> Float:
    """Return rows (T, n, ...) for all frames: who has arrived stays."""
    return rows[np.minimum(np.arange(frames), len(rows) - 1)]


def _events(body: BodyPlan, track: BodyTrack, group: int) -> list[Event]:
    if not body.solved:
        return []
    last = len(track.waypoint) - 1
    events = [
        Event(frame * DT, "waypoint", group, text=f"waypoint {row + 1} of {last + 1}")
        for row, frame in enumerate(track.waypoint.tolist())
        if 0 < row < last and last < MOST_WAYPOINTS
    ]
    events.append(Event(int(track.waypoint[-1]) * DT, "goal", group, text="at the goal"))
    for row in np.flatnonzero(~body.proved).tolist():
        text = f"collision: the motion from waypoint {row + 1} to {row + 2} is not free"
        events.append(Event(int(track.waypoint[row]) * DT, "collision", group, text=text))
    return events


def _measured(body: BodyPlan, track: BodyTrack) -> MeasuredPath:
    """Return the clearance along the path, at every frame."""
    position = track.position[:, 0]
    rows = position
    if body.configurations.shape[1] == 7:
        rows = np.hstack([position, track.quaternion_wxyz[:, 0]])
    return MeasuredPath(position, body.clearance(rows))
