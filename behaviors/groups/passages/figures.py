"""What is told at the end of a run about the plan of formations."""

import numpy as np

from rmp3d.behaviors.groups.formation.plan import FormationPlan
from rmp3d.planner.paths.path import CertifiedPath


def planned_figures(plan: FormationPlan, path: CertifiedPath, reference: str) -> dict[str, object]:
    """Return the length [m] that each formation is planned for, and the path's narrowest place."""
    corridor = plan.corridor
    edges = np.concatenate([plan.station[:1], plan.station, plan.station[-1:]])
    share = 0.5 * (edges[2:] - edges[:-2])
    taken = [plan.options[row].formation for row in plan.choice]
    planned = {
        name: round(float(share[[each == name for each in taken]].sum()), 2)
        for name in plan.formations
    }
    tightest = int(np.argmin(corridor.width))
    place = path.at(corridor.station[tightest : tightest + 1])[0]
    return {
        "reference": reference,
        "path_length": round(path.length, 3),
        "planned_lengths": planned,
        "narrowest": {
            "station": round(float(corridor.station[tightest]), 2),
            "width": round(float(corridor.width[tightest]), 3),
            "place": [round(float(x), 2) for x in place],
        },
    }
