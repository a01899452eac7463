"""What is written on the picture in the window: time, formations, the selected member, help."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.risers import without_risers
from rmp3d.geometry.rotations import rotate
from rmp3d.models.capsule_places import PlacedCapsules, placed_capsules
from rmp3d.viewer.drawings import Label, Legend
from rmp3d.viewer.drawings.clearance import length_text
from rmp3d.viewer.layers import layer_rows
from rmp3d.viewer.overlay.labels import clock_text, draw_labels
from rmp3d.viewer.overlay.legends import draw_legends
from rmp3d.viewer.overlay.overlay import WHITE, Overlay
from rmp3d.viewer.palette import SELECTED, group_color
from rmp3d.viewer.playback.events import mark_of
from rmp3d.viewer.playback.playback import Event, Playback, Pose
from rmp3d.viewer.player.controls import HELP, Controls
from rmp3d.viewer.player.tool_hud import draw_tools
from rmp3d.viewer.texts import named, told, tr

PANEL = np.full(3, 0.07)
TIMES = "\N{MULTIPLICATION SIGN}"
MOST_GROUPS = 10  # listed in the corner
DIM = np.array([0.68, 0.71, 0.75])


def draw_hud(
    controls: Controls, labels: Sequence[Label] = (), legends: Sequence[Legend] = ()
) -> Overlay:
    """Return the overlay of the window's present state, the layers' labels below the rest."""
    overlay, corner = Overlay(controls.atlas), (0.0, 0.0)
    if controls.show_help:  # over the picture alone: it would lie across what is written there
        controls.timeline.draw(overlay, controls.playback, controls.clock.time)
        _status(overlay, controls)
        _help(overlay, controls)
    else:
        corner = _on_the_picture(overlay, controls, labels, legends)
    if controls.banner:
        _banner(overlay, controls)
    if controls.pointed is not None:
        _tip(overlay, controls, *controls.pointed)
    elif controls.message:
        _message(overlay, controls, corner)
    return overlay


def _on_the_picture(
    overlay: Overlay, controls: Controls, labels: Sequence[Label], legends: Sequence[Legend]
) -> tuple[float, float]:
    """What is written while there is no help: labels, time, groups, the member, legends, tools.

    Returns:
        The right and the upper end of what the tools write in the lower left corner [pixels].
    """
    labels = [*labels, *controls.tools.labels]
    draw_labels(overlay, labels, controls.camera, controls.size)
    controls.timeline.draw(overlay, controls.playback, controls.clock.time)
    _status(overlay, controls)
    _groups(overlay, controls)
    if controls.selected >= 0:
        lines = member_lines(controls.playback, controls.clock.time, controls.selected)
        clearance = controls.clearance()
        if clearance is not None:
            lines.append(tr("clearance {gap}", gap=length_text(clearance)))
        _panel(overlay, controls, lines)
    line = controls.atlas.height
    right, bottom = controls.size[0] - 0.6 * line, controls.free_bottom + 0.4 * line
    draw_legends(overlay, legends, right, bottom)
    return draw_tools(overlay, controls)


def _leaning(bank: int, pitch: int) -> list[str]:
    """Return how one leans [degrees]; whoever does not lean to a side has no side."""
    if not bank:
        return [tr("pitch {pitch}°", pitch=pitch)] if pitch else []
    text = (
        "bank {bank}° right · pitch {pitch}°" if bank > 0 else "bank {bank}° left · pitch {pitch}°"
    )
    return [tr(text, bank=abs(bank), pitch=pitch)]


def _velocity(playback: Playback, frame: int, member: int) -> Float:
    """Return the velocity (3,) [m/s] from a frame to the next; the last frame has that before."""
    if playback.frame_count < 2:
        return np.zeros(3)
    now = min(frame, playback.frame_count - 2)
    first = max(now - 1, 0)  # one before and one behind tell a riser from a lift
    motion = np.diff(playback.position[first : now + 3, member, None], axis=0)
    motion = without_risers(motion, playback.walks[[member]])
    return np.asarray(motion[now - first, 0] / playback.dt)


def member_lines(playback: Playback, time: float, member: int) -> list[str]:
    """Return what is known of one member at a moment, a few short lines."""
    pose = playback.pose(time)
    group = int(playback.group_of[member])
    x, y, z = np.round(pose.position[member], 2) + 0.0  # no -0.00
    frame, _ = playback.frame_at(time)
    speed = np.linalg.norm(_velocity(playback, frame, member))
    axes = rotate(pose.orientation_wxyz[member][None], np.eye(3))  # heading, left, up
    compass = round(np.degrees(np.arctan2(axes[0, 1], axes[0, 0]))) % 360
    lean = np.degrees(np.arcsin(np.clip([axes[1, 2], axes[0, 2]], -1.0, 1.0)))
    lines = [
        f"{named(playback.characters[playback.character_of[member]].name)} {member}"
        f" · {named(playback.group_names[group])}",
        tr("position {place} m", place=f"{x:.2f}, {y:.2f}, {z:.2f}"),
        tr(
            "speed {speed} m/s · heading {heading}°",
            speed=f"{speed:.2f}",
            heading=compass,
        ),
    ]
    lines += _leaning(*np.round(lean).astype(int))
    if playback.details and playback.details[group].behavior:
        formation = playback.formation_at(time, group)
        behavior = named(playback.details[group].behavior)
        lines.append(behavior + (f" · {named(formation)}" if formation else ""))
    if playback.force is not None:
        size = np.linalg.norm(playback.force[frame, :, member], axis=1)
        if len(size) and size.max() > 0.0:
            name = named(playback.force_names[int(size.argmax())])
            lines.append(tr("most by {name}", name=name.replace("_", " ")))
    if playback.subgoal is not None:
        subgoal, here = playback.subgoal[frame, member], playback.position[frame, member]
        if np.abs(subgoal - here).max() > 1e-4:  # of one without a subgoal its place is recorded
            gap = np.linalg.norm(subgoal - pose.position[member])
            lines.append(tr("subgoal {gap} m away", gap=f"{gap:.2f}"))
    if playback.paths and len(playback.paths[group]):
        gap = np.linalg.norm(playback.paths[group][-1] - pose.position[member])
        lines.append(tr("goal {gap} m away", gap=f"{gap:.1f}"))
    if playback.member_count > 1:
        nearest = nearest_gap(playback, pose, member)
        if np.isfinite(nearest):
            lines.append(tr("nearest member {gap} m", gap=f"{nearest:.2f}"))
    arrived = [e for e in playback.events if e.kind == "arrived" and e.member == member]
    if arrived and arrived[0].time <= time:
        lines.append(tr("arrived at {time}", time=clock_text(arrived[0].time)))
    return lines


def nearest_gap(playback: Playback, pose: Pose, member: int) -> float:
    """Return the gap [m] between a member and the nearest other one that is there."""
    bodies = [kind.body for kind in playback.characters]
    held = placed_capsules(bodies, playback.character_of, pose.position, pose.orientation_wxyz)
    is_own, is_other = held.owner == member, pose.there[held.owner] & (held.owner != member)
    own, other = (PlacedCapsules(*(each[rows] for each in held)) for rows in (is_own, is_other))
    offset = other.position[None] - own.position[:, None]  # (K, C, 3)
    above = offset[..., 2] + other.axis[:, 0] - own.axis[:, None, 1]
    below = offset[..., 2] + other.axis[:, 1] - own.axis[:, None, 0]
    rise = np.where(above > 0.0, above, np.where(below < 0.0, below, 0.0))
    apart = np.hypot(np.hypot(offset[..., 0], offset[..., 1]), rise)
    gap = apart - other.radius - own.radius[:, None]
    return float(gap.min(initial=np.inf))


def _status(overlay: Overlay, controls: Controls) -> None:
    line, clock = controls.atlas.height, controls.clock
    y = 1.75 * line
    overlay.text("❚❚" if clock.playing else "▶", line, y)  # what a click there does
    now = f"{clock_text(clock.time)} / {clock_text(controls.playback.duration)}"
    x = 2.6 * line
    overlay.text(now, x, y)
    x += controls.atlas.width(f"{now}    ")
    overlay.text(f"{TIMES}{clock.speed:g}", x, y, color=WHITE if clock.speed != 1.0 else DIM)
    x += controls.atlas.width(f"{TIMES}0.125    ")
    right = controls.size[0] - line
    hint = tr("h help")
    overlay.text(hint, right, y, color=DIM, align=1.0)
    width = right - controls.atlas.width(hint + "    ") - x
    past = [event for event in controls.playback.events if event.time <= clock.time + 1e-6]
    if past and width > 6 * line:
        now = f"{clock_text(past[-1].time)}  {told(past[-1].text, past[-1].kind)}"
        overlay.text(controls.atlas.fitted(now, width), x, y, color=DIM)


def _groups(overlay: Overlay, controls: Controls) -> None:
    """Title, and each group's color, name, size and formation, in the upper left corner."""
    playback = controls.playback
    rows: list[tuple[str, Float | None]] = [(playback.title, None)] if playback.title else []
    for group, name in enumerate(playback.group_names[:MOST_GROUPS]):
        formation = playback.formation_at(controls.clock.time, group)
        text = f"{named(name)} · {_count(controls, group)}"
        text += f" · {named(formation)}" if formation else ""
        rows.append((text, group_color(group)))
    more = len(playback.group_names) - MOST_GROUPS
    if more > 0:
        rows.append((tr("and {count} more groups", count=more), None))
    _rows(overlay, controls, rows)


