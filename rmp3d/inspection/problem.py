"""What `rmp3d inspect` says of a problem file, or of a result of planning: facts, and text."""

from collections.abc import Mapping
from typing import Any

from rmp3d.plans.body_plan import BodyPlan, Placement, WatchedPlan
from rmp3d.reporting.plan_page import place_text, verdict
from rmp3d.terminal.part_table import part_table


def problem_facts(plan: WatchedPlan, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that ``--json`` prints.

    Args:
        plan: The problem, with a path or without.
        parts: The facts of its scene: parts, bounds, walkable area.
    """
    return {**parts, "bodies": [_body(body) for body in plan.bodies]}


def _body(body: BodyPlan) -> dict[str, Any]:
    mesh, problem = body.character.body.mesh, body.problem
    start, goal = body.ends
    found = {
        "name": body.name,
        "character": body.character.name,
        "space": _space(body),
        "triangles": len(mesh.faces),
        "watertight": mesh.is_watertight,
        "size": (mesh.bounds[1] - mesh.bounds[0]).tolist(),
        "reach": body.space.world.body.radius,
        "bounds": body.space.bounds.tolist(),
        "start": _place(body, start),
        "goal": _place(body, goal),
        "stops": len(problem.stops),
        "notes": list(problem.notes),
    }
    if problem.rigid is not None:
        found["bounds_hold"] = "body" if problem.rigid.contain_body else "reference point"
    if body.facts:
        found["path"] = {
            "solved": body.solved,
            "free": body.solved and bool(body.proved.all()) and body.confirmed,
            "verdict": verdict(body),
            "waypoints": len(body.configurations),
            "length": body.facts.get("length"),
            "clearance_min": body.facts.get("clearance_min"),
        }
    return found


def _space(body: BodyPlan) -> str:
    from rmp3d.plans.facts import name_of

    rigid = body.problem.rigid
    return name_of(body.space) if rigid is None else rigid.space


def _place(body: BodyPlan, place: Placement) -> dict[str, Any]:
    free = not place.reason
    clearance = float(body.clearance(place.configuration[None])[0]) if free else None
    return {
        "configuration": place.configuration.tolist(),
        "free": free,
        "reason": place.reason or None,
        "clearance": clearance,
    }


def problem_text(facts: Mapping[str, Any], plan: WatchedPlan) -> str:
    """Return the facts for people."""
    lines = [part_table(facts["parts"]), ""]
    for body, said in zip(plan.bodies, facts["bodies"], strict=True):
        size = " x ".join(f"{value:.3g}" for value in said["size"])
        lines.append(
            f"body {said['name']}: {said['triangles']} triangles, "
            f"{'' if said['watertight'] else 'not '}watertight, {size}, moves in `{said['space']}`"
        )
        hold = f", which hold the {said['bounds_hold']}" if "bounds_hold" in said else ""
        lines.append(f"bounds {_box(said['bounds'])}{hold}")
        for end, place in zip(("start", "goal"), body.ends, strict=True):
            near = said[end]["clearance"]
            lines.append(
                f"{end} {place_text(place)}" + ("" if near is None else f", clearance {near:.3g}")
            )
        if said["stops"]:
            lines.append(f"{said['stops']} stops between start and goal")
        lines += [f"note: {note}" for note in said["notes"]]
        if "path" in said:
            path = said["path"]
            lines.append(f"path: {path['verdict']}")
            if path["solved"]:
                long, least = path["length"], path["clearance_min"]
                known = "" if long is None else f", length {long:.3f}"
                known += "" if least is None else f", clearance at least {least:.3g}"
                lines.append(f"{path['waypoints']} waypoints{known}")
    return "\n".join(lines)


def _box(bounds: list[list[float]]) -> str:
    low, high = (" ".join(f"{value:.4g}" for value in corner) for corner in bounds)
    return f"({low}) .. ({high})"
