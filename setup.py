"""Builds the wheel: everything under the one name `ease`.

In the source tree and in editable installations `vpo`, `cache_sim` and `machine_descriptions` stand beside `ease`.  Among
other installed packages such names could clash, so the wheel has them as `ease.vpo` and so on, and its modules import them
from there.  The samples become `ease/samples`.  All else about the project is in pyproject.toml.
"""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

MOVED = "vpo|cache_sim|machine_descriptions"
SAMPLES = "samples"
FROM = re.compile(rf"^([ \t]*from )(?=(?:{MOVED})(?:\.| import ))", re.MULTILINE)
IMPORT = re.compile(rf"^([ \t]*)(?=import (?:{MOVED})$)", re.MULTILINE)


def under_one_name(text: str) -> str:
    """Return the text of a module which imports what moves from where it is in the wheel."""
    return IMPORT.sub(r"\1from ease ", FROM.sub(r"\1ease.", text))


class BuildUnderOneName(build_py):
    """Copies the packages, and moves them under `ease` unless they are to be edited where they are."""

    def run(self) -> None:
        """Make the files of the wheel in `build_lib`."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib)
        for name in MOVED.split("|"):
            shutil.rmtree(built / "ease" / name, ignore_errors=True)  # of an earlier build
            shutil.move(built / name, built / "ease" / name)
        for path in (built / "ease").rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            path.write_text(under_one_name(text), encoding="utf-8")
        shutil.copytree(SAMPLES, built / "ease" / SAMPLES, dirs_exist_ok=True)


class OneTopLevelName(egg_info):
    """Says of the wheel that `ease` is all that can be imported."""

    def run(self) -> None:
        """Write the metadata."""
        super().run()
        Path(self.egg_info, "top_level.txt").write_text("ease\n", encoding="utf-8")


setup(cmdclass={"build_py": BuildUnderOneName, "egg_info": OneTopLevelName})