def draw_title(overlay: Overlay, controls: Controls) -> None:
    """Draw the title alone in the upper left corner, as where the groups are listed."""
    _rows(overlay, controls, [(controls.playback.title, None)])


def _rows(overlay: Overlay, controls: Controls, rows: list[tuple[str, Float | None]]) -> None:
    """A box in the upper left corner; rows with a color have a square of it."""
    line = controls.atlas.height
    if not rows:
        return
    widest = min(
        max(controls.atlas.width(text) for text, _ in rows) + 3.4 * line, 0.6 * controls.size[0]
    )
    top = controls.size[1] - 0.6 * line
    bottom = top - (1.35 * len(rows) + 0.5) * line
    overlay.rectangle(0.6 * line, bottom, 0.6 * line + widest, top, PANEL, 0.62)
    for row, (text, color) in enumerate(rows):
        y = top - (1.35 * row + 1.45) * line
        x = 1.2 * line
        if color is not None:
            overlay.rectangle(x, y + 0.15 * line, x + 0.7 * line, y + 0.85 * line, color, 1.0)
            x += 1.2 * line
        overlay.text(controls.atlas.fitted(text, widest - 2.4 * line), x, y)


def _count(controls: Controls, group: int) -> str:
    """Return how many members a group has, and how many of them are seen if that is fewer."""
    seen, counts = len(controls.playback.members(group)), controls.counts
    meant = counts[group] if counts is not None and group < len(counts) else seen
    return f"{meant}" if meant == seen else tr("{count}, {seen} shown", count=meant, seen=seen)


