"""The independent proof: re-checks a recording mesh against mesh, from the file alone.

Nothing here comes from what made the recording: no planner, no behaviors. Scene and characters
are read anew, distances are python-fcl's.
"""

from rmp3d.verification.report import Finding, Report
from rmp3d.verification.verify import verify

__all__ = ["Finding", "Report", "verify"]
