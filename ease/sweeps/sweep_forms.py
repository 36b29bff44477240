"""The forms of what a sweep found, by the endings of files."""

from __future__ import annotations

from collections.abc import Callable

from ease.sweeps.sweep_run import Swept
from ease.sweeps.sweep_table import as_csv, as_json, as_markdown, as_text


def _as_svg(swept: Swept) -> str:
    from ease.sweeps.sweep_pictures import as_svg

    return as_svg(swept)


def _as_png(swept: Swept) -> bytes:
    from ease.reports.pictures import as_png

    return as_png(_as_svg(swept))


FORMS: dict[str, Callable[[Swept], str | bytes]] = {
    ".txt": as_text, "": as_text, ".md": as_markdown, ".csv": as_csv, ".json": as_json, ".svg": _as_svg, ".png": _as_png,
}  # fmt: skip