def _banner(overlay: Overlay, controls: Controls) -> None:
    """What is said in the middle while there is nothing to see."""
    atlas, line = controls.atlas, controls.atlas.height
    middle, y = controls.size[0] / 2.0, controls.size[1] / 2.0
    half = atlas.width(controls.banner) / 2.0 + 1.5 * line
    overlay.rectangle(middle - half, y - 0.8 * line, middle + half, y + 1.8 * line, PANEL, 0.8)
    overlay.text(controls.banner, middle, y, align=0.5)


def _panel(overlay: Overlay, controls: Controls, lines: list[str]) -> None:
    """A box in the upper right corner; its first line is a heading."""
    atlas, line = controls.atlas, controls.atlas.height
    width = min(max(atlas.width(text) for text in lines) + 1.6 * line, 0.5 * controls.size[0])
    right, top = controls.size[0] - 0.6 * line, controls.size[1] - 0.6 * line
    bottom = top - (1.35 * len(lines) + 0.5) * line
    overlay.rectangle(right - width, bottom, right, top, PANEL, 0.72)
    for row, text in enumerate(lines):
        y = top - (1.35 * row + 1.45) * line
        color = SELECTED if row == 0 else WHITE
        overlay.text(
            atlas.fitted(text, width - 1.6 * line), right - width + 0.8 * line, y, color=color
        )


