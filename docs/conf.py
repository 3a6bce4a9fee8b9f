"""The documentation site: `make docs` builds it.

The pages are those that are read on any viewer of Markdown, as they are. The source folder is that of the project, not
docs, so that their links to the README and the changelog lead to pages of the site. No build needs the network.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import treescore

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

project = "treescore"
author = "The treescore developers"
copyright = author
version = release = treescore.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
root_doc = "docs/index"
include_patterns = ["*.md", "bench/README.md", "docs/**"]
exclude_patterns = ["docs/_*"]
language = "en_GB"
nitpicky = False  # types of other libraries have no pages here

myst_heading_anchors = 4  # links name headings as viewers of Markdown do
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autosummary_generate = False
maximum_signature_line_length = 90

html_theme = "furo"
html_title = f"treescore {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_additional_pages = {"index": "to_front_page.html"}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb8e0", "color-brand-content": "#7fb8e0"},
}

_SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!## ).*\n?)*)", re.MULTILINE)
_ROW = re.compile(r"^\| \[[^\]]+\]\((?P<page>[^)#]+)\.md\) \|", re.MULTILINE)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """The tables of the front page are the table of contents, too."""
    if page != root_doc:
        return
    contents = {found["title"]: _ROW.findall(found["body"]) for found in _SECTION.finditer(source[0])}
    last = list(contents)[-1]
    sections = {title: pages for title, pages in contents.items() if title != last}
    sections |= {"Python API": ["api/index"], last: contents[last]}
    for title, pages in sections.items():
        source[0] += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])


def find_public_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.Node) -> nodes.Node | None:
    """Signatures name classes as modules do, the reference as users do: both mean the same."""
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in treescore.__all__:
        return None
    python: Any = env.get_domain("py")
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", f"treescore.{name}", node, shown)


def to_rst(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings write `code` as pages do; examples stay as they are."""
    example = False
    for place, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            parts = line.split("`")
            parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
            parts[1::2] = [f"\\ ``{part}``\\ " for part in parts[1::2]]  # "\\ " is no blank, and lets a letter follow
            lines[place] = "".join(parts)


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", to_rst)
    app.connect("missing-reference", find_public_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
