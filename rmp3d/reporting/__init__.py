"""Pages about a run or a plan: what happened, in figures, tables and charts."""

from rmp3d.reporting.page import write_report
from rmp3d.reporting.plan_page import write_plan_report

__all__ = ["write_plan_report", "write_report"]
