"""The time of translation that `__DATE__` and `__TIME__` tell (6.10.8.1)."""

from __future__ import annotations

import os
import time

_VARIABLE = "SOURCE_DATE_EPOCH"  # seconds that stand for the time, so that builds are the same (reproducible-builds.org)


def translation_time() -> time.struct_time:
    """Return the local time, or what the environment wants it to be, which is Coordinated Universal Time."""
    wanted = os.environ.get(_VARIABLE, "")
    return time.gmtime(int(wanted)) if wanted.isascii() and wanted.isdigit() and len(wanted) < 12 else time.localtime()
