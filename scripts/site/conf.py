"""How Sphinx builds the site; see `scripts.site`."""

import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

project = "RMP3D"
author = "The RMP3D developers"
language = "en"
html_theme = "furo"
html_title = "RMP3D"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00695c", "color-brand-content": "#00695c"},
    "dark_css_variables": {"color-brand-primary": "#4db6ac", "color-brand-content": "#4db6ac"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
default_role = "code"  # `name` in a docstring is code, as it is in Markdown
myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["myst.header", "toc.not_included"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_attr_annotations = False
html_math_renderer = "mathml"


ARRAY = re.compile(
    r"~?numpy\.ndarray\[tuple\[(?:~?typing\.)?Any, \.\.\.\], ~?numpy\.dtype\[~?numpy\.(\w+)\]\]"
)
NAMES = {"float64": "Float", "int64": "Index", "intp": "Index", "bool": "Bool", "bool_": "Bool"}


def setup(app: Any) -> None:
    """Write formulas as MathML, which browsers draw by themselves, and arrays by short names."""
    app.connect("autodoc-process-signature", _short_arrays)
    app.add_html_math_renderer("mathml", (_inline_math, None), (_display_math, None))


def _inline_math(writer: Any, node: nodes.math) -> None:
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display_math(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def _short_arrays(*event: Any) -> tuple[str | None, str | None]:
    """Say `Float` for an array of numbers, as the code does (`rmp3d.geometry.arrays`)."""
    signature, returned = event[-2:]
    return _shortened(signature), _shortened(returned)


def _shortened(text: str | None) -> str | None:
    return text and ARRAY.sub(lambda found: NAMES.get(found.group(1), "array"), text)
