"""Settings of the documentation site: ``make site``; the pages are those one reads in the repository too."""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from dawn_env import __version__

project, author, copyright = "dawn_env", "The maintainers of dawn_env", "2026, the maintainers of dawn_env"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["examples", "notes"]
html_theme, html_title = "furo", f"dawn_env {__version__}"
html_copy_source = False
highlight_language = "text"
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. ", True


class PageLinks(SphinxTransform):
    """Pages are named as files, such as ``options.md``; on the site such a name is a link that shows their title."""

    default_priority = 500

    def apply(self, **_) -> None:
        for literal in list(self.document.findall(nodes.literal)):
            name = literal.astext().removeprefix("docs/")
            if name.endswith(".md") and (Path(self.app.srcdir) / name).exists():
                literal.replace_self(self._link(name.removesuffix(".md"), literal))

    def _link(self, page: str, literal: nodes.literal) -> addnodes.pending_xref:
        link = addnodes.pending_xref(
            "", refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=False, refdoc=self.env.docname
        )
        link += literal.deepcopy()
        return link


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.add_transform(PageLinks)
