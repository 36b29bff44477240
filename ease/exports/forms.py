"""The forms of one run that need more than its measurement: pages, and the formats of other tools."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ease.store.kept_run import KeptRun

FORMS = {  # by the ending of the file
    ".html": "ease.pages.page:page_of_run",
    ".callgrind": "ease.exports.profiles:as_callgrind",
    ".folded": "ease.exports.profiles:as_folded_stacks",
    ".gcov": "ease.exports.profiles:as_annotated_source",
}


def render_run(run: KeptRun, suffix: str) -> str:
    """Return a run in the form that belongs to a file's suffix.

    Raises KeyError for a suffix that is none of FORMS.
    """
    module, _, name = FORMS[suffix].partition(":")
    text: str = getattr(import_module(module), name)(run)
    return text
