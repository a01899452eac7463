"""Goal search on maps: how soon the goal is found and all are there, by rule and members.

    python -m benchmarks.search [--seeds 20] [--scenes cave,canyon,...] [--members 1,5,20,50]
                                [-o benchmarks/search.md]

Members are points that walk the search map at cruise speed and do not hinder one another; the goal
is found when one comes to its place. Rules, memories and weights are those of the simulation. Every
seed has a roadmap of its own, on which all rules and numbers of members search. What bodies and
traffic add is in search_bodies.md.
"""

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks.campaign import publish
from benchmarks.search_cases import BASE, CASES, LEARNING, MEANING, OFF, SCENES
from rmp3d.behaviors.groups import GoalSearch
from rmp3d.behaviors.groups.group_behavior import GroupBehavior
from rmp3d.behaviors.groups.search.exploration import Exploration
from rmp3d.behaviors.groups.search.learning import LinkWeights
from rmp3d.behaviors.groups.search.search_map import GOAL, START, SearchMap, map_of
from rmp3d.behaviors.groups.search.search_options import Recall
from rmp3d.behaviors.groups.search.strengthened_route import StrengthenedRoute
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.planner.roadmap.learned import LearnedWeights
from rmp3d.scenario.loading import load
from rmp3d.simulation import GroupPlan, plan_groups
from rmp3d.simulation.tasks import task_of

# Walks of all members together after which a search is given up.
MOST = 400_000
MANY = 20  # members in the summaries
RECALLS: tuple[Recall, ...] = ("none", "faded", "full")


class Times(NamedTuple):
    """When [m walked by each] the goal is found, when all are there, and what was learned."""

    first: float
    all_there: float
    learned: LearnedWeights | None


class Map(NamedTuple):
    """A search map, the same with the goal elsewhere, and a cruise speed [m/s]."""

    known: SearchMap
    moved: SearchMap
    speed: float


def search_maps(scene: str, seed: int) -> Map:
    """Return the maps that a group would search on."""
    (prepared,) = plan_groups(load(scene, seed=seed, behavior="goal_search"))[1]
    assert isinstance(prepared, GroupPlan)
    behavior: GroupBehavior = prepared.behavior
    assert isinstance(behavior, GoalSearch)
    task = task_of([prepared], 0, 1 / 30, np.random.default_rng([seed, 0, 1]))
    assert isinstance(task, GroupTask)
    known = behavior.search_map(task)
    # The goal moves to the place that is farthest from it and not nearer to the start.
    to_start, to_goal = (StrengthenedRoute(known, [end]) for end in (START, GOAL))
    far = [k for k in range(2, len(known.places)) if to_start.length(k) > 0.5 * to_start.length(1)]
    elsewhere = known.places[max(far, key=to_goal.length)]
    moved = map_of(
        known.roadmap, known.places[START], elsewhere, behavior.covers(task.character),
        behavior.detour, known.clearance_wanted,
    )  # fmt: skip
    return Map(known, moved, prepared.character.parameters.cruise_speed)


def search(
    known: SearchMap, behavior: GoalSearch, count: int, seed: int,
    learned: LearnedWeights | None = None,
) -> Times:  # fmt: skip
    """Return when the goal is found, and when all are there; infinite if it is given up."""
    if behavior.rule == "all_knowing":
        length = StrengthenedRoute(known, [GOAL]).length(START)
        return Times(length, length, None)
    weights = LinkWeights(known, behavior, behavior.weighs)
    if learned is not None:
        weights.begin_with(learned, faded=behavior.recall == "faded")
    rng = np.random.default_rng(seed)
    exploration = Exploration(known, count, weights, rng, memory=behavior.remembers)
    # When each member comes to its next place, and from where.
    coming = [(0.0, member) for member in range(count)]
    heapify(coming)
    walks = {member: (0.0, START) for member in range(count)}
    first, there = np.inf, 0
    for _ in range(MOST):
        walked, member = heappop(coming)
        here = exploration.at(member)
        if here != GOAL or exploration.is_laying(member):
            there_next = exploration.next_walk(member).place
        else:
            first = min(first, walked)
            walk_back = behavior.weighs and behavior.laid == "walked_back"
            route = exploration.find(member, walk_back=walk_back and behavior.rule == "trails")
            if behavior.rule == "told":
                told = StrengthenedRoute(known, route if behavior.weighs else [GOAL])
                rest = _rest(told, exploration, coming, walks, walked)
                return Times(first, walked + rest, weights.learned({}))
            if not exploration.is_laying(member):
                there += 1
                if there == count:
                    return Times(first, walked, weights.learned({}))
                continue
            there_next = exploration.at(member)
        walks[member] = walked, here
        heappush(coming, (walked + float(known.length[known.link(here, there_next)]), member))
    return Times(first, np.inf, weights.learned({}))


