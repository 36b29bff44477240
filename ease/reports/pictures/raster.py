"""Pictures as PNG, drawn from their SVG (by resvg)."""

from __future__ import annotations

ZOOM = 2.0  # pixels of the file for one of the picture: text stays sharp on today's screens


def as_png(svg: str) -> bytes:
    """Return a picture as PNG; its text takes a font of the system."""
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=ZOOM))