def _help(overlay: Overlay, controls: Controls) -> None:
    """Two columns: what keys and mouse do, and the layers, a dot at those that are on.

    Letters are smaller where the picture has no room for them.
    """
    atlas, line = controls.atlas, float(controls.atlas.height)
    layers = [
        (row.key, tr(row.title) + ("  ●" if getattr(controls.layers, row.name) else ""))
        for row in layer_rows()
    ]
    columns = [[(tr(key), tr(text)) for key, text in HELP], layers]
    keys = np.array([max(atlas.width(key) for key, _ in column) for column in columns])
    texts = np.array([max(atlas.width(text + "  ●") for _, text in column) for column in columns])
    width = keys.sum() + texts.sum() + 6.0 * line
    height = line * (1.35 * max(map(len, columns)) + 1.2)
    bottom = controls.timeline.panel_top
    size = min(1.0, controls.size[0] / width, (controls.size[1] - bottom) / height)
    width, height, line, keys, texts = (size * each for each in (width, height, line, keys, texts))
    left = (controls.size[0] - width) / 2.0
    top = (controls.size[1] + bottom + height) / 2.0
    overlay.rectangle(left, top - height, left + width, top, PANEL, 0.9)
    x = left + line
    for column, reach, text_width in zip(columns, keys, texts, strict=True):
        for row, (key, text) in enumerate(column):
            y = top - 1.35 * line * row - 1.7 * line
            overlay.text(key, x + reach, y, color=SELECTED, align=1.0, size=size)
            overlay.text(text, x + reach + 1.2 * line, y, size=size)
        x += reach + text_width + 2.8 * line


def _tip(overlay: Overlay, controls: Controls, event: Event, x: float) -> None:
    """What an event on the timeline is, above it."""
    atlas, line = controls.atlas, controls.atlas.height
    text = f"{clock_text(event.time)}  {told(event.text, event.kind)}"
    if event.member >= 0:
        text += tr(" · member {row}", row=event.member)
    text = atlas.fitted(text, controls.size[0] - 3.0 * line)
    half = atlas.width(text) / 2.0 + 0.6 * line
    middle = min(max(x, half), controls.size[0] - half)
    y = controls.free_bottom + 0.4 * line
    overlay.rectangle(middle - half, y, middle + half, y + 1.6 * line, PANEL, 0.9)
    overlay.text(text, middle, y + 0.3 * line, color=mark_of(event.kind).color, align=0.5)


def _message(overlay: Overlay, controls: Controls, corner: tuple[float, float]) -> None:
    """A short notice in the middle above the timeline, or above what the tools write there."""
    atlas, line = controls.atlas, controls.atlas.height
    text = atlas.fitted(controls.message, controls.size[0] - 4.0 * line)
    middle, half = controls.size[0] / 2.0, atlas.width(text) / 2.0 + line
    right, top = corner
    y = max(controls.free_bottom, top if middle - half < right else 0.0) + 1.2 * line
    overlay.rectangle(middle - half, y - 0.4 * line, middle + half, y + 1.4 * line, PANEL, 0.8)
    overlay.text(text, middle, y, align=0.5)
