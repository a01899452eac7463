"""Arrays that a compiled function only borrows: it does not count who holds them.

Numba counts the references to an array whenever it is put into a tuple, cut or passed on, by atomic
operations on one number in memory. In a loop over thousands of bodies that is most of the time, and
several threads wait for one another there.
"""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


def _borrowed(typing_context: Any, value: Any) -> Any:
    """Return an array, or a tuple of such, whose references are not counted.

    Another variable must hold what it was made of: an argument of the function does, which its
    caller holds; what is made in the function must be `held`. It must not be returned.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owner(context, builder, signature.return_type, arguments[0])

    return value(value), generate


def _held(typing_context: Any, value: Any) -> Any:
    """Let a variable keep its array, or its tuple of such, up to here.

    Numba frees an array behind the last line that reads it, and does not see that a borrowed one
    reads it.
    """
    return types.none(value), lambda context, builder, *_: context.get_dummy_value()


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        kinds: Any = kind
        parts = [
            _without_owner(context, builder, part, builder.extract_value(value, row))
            for row, part in enumerate(kinds.types)
        ]
        return context.make_tuple(builder, kind, parts)
    return value


borrowed: Any = intrinsic(_borrowed)
held: Any = intrinsic(_held)
