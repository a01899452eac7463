"""The page about a plan: what was asked, the certified path, and the roadmap behind it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.whole_file import write_whole
from rmp3d.plans.body_plan import BodyPlan, Placement, WatchedPlan
from rmp3d.reporting.html_parts import (
    cell_text,
    html_data,
    html_facts,
    html_figure,
    html_page,
    html_table,
)
from rmp3d.reporting.plan_charts import plan_charts
from rmp3d.viewer.texts import tr

MOST_COMPONENTS = 12
"""Of a roadmap that are listed."""


def write_plan_report(plan: WatchedPlan, path: Path) -> None:
    """Write a page about a plan; its path is proved and confirmed again for it.

    Args:
        plan: With a path or without.
        path: The HTML file.

    Raises:
        InputError: The file cannot be written.
    """
    unit = length_unit(plan)
    charts = "\n".join(html_figure(*each) for each in plan_charts(plan, unit))
    sections = {
        "Bodies": _bodies(plan, unit),
        "Charts": charts,
        "Waypoints": "\n".join(_waypoints(body, unit) for body in plan.bodies if body.solved),
        "Components of the roadmap": "\n".join(_components(body) for body in plan.bodies),
        "Result": html_data(_without_paths(plan.facts)),
    }
    lead = "a plan, proved and confirmed again for this page" if plan.solved else "no path"
    page = html_page(plan.title, tr(lead), _facts(plan, unit), sections)
    write_whole(path, page)


def length_unit(plan: WatchedPlan) -> str:
    """Return the unit of lengths for headings; a problem file does not say its own."""
    return "" if any(body.problem.rigid is not None for body in plan.bodies) else "[m]"


def verdict(body: BodyPlan) -> str:
    """Return what the kernels and python-fcl say of a path now."""
    if not body.solved:
        return tr("no path: {why}", why=body.reason)
    wrong = np.flatnonzero(~body.proved)
    if len(wrong):
        text = "{count} of {all} motions are not free, the first one from waypoint {first}"
        return tr(text, count=len(wrong), all=len(body.proved), first=wrong[0] + 1)
    if not body.confirmed:
        return tr("proved by the kernels, but python-fcl finds a contact")
    count = len(body.proved)
    return tr("all {count} motions proved free, and confirmed by python-fcl", count=count)


def _facts(plan: WatchedPlan, unit: str) -> str:
    triangles = sum(len(part.mesh.faces) for part in plan.scene.parts)
    count = len(plan.scene.parts)
    facts = {"scene": tr("{parts} parts, {triangles} triangles", parts=count, triangles=triangles)}
    for body in plan.bodies:
        facts[f"{body.name}, path"] = verdict(body)
        if body.path is not None:
            length = body.facts.get("length") or body.path.length
            facts[f"{body.name}, length"] = f"{cell_text(float(length))} {unit.strip('[]')}".strip()
        for end, place in zip(("start", "goal"), body.ends, strict=True):
            facts[f"{body.name}, {end}"] = place_text(place)
    seconds = plan.facts.get("seconds")
    if seconds:
        spent = (f"{key} {value:.2f}" for key, value in seconds.items() if value is not None)
        facts["seconds of planning"] = ", ".join(spent)
    return html_facts(facts)


def place_text(place: Placement) -> str:
    """Return where a start or goal is, and why it is not free."""
    at = ", ".join(cell_text(float(value)) for value in np.round(place.configuration, 4))
    return f"{at}: {place.reason or tr('free')}"


def _bodies(plan: WatchedPlan, unit: str) -> str:
    header = ("body", "character", "space", f"length {unit}", f"least clearance {unit}",
              "waypoints", "nodes", "edges", "components", "largest component",
              "collision queries", "distance queries")  # fmt: skip
    rows = []
    for body in plan.bodies:
        facts = body.facts
        queries: Mapping[str, Any] = facts.get("queries") or {}
        rows.append([
            body.name, body.character.name, facts.get("space"), facts.get("length"),
            facts.get("clearance_min"), len(body.configurations) or None,
            facts.get("nodes", len(body.nodes)), facts.get("edges", len(body.edges)),
            facts.get("components"), facts.get("largest_component"),
            queries.get("collision"), queries.get("distance"),
        ])  # fmt: skip
    return html_table(header, rows)


def _waypoints(body: BodyPlan, unit: str) -> str:
    """Return a row for each configuration of the path, with its clearance."""
    assert body.path is not None
    turns = ("qw", "qx", "qy", "qz") if body.space.width == 7 else ()
    header = ("body", "waypoint", "x", "y", "z", *turns, f"clearance {unit}", "motion to the next")
    free = [*(tr("free") if good else tr("not free") for good in body.proved.tolist()), None]
    rows = [
        [body.name, row + 1, *values, clearance, said]
        for row, (values, clearance, said) in enumerate(
            zip(body.configurations.tolist(), body.path.clearance.tolist(), free, strict=True)
        )
    ]
    return html_table(header, rows)


def _components(body: BodyPlan) -> str:
    """Return the largest components, with their nodes and edges; the others in one row."""
    nodes = np.bincount(body.component)
    own = body.component[body.edges[:, 0]] if len(body.edges) else np.zeros(0, np.intp)
    edges = np.bincount(own, minlength=len(nodes))
    order = np.argsort(-nodes, kind="stable")
    rows: list[list[Any]] = [
        [body.name, rank + 1, int(nodes[row]), int(edges[row]), float(nodes[row] / nodes.sum())]
        for rank, row in enumerate(order[:MOST_COMPONENTS].tolist())
    ]
    rest = order[MOST_COMPONENTS:]
    if len(rest):
        left = int(nodes[rest].sum())
        text = tr("{count} others", count=len(rest))
        rows.append([body.name, text, left, int(edges[rest].sum()), float(left / nodes.sum())])
    return html_table(("body", "component", "nodes", "edges", "share of the nodes"), rows)


def _without_paths(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts less the paths, which are a table of their own."""
    own = {key: value for key, value in facts.items() if key not in ("path", "stops")}
    if "groups" in own:
        own["groups"] = [_without_paths(group) for group in own["groups"]]
    return own
