"""The folder in which a page's commands are run: what its reader has when he begins."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "files"  # files that pages name and do not show
BEFORE = {  # what the reader of a page has done
    "pages": ["easecc -m base.yaml -save prog.c", "easecc -m proposed.yaml -save prog.c"],
    "store": ["easecc -m base.yaml -save prog.c", "easecc -m proposed.yaml -save prog.c"],
}


class Setting:
    """A folder with programs and descriptions.

    Where a page shows an output, samples/ has the programs of the project; for its other commands, small ones by these names.
    """

    def __init__(self, page: Path, folder: Path) -> None:
        self.folder = folder
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path, "COLUMNS": "130", "NO_COLOR": "1"}
        self.environment.pop("EASE_MACHINE", None)
        shutil.copytree(FILES, folder, dirs_exist_ok=True)
        for name in ("benchmarks", "machine_descriptions"):
            (folder / name).symlink_to(ROOT / name)
        self._small = folder / "small"
        self._samples = folder / "samples"
        self._own_samples = "    ease samples\n" in page.read_text()  # the page makes them
        self._real = folder / "real"  # a copy, since programs may read files only below the folder in which they run
        shutil.copytree(ROOT / "samples", self._real)
        for source in self._real.glob("*.c"):
            shutil.copy(FILES / "prog.c", self._small / source.name)
        for command in BEFORE.get(page.stem, ()):
            subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, check=True, capture_output=True)

    def before(self, shown: bool) -> None:
        """Put the samples into place for a command whose output is shown, or is not."""
        if not self._own_samples:
            self._samples.unlink(missing_ok=True)
            self._samples.symlink_to(self._real if shown else self._small)
        elif self._samples.exists():
            shutil.copytree(self._small, self._samples, dirs_exist_ok=True)