def _rest(
    told: StrengthenedRoute, exploration: Exploration, coming: Sequence[tuple[float, int]],
    walks: dict[int, tuple[float, int]], now: float,
) -> float:  # fmt: skip
    """Return how far the last one has to go that is told on its way, back or on [m]."""
    rest = [0.0]
    for arrival, member in coming:
        begun, place = walks[member]
        back = now - begun + told.length(place)
        on = arrival - now + told.length(exploration.at(member))
        rest.append(min(back, on))
    return max(rest)


def main() -> int:
    options = _options()
    maps = {
        scene: [search_maps(scene, seed) for seed in range(options.seeds)]
        for scene in options.scenes.split(",")
    }
    publish(_report(maps, list(map(int, options.members.split(",")))), options.output)
    return 0


def _report(maps: dict[str, list[Map]], members: list[int]) -> Iterator[str]:
    """Yield the lines of the tables."""
    seeds = len(next(iter(maps.values())))
    yield "# Goal search on maps, by rule and number of members"
    yield ""
    told = ",".join(map(str, members))
    yield f"Made by `python -m benchmarks.search --seeds {seeds} --members {told}`, Python"
    yield f"{platform.python_version()}. On every map {seeds} roadmaps (seeds 0 to {seeds - 1})"
    yield "and one search each. Times are medians [s]: until the first finds the goal / until all"
    yield "are there. **Members are points** that walk the search map at cruise speed and do not"
    yield "hinder one another; rules and weights are those of the simulation. Runs with bodies and"
    yield "traffic are in [search_bodies.md](search_bodies.md)."
    yield ""
    yield MEANING
    results = {}
    for scene, known in maps.items():
        yield from _scene(scene, known, members, results)
    if MANY in members:
        yield from _savings(results)
    yield from _switched_off(maps)
    yield from _moved(maps)


Cell = tuple[str, int, str]


def _scene(
    scene: str, maps: list[Map], members: list[int], results: dict[Cell, np.ndarray]
) -> Iterator[str]:
    places = median(len(each.known.places) for each in maps)
    links = median(len(each.known.links) for each in maps)
    knowing = np.median([_seconds(each, GoalSearch(rule="all_knowing"), 1, 0)[0] for each in maps])
    yield ""
    yield f"## {scene} ({places:.0f} places, {links:.0f} links; all-knowing {knowing:.0f} s)"
    yield ""
    names = [*CASES, *(f"{name} again" for name in LEARNING)]
    yield "| members | " + " | ".join(names) + " |"
    yield "|" + "---|" * (len(names) + 1)
    for count in members:
        for name, behavior in CASES.items():
            times, again = [], []
            for seed, each in enumerate(maps):
                found = search(each.known, behavior, count, seed)
                times.append(np.array(found[:2]) / each.speed)
                if name in LEARNING:
                    later = search(each.known, behavior, count, 1000 + seed, found.learned)
                    again.append(np.array(later[:2]) / each.speed)
            results[scene, count, name] = np.array(times)
            if again:
                results[scene, count, f"{name} again"] = np.array(again)
        cells = [_cell(results[scene, count, name]) for name in names]
        yield f"| {count} | " + " | ".join(cells) + " |"


def _cell(times: np.ndarray) -> str:
    first, last = np.median(times, axis=0)
    return f"{first:.0f} / {last:.0f}"


def _seconds(each: Map, behavior: GoalSearch, count: int, seed: int) -> np.ndarray:
    return np.array(search(each.known, behavior, count, seed)[:2]) / each.speed


