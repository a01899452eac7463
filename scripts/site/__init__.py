"""The documentation site: the pages of docs/, and those made from the code.

``python -m scripts.site`` (or ``make docs``) writes it into site/; `conf.py` says how it looks.
"""
