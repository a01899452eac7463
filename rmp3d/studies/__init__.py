"""Studies: many runs of a scenario with some of its keys varied, and one table of their figures."""

from rmp3d.studies.design import Design, design_of, read_study
from rmp3d.studies.own_figures import FIGURES
from rmp3d.studies.study import Study, run_study

__all__ = ["FIGURES", "Design", "Study", "design_of", "read_study", "run_study"]
