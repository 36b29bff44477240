"""Builds the wheel: the packages as they are, and the samples as `ease/samples`.  All else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithSamples(build_py):
    """Copies the packages, and the samples unless the packages are to be edited where they are."""

    def run(self) -> None:
        """Make the files of the wheel in `build_lib`."""
        super().run()
        if not self.editable_mode:
            shutil.copytree("samples", Path(self.build_lib, "ease", "samples"), dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithSamples})
