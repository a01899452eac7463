"""Goal search: how soon the goal is found and all are there, by rule and number of members.

    python -m benchmarks.search [--seeds 10] [--scenes cave,canyon,...] [--members 1,5,20,50]
                                [-o benchmarks/search.md]

Members are points that walk the search map at cruise speed and do not hinder one another; the goal
is found when one comes to its place. Every seed has a roadmap of its own, on which all rules and
numbers of members search. What bodies and traffic add is in groups_behaviors.md.
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from pathlib import Path
from statistics import median

import networkx as nx
import numpy as np

from rmp3d.behaviors.groups import GoalSearch
from rmp3d.behaviors.groups.search.exploration import Exploration, Rule
from rmp3d.behaviors.groups.search.search_map import SearchMap, map_of
from rmp3d.scenario.loading import load
from rmp3d.simulation.planning import GroupPlan, plan_groups

RULES: tuple[Rule, ...] = ("all_knowing", "adaptive", "random_walk")
GOAL = 1
# Walks of all members together after which a search is given up.
MOST = 200_000
Times = tuple[float, float]


def search_map(scene: str, seed: int) -> tuple[SearchMap, float]:
    """Return the map that a group would search on, and its cruise speed [m/s]."""
    (prepared,) = plan_groups(load(scene, seed=seed, behavior="goal_search"))[1]
    assert isinstance(prepared, GroupPlan)
    path, character = prepared.plan.path, prepared.character
    rules = GoalSearch()
    known = map_of(
        prepared.plan.roadmap, path.points[0], path.points[-1], rules.place_distance, rules.detour,
        rules.clearance_wanted(prepared.group.members, character),
    )  # fmt: skip
    return known, character.parameters.cruise_speed


def search(known: SearchMap, count: int, rule: Rule, seed: int) -> Times:
    """Return when [m walked by each] the goal is found, and when all are there."""
    to_goal = nx.single_source_dijkstra_path_length(_graph(known), GOAL)
    if rule == "all_knowing":
        return to_goal[0], to_goal[0]
    exploration = Exploration(known, count, rule, GoalSearch(), np.random.default_rng(seed))
    # When each member comes to its next place, and from where.
    coming = [(0.0, member) for member in range(count)]
    heapify(coming)
    walks = {member: (0.0, 0) for member in range(count)}
    for _ in range(MOST):
        walked, member = heappop(coming)
        here = exploration.at(member)
        if here == GOAL:
            break
        walks[member] = walked, here
        for place in exploration.next_walk(member).places:
            walked += float(known.length[known.link(here, place)])
            here = place
        heappush(coming, (walked, member))
    else:
        return np.inf, np.inf
    # Told on its way, each goes back or on, whichever is shorter.
    rest = [0.0]
    for arrival, other in coming:
        begun, place = walks[other]
        back = walked - begun + to_goal[place]
        on = arrival - walked + to_goal[exploration.at(other)]
        rest.append(min(back, on))
    return walked, walked + max(rest)


def _graph(known: SearchMap) -> nx.Graph:
    graph = nx.Graph()
    for (a, b), size in zip(known.links.tolist(), known.length.tolist(), strict=True):
        graph.add_edge(a, b, weight=size)
    return graph


def main() -> int:
    options = _options()
    text = "\n".join(_report(options)) + "\n"
    print(text)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the tables."""
    yield "# Goal search by rule and number of members"
    yield ""
    yield f"Made by `python -m benchmarks.search --seeds {options.seeds}`, Python"
    yield f"{platform.python_version()}, {options.seeds} seeds, each with a roadmap of its own."
    yield "Medians [s] and, in brackets, the longest. Members are points that walk the search map"
    yield "at cruise speed without hindering one another. A random walk takes every link at a place"
    yield "alike, that by which it came too. The gain is how much of the way from the random walk"
    yield "to the all-knowing the adaptive rule makes good (1: as soon as the all-knowing)."
    for scene in options.scenes.split(","):
        yield from _table(scene, list(map(int, options.members.split(","))), options.seeds)


def _table(scene: str, members: list[int], seeds: int) -> Iterator[str]:
    maps = [search_map(scene, seed) for seed in range(seeds)]
    places = median(len(known.places) for known, _ in maps)
    links = median(len(known.links) for known, _ in maps)
    yield ""
    yield f"## {scene} ({places:.0f} places, {links:.0f} links)"
    yield ""
    yield (
        "| members | found: all-knowing | adaptive | random walk | gain "
        "| all there: all-knowing | adaptive | random walk | gain |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for count in members:
        times = {
            rule: np.array([
                np.array(search(known, count, rule, seed)) / speed
                for seed, (known, speed) in enumerate(maps)
            ])
            for rule in RULES
        }  # fmt: skip
        cells = [str(count)]
        for kind in (0, 1):
            middle = [float(np.median(times[rule][:, kind])) for rule in RULES]
            cells += [
                f"{value:.0f} ({times[rule][:, kind].max():.0f})"
                for rule, value in zip(RULES, middle, strict=True)
            ]
            cells.append(f"{(middle[2] - middle[1]) / (middle[2] - middle[0]):.2f}")
        yield "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--members", default="1,5,20,50")
    parser.add_argument("--scenes", default="cave,canyon,parking,patio_house")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
