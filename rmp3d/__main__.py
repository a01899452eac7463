"""``python -m rmp3d``."""

import sys

from rmp3d.cli import main

sys.exit(main())
