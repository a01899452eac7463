"""The verbs of the command line, one module each.

A module's docstring is its help; it has ``add_arguments(parser)`` and ``run(options)``, which
returns the exit code. Imports of anything slow are inside ``run``.
"""
