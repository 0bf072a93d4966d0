"""Settings of the documentation site: ``make site``; the pages are those one reads in the repository too."""

from dawn_env import __version__

project, author, copyright = "dawn_env", "The maintainers of dawn_env", "2026, the maintainers of dawn_env"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["examples", "extra"]
html_extra_path = ["extra"]
html_theme, html_title = "furo", f"dawn_env {__version__}"
html_static_path, html_css_files = ["_static"], ["site.css"]
html_copy_source = False
highlight_language = "text"
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. ", True
