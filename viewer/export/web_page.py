"""``.html``: one page that replays the run in any browser, offline."""

from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, BinaryIO

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import join
from rmp3d.viewer.cameras.presets import iso
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.keyframes import Tolerances
from rmp3d.viewer.export.web_data import Pack, add_motion, add_part_motion
from rmp3d.viewer.export.web_gaits import add_gaits, add_poses
from rmp3d.viewer.export.web_layers import add_body_edges, add_layers, missing_wants
from rmp3d.viewer.export.web_maps import add_maps
from rmp3d.viewer.export.web_meshes import add_mesh, add_pivots, add_scene, marker, tube
from rmp3d.viewer.export.web_news import last_frames
from rmp3d.viewer.export.web_sight import add_walls, roofs
from rmp3d.viewer.export.web_wants import add_wants
from rmp3d.viewer.export.web_words import words_of_page
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import lift, scene_bounds, whole_bounds
from rmp3d.viewer.playback.near_origin import drawing_origin, near_origin
from rmp3d.viewer.playback.playback import Event, Playback
from rmp3d.viewer.playback.posing import look_of
from rmp3d.viewer.rendering.sun import SUN_DIRECTION, sun_view_projection
from rmp3d.viewer.shapes.surfaces import dyed_share
from rmp3d.viewer.texts import language, named, told

SCRIPTS = (
    "motion.js", "camera.js", "shaders.js", "picture.js", "maps.js", "rays.js", "sight.js",
    "wants.js", "marks.js", "replay.js",
)  # fmt: skip
ASPECT = 16 / 9
PATH_WIDTH = 0.0009  # radius of a path's tube, of the scene's size


@EXPORTERS.register(".html")
@dataclass(frozen=True)
class ReplayPage(Tolerances):
    """A web page in one file that needs no network: plays, scrubs, orbits, follows a member.

    Shown are the scene, the members, layers to switch, and the events on a timeline. The motion is
    held as key frames (see `Tolerances`). A layer that is too large for a page says so.
    """

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write an HTML page, UTF-8; see `Exporter.write`."""
        file.write(self.page(playback, progress))

    def page(
        self, playback: Playback, progress: Progress | None = None, *, goes_on: bool = False
    ) -> bytes:
        """Return an HTML page, UTF-8.

        Args:
            playback: What it shows.
            progress: Told of how far it is.
            goes_on: Whether the run goes on; the page then asks its server for `more`.
        """
        origin = drawing_origin(playback.scene)
        playback = near_origin(playback, origin)
        pack = Pack()
        head = _facts(playback) | _view(playback) | {"origin": origin.tolist(), "goes_on": goes_on}
        head |= add_motion(pack, playback, self, progress)
        moving, said = add_part_motion(pack, playback, self)
        still = [part for part in playback.scene.parts if part.motion is None]
        head |= said | add_scene(pack, still, moving.parts)
        head["has_paths"] = _add_paths(pack, playback)
        head |= add_maps(pack, playback) | add_walls(pack, playback) | add_wants(pack, playback)
        head["layers"] = add_layers(pack, playback, head["has_paths"])
        head["kinds"] = [
            kind for row in _kinds(playback) for kind in _add_kind(pack, playback, row)
        ]
        head["gait"] = add_gaits(pack, playback)
        folder = files("rmp3d.viewer.export.web")
        page = Template(folder.joinpath("page.html").read_text(encoding="utf-8"))
        scripts = [folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS]
        text = page.substitute(
            title=escape(playback.title or playback.scene.name),
            recording=pack.encode(head),
            connect="; connect-src 'self'" if goes_on else "",
            player="'use strict';\n" + "\n".join(scripts),
        )
        return text.encode()

    def more(self, playback: Playback, first: int = 0, *, goes_on: bool) -> bytes:
        """Return what a page of a run needs to show all frames so far.

        Args:
            playback: The run so far.
            first: The frame from which on it is sent, of `first_news`.
            goes_on: As of `page`.
        """
        playback, pack = near_origin(playback, drawing_origin(playback.scene)), Pack()
        head = _news(playback, first) | {"goes_on": goes_on}
        latest = last_frames(playback, first)
        head |= add_motion(pack, latest, self, None) | add_part_motion(pack, latest, self)[1]
        head["gait"] = add_gaits(pack, playback, first)
        head |= add_wants(pack, playback, first)
        head["missing"] = missing_wants(playback)
        return pack.encode(head).encode()


def _facts(playback: Playback) -> dict[str, Any]:
    """Return what the page says in words, and the events."""
    return _news(playback, 0) | {
        "title": playback.title or playback.scene.name,
        "scene": playback.scene.name,
        "language": language(),
        "words": words_of_page(),
        "dt": playback.dt,
        "members": playback.member_count,
        "group_of": playback.group_of.tolist(),
        "height": (np.ptp(playback.capsule_axis, axis=1) + 2.0 * playback.radius).tolist(),
    }


def _news(playback: Playback, first: int) -> dict[str, Any]:
    """Return what changes in words and events while a run goes on, from a frame on."""
    begin = first * playback.dt
    return {
        "first": first,
        "frames": playback.frame_count,
        "duration": playback.duration,
        "roofs": roofs(playback),
        "life": None if playback.life is None else (playback.life * playback.dt).tolist(),
        "groups": [
            {
                "name": named(name),
                "size": len(playback.members(group)),
                "color": group_color(group).tolist(),
                "formations": _formations(playback, group),
            }
            for group, name in enumerate(playback.group_names)
        ],
        "events": [
            {
                "time": event.time,
                "kind": event.kind,
                "text": told(event.text, event.kind),
                "who": _who(playback, event),
            }
            for event in playback.events
            if event.time >= begin
        ],
    }


def _who(playback: Playback, event: Event) -> str:
    """Return the member that an event is about, or the group if there are several."""
    name = named(playback.group_names[event.group])
    if event.member >= 0:
        return f"{name} {event.member}"
    return name if len(playback.group_names) > 1 else ""


def _formations(playback: Playback, group: int) -> list[tuple[float, str]]:
    """Return (time [s], name) of the group's first formation and of each later one."""
    rows = playback.formation_of[:, group]
    frames = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
    return [
        (
            float(frame * playback.dt),
            named(playback.formation[rows[frame]]) if rows[frame] >= 0 else "",
        )
        for frame in frames
    ]


