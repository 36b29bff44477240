"""Draws what `docs/gallery.md` shows, for the site.

python -m tests.docs.gallery FOLDER     run the page's commands, and leave what it shows in FOLDER
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.docs.blocks import ROOT, Step, parts, run
from tests.docs.setting import Setting

PAGE = ROOT / "docs" / "gallery.md"
SHOWN = re.compile(r'(?:href|src)="gallery/([^"]+)"')


def draw(folder: Path) -> None:
    """Run the commands of the page on the project's programs, and put what it shows into a folder.

    Raises ValueError for a command that fails, and OSError for a file that none has written.
    """
    with tempfile.TemporaryDirectory() as name:
        setting = Setting(PAGE, Path(name))
        for part in parts(PAGE.read_text()):
            if not isinstance(part, Step):
                Path(name, part.name or "").write_text(part.text)
                continue
            print(part.command, flush=True)
            status, printed = run(replace(part, shown=()), setting)
            if status:
                raise ValueError("\n".join((part.command, *printed)))
        for shown in dict.fromkeys(SHOWN.findall(PAGE.read_text())):
            (folder / shown).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(name, shown), folder / shown)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
