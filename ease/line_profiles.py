"""Reports of earlier runs as profiles that guide the compiler."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from vpo.compiler import UserError
from vpo.line_profile import LineProfile


def read_profile(path: Path) -> LineProfile:
    """Read how often lines were executed from a report in JSON.

    Raises UserError if it is none, OSError.
    """
    text = path.read_bytes()
    try:
        report = json.loads(text)
        lines = report["lines"]
        files = {
            file: {int(line): count["dynamic"] / count["static"] for line, count in counts.items() if count["static"]}
            for file, counts in lines.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError([f"{path}: error: not a report in JSON, as `easecc -report FILE.json` writes it"]) from None
    return LineProfile(files, hashlib.sha256(text).hexdigest())