def _view(playback: Playback) -> dict[str, Any]:
    """Return the camera that sees all of it, and the sun."""
    bounds = _roomy_bounds(playback)
    camera = iso(scene_bounds(playback), ASPECT)
    light = sun_view_projection(bounds)
    return {
        "camera": {
            "target": camera.target.tolist(),
            "azimuth": float(camera.azimuth),
            "elevation": float(camera.elevation),
            "distance": float(camera.distance),
            "field_of_view": float(camera.field_of_view),
            "aspect": ASPECT,
        },
        "sun": SUN_DIRECTION.tolist(),
        "light": light.T.reshape(-1).tolist(),
        "light_size": float(2.0 / np.linalg.norm(light[:2, :3], axis=1).min()),
    }


def _roomy_bounds(playback: Playback) -> Float:
    """Return the corners (2, 3) [m] of all that is seen, the members' heads included."""
    low, high = whole_bounds(playback)
    if playback.member_count:
        reach = float(np.max(np.abs(playback.capsule_axis)) + playback.radius.max())
        low, high = low - reach, high + reach
    return np.array([low, high])


def _kinds(playback: Playback) -> list[int]:
    """Return the rows of the characters that some member has."""
    return np.unique(playback.character_of).tolist()


def _add_kind(pack: Pack, playback: Playback, row: int) -> list[dict[str, Any]]:
    """Add a character's bodies, one for each look, its poses, and the ring of a walker's feet."""
    character = playback.characters[row]
    members = np.flatnonzero(playback.character_of == row)
    walks, rig = character.grounded, character.rig
    if walks:
        ring = marker(character)
        add_mesh(pack, f"marker{row}", ring, np.ones((len(ring.faces), 3)), 1.0)
    poses = add_poses(pack, f"kind{row}", character)
    add_body_edges(pack, f"kind{row}", character)
    found = []
    if rig is None:
        add_mesh(pack, f"kind{row}", character.mesh, character.colors, dyed_share(character.colors))
        found.append({"body": f"kind{row}", "members": members.tolist()})
    else:
        looks = look_of(members, len(rig.looks))
        for look in np.unique(looks).tolist():
            own, name = rig.looks[look], f"kind{row}_{look}"
            add_mesh(pack, name, own.mesh, own.colors, dyed_share(own.colors), own)
            add_pivots(pack, name, rig, own)
            found.append({"body": name, "members": members[looks == look].tolist()})
    return [each | {"row": row, "marker": walks, "poses": poses} for each in found]


def _add_paths(pack: Pack, playback: Playback) -> bool:
    """Add the paths of all groups; return whether there are any."""
    radius = PATH_WIDTH * float(np.linalg.norm(np.ptp(scene_bounds(playback), axis=0)))
    found = [
        (tube(path + lift(playback, group), radius), group_color(group))
        for group, path in enumerate(playback.paths)
        if len(path) > 1 and np.ptp(path, axis=0).any()
    ]
    if found:
        colors = [np.tile(color, (len(mesh.faces), 1)) for mesh, color in found]
        add_mesh(pack, "paths", join([mesh for mesh, _ in found]), np.concatenate(colors))
    return bool(found)
