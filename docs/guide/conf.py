"""Sphinx builds the user's guide with this file: packaging/guide.sh. The pages are also readable as Markdown."""
import os
import pathlib
import re
import tomllib

from docutils import nodes
from sphinx.transforms import SphinxTransform

GUIDE = pathlib.Path(__file__).parent
SOURCE = GUIDE.parent.parent

project = "Sweepscope"
author = "the developers of Sweepscope"
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]  # tables of keys are followed by deeper headings in docs/*.md

highlight_language = "text"  # of blocks that name none
html_theme = "furo"
html_title = f"Sweepscope {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_favicon = str(SOURCE / "resources/icons/sweepscope.svg")
pygments_style = "default"

man_pages = [
    ("reference/sweepctl", "sweepctl", "run hyperparameter sweeps of distributed PyTorch training", author, 1),
    ("reference/window", "sweepscope", "window of sweeps of distributed PyTorch training", author, 1),
]
man_show_urls = False

# The guide includes user documents of docs/ and packaging/ as symbolic links. They also link to documents for developers, which are not
# in the guide.
LINK = re.compile(r"\[([^\]\[]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def guide_page(path):
    """The page of the guide that has the contents of this file, or None."""
    if GUIDE in path.parents:
        return path
    pages = (page for page in (GUIDE / "reference").glob("*.md") if page.is_symlink())
    return next((page for page in pages if page.resolve() == path), None)


def rewrite_links(app, docname, source):
    page = GUIDE / f"{docname}.md"

    def rewritten(link):
        text, target, anchor = link.group(1), link.group(2), link.group(3) or ""
        to = guide_page((page.resolve().parent / target).resolve())
        if to is None:
            return text
        return f"[{text}]({os.path.relpath(to, page.parent)}{anchor})"

    if page.is_symlink():
        source[0] = LINK.sub(rewritten, source[0])


# What tests/guide/run reads is also Markdown that a code host shows. In HTML, files have their name as a caption.
MARK = re.compile(r"^<!-- (?:file: (?P<file>\S+)|[\w: -]+) -->\n\n?(?:```(?P<language>\w+)\n)?", re.MULTILINE)


def rewrite_marks(app, docname, source):
    def rewritten(mark):
        if not mark["language"]:
            return ""
        return f"```{{code-block}} {mark['language']}\n" + (f":caption: {mark['file']}\n\n" if mark["file"] else "\n")

    source[0] = MARK.sub(rewritten, source[0])


PICTURE = re.compile(r"(.*pictures/)(\w+)-light\.png")


class DarkPictures(SphinxTransform):
    """A picture of the catalogue follows the theme of the page, and has a caption. Manual pages have no pictures."""
    default_priority = 200  # before Sphinx numbers figures

    def apply(self):
        catalogue = tomllib.loads((GUIDE / "pictures.toml").read_text(encoding="utf-8"))
        for image in list(self.document.findall(nodes.image)):
            match = PICTURE.fullmatch(image["uri"])
            if not match:
                continue
            if self.app.builder.format == "man":
                image.parent.parent.remove(image.parent)
                continue
            folder, name = match.groups()
            image.parent.replace_self([  # the paragraph
                nodes.figure("", nodes.image(uri=f"{folder}{name}-{theme}.png", alt=image["alt"]),
                             nodes.caption("", catalogue[name]["caption"]), classes=[f"only-{theme}"])
                for theme in ("light", "dark")])


def setup(app):
    app.connect("source-read", rewrite_links)
    app.connect("source-read", rewrite_marks)
    app.add_transform(DarkPictures)
    return {"parallel_read_safe": True}
