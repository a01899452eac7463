"""Studies: many runs of a scenario with some of its keys varied, and one table of their figures."""

from rmp3d.studies.design import Design, design_of, read_study
from rmp3d.studies.study import Study, run_study

__all__ = ["Design", "Study", "design_of", "read_study", "run_study"]