def _savings(results: dict[Cell, np.ndarray]) -> Iterator[str]:
    """Yield how much of the time until all are there is saved against memory without weights."""
    yield ""
    yield f"## What is saved with {MANY} members"
    yield ""
    yield f"Share of the median time until all are there, against `{BASE}`."
    yield ""
    names = [*LEARNING, *(f"{name} again" for name in LEARNING)]
    yield "| map | " + " | ".join(names) + " |"
    yield "|" + "---|" * (len(names) + 1)
    for scene in dict.fromkeys(key[0] for key in results):
        base = np.median(results[scene, MANY, BASE][:, 1])
        saved = (1.0 - np.median(results[scene, MANY, name][:, 1]) / base for name in names)
        yield f"| {scene} | " + " | ".join(f"{each:.0%}" for each in saved) + " |"


def _switched_off(maps: dict[str, list[Map]]) -> Iterator[str]:
    """Yield what is lost without each part of the rule."""
    yield ""
    yield f"## Switched off, {MANY} members"
    yield ""
    yield f"Times until the first / until all, as shares of those of `{BASE}`: the mean over the"
    yield "maps of the ratio of medians. Without weights `told` goes to the goal by the shortest"
    yield "way over the map."
    yield ""
    yield "| switched off | told | told again | trails | trails again |"
    yield "|---|---|---|---|---|"
    base = {
        scene: np.median(
            [_seconds(each, CASES[BASE], MANY, seed) for seed, each in enumerate(known)], axis=0
        )
        for scene, known in maps.items()
    }
    for words, changed in OFF.items():
        cells = []
        for name in ("told", "trails"):
            behavior = replace(CASES[name], **changed)
            ratios: list[list[np.ndarray]] = [[], []]
            for scene, known in maps.items():
                times: list[list[np.ndarray]] = [[], []]
                for seed, each in enumerate(known):
                    found = search(each.known, behavior, MANY, seed)
                    later = search(each.known, behavior, MANY, 1000 + seed, found.learned)
                    for kept, result in zip(times, (found, later), strict=True):
                        kept.append(np.array(result[:2]) / each.speed)
                for kept, ratio in zip(times, ratios, strict=True):
                    ratio.append(np.median(kept, axis=0) / base[scene])
            cells += ["{:.2f} / {:.2f}".format(*np.mean(ratio, axis=0)) for ratio in ratios]
        yield f"| {words} | " + " | ".join(cells) + " |"


def _moved(maps: dict[str, list[Map]]) -> Iterator[str]:
    """Yield how soon a goal is found that is elsewhere in the second run."""
    yield ""
    yield f"## The goal has moved, {MANY} members"
    yield ""
    yield "The goal of the second run is far from that of the first. `none`: without the weights of"
    yield "the first run; `faded`: with them, as usual; `full`: with them as they were. `found`:"
    yield "searches with them, of all, in which all members are there in the end."
    yield ""
    header = [f"{name}, {recall}" for name in LEARNING for recall in RECALLS]
    yield f"| map | found | {BASE} | " + " | ".join(header) + " |"
    yield "|" + "---|" * (len(header) + 3)
    ratios: list[np.ndarray] = []
    for scene, known in maps.items():
        base = _again_elsewhere(known, CASES[BASE])
        times = [
            _again_elsewhere(known, replace(CASES[name], recall=recall))
            for name in LEARNING for recall in RECALLS
        ]  # fmt: skip
        late = [each for row, each in enumerate(times) if row % len(RECALLS)]
        done = sum(int(np.isfinite(each).all(axis=1).sum()) for each in late)
        cells = [_cell(each) for each in (base, *times)]
        yield f"| {scene} | {done} of {len(late) * len(known)} | " + " | ".join(cells) + " |"
        medians = np.median(times, axis=1).reshape(len(LEARNING), len(RECALLS), 2)
        ratios.append(medians / medians[:, :1])
    cells = ["{:.2f} / {:.2f}".format(*each) for each in np.mean(ratios, axis=0).reshape(-1, 2)]
    yield "| mean share of `none` | | | " + " | ".join(cells) + " |"


def _again_elsewhere(maps: list[Map], behavior: GoalSearch) -> np.ndarray:
    """Return times (M, 2) [s] of searches for a goal that was elsewhere in the run before."""
    times = []
    for seed, each in enumerate(maps):
        learned = search(each.known, behavior, MANY, seed).learned if behavior.recalls else None
        found = search(each.moved, behavior, MANY, 1000 + seed, learned)
        times.append(np.array(found[:2]) / each.speed)
    return np.array(times)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--members", default="1,5,20,50")
    parser.add_argument("--scenes", default=SCENES)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
