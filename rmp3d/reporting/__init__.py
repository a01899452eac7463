"""A page about a run: what happened, in figures, tables and charts."""

from rmp3d.reporting.page import write_report

__all__ = ["write_report"]
