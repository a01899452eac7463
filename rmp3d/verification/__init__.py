"""The independent verification: it checks a recording, mesh against mesh, from the file alone.

It uses no planner, behavior or simulation. Scene and characters are read again from their files,
and python-fcl measures the distances.
"""

from rmp3d.verification.report import Finding, Report
from rmp3d.verification.verify import verify

__all__ = ["Finding", "Report", "verify"]
