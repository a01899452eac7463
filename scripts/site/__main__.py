"""Build the site: ``python -m scripts.site [-o FOLDER]``; exit code 1 if a link is broken."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

from scripts.site.sources import write_sources


def main(arguments: list[str] | None = None) -> int:
    """Gather the pages, and let Sphinx make the site of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("site"), metavar="FOLDER")
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as scratch:
        sources = Path(scratch) / "pages"
        write_sources(sources)
        # -W: every warning, such as a link that leads nowhere, is an error.
        command = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(Path(__file__).parent)]
        command += ["-d", str(Path(scratch) / "read"), str(sources), str(options.output)]
        return int(build_main(command))


if __name__ == "__main__":
    sys.exit(main())
