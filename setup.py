"""Builds the wheel: the packages, the samples as `ease/samples`, and native modules.  All else is in pyproject.toml.

mypyc compiles the modules that `[tool.ease] native` names, from the sources that run as they are without it.  A wheel has
native modules if EASE_NATIVE=1, which needs a C compiler and the headers of Python.  What is installed with `-e` has none:
it would go on with them when its sources have changed.

This file is also the build backend, since only for such a wheel mypyc must be there.
"""

import os
import shutil
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Extension, build_meta, setup
from setuptools.build_meta import *  # noqa: F403 - the backend, but for what a wheel requires
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# types of what others wrote do not matter: they may be absent where only the wheel is built
MYPY_OPTIONS = ("--config-file=", "--disable-error-code=import-untyped", "--disable-error-code=import-not-found")


def native_is_wanted() -> bool:
    """Return whether a wheel is to have native modules."""
    return os.environ.get("EASE_NATIVE") == "1"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what must be installed to build a wheel."""
    required: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return [*required, "mypy>=1.20"] if native_is_wanted() else required


def native_extensions() -> list[Extension]:
    """Translate the native modules to C, a file each."""
    from mypyc.build import mypycify

    modules = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["ease"]["native"]
    extensions: list[Extension] = mypycify([*MYPY_OPTIONS, *modules], opt_level="2", debug_level="0", multi_file=True)
    return extensions


class BuildWithSamples(build_py):
    """Copies the packages, and the samples unless the packages are to be edited where they are."""

    def run(self) -> None:
        """Make the files of the wheel in `build_lib`."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)  # what an earlier build left there would be in the wheel
        super().run()
        if not self.editable_mode:
            shutil.copytree("samples", Path(self.build_lib, "ease", "samples"), dirs_exist_ok=True)


class BuildInParallel(build_ext):
    """Compiles as many C files at a time as there are processors, and only those that have changed."""

    def build_extensions(self) -> None:
        """Compile and link the native modules."""
        compile_all = self.compiler.compile

        def compile_one(source: str, options: dict[str, Any]) -> list[str]:
            made: list[str] = self.compiler.object_filenames([source], output_dir=options["output_dir"])
            known = [source, *map(str, Path("build").glob("*.h"))]
            if not Path(made[0]).exists() or max(map(os.path.getmtime, known)) > os.path.getmtime(made[0]):
                compile_all([source], **options)
            return made

        def compile_each(sources: list[str], **options: Any) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return [made for group in pool.map(lambda source: compile_one(source, options), sources) for made in group]

        self.compiler.compile = compile_each
        super().build_extensions()


if __name__ == "__main__":
    native = native_extensions() if "bdist_wheel" in sys.argv and native_is_wanted() else []
    setup(cmdclass={"build_py": BuildWithSamples, "build_ext": BuildInParallel}, ext_modules=native)
