"""Results that are kept for as long as what they are about exists."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

About = TypeVar("About")
Rest = ParamSpec("Rest")
Result = TypeVar("Result")


def weak_cache(
    function: Callable[Concatenate[About, Rest], Result],
) -> Callable[Concatenate[About, Rest], Result]:
    """Return the function with a memory of its results, by its arguments, all given by position.

    What is kept is let go with the first argument, a scene's surface say, which must be hashable by
    identity; the result must not refer to it.
    """
    kept: WeakKeyDictionary[About, dict[tuple[object, ...], Result]] = WeakKeyDictionary()

    @wraps(function)
    def recalled(first: About, *rest: Rest.args, **named: Rest.kwargs) -> Result:
        assert not named
        results = kept.setdefault(first, {})
        if rest not in results:
            results[rest] = function(first, *rest, **named)
        return results[rest]

    return recalled
