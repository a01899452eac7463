"""Progress bars: on standard error, only on a terminal, and not with ``-q``."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(label: str, unit: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """Yield a callback (done, total) that moves a bar; None if no bar is shown."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    file = getattr(sys.stderr, "raw", sys.stderr)  # the bar moves the cursor
    with tqdm(
        desc=label, unit=f" {unit}", leave=False, dynamic_ncols=True, delay=0.2, file=file
    ) as bar:

        def move(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield move
