"""The toolchain file for CMake: editions of C that projects require are known, and that the system is like Unix."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ease

PROJECT = """\
cmake_minimum_required(VERSION 3.10)
project(p C)
if(NOT UNIX OR WIN32)
  message(FATAL_ERROR "which system is this?")
endif()
add_library(u STATIC u.c)
target_compile_features(u PUBLIC c_std_11 c_static_assert)
set_target_properties(u PROPERTIES C_STANDARD 23 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
"""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is missing")
def test_projects_may_require_an_edition_of_c(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "u.c").write_text("int u;\n")
    toolchain = Path(ease.__file__).parent / "cmake" / "ease.cmake"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = ["cmake", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-G", "Unix Makefiles", "-S", ".", "-B", "build"]
    done = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "-std=c23" in (tmp_path / "build/CMakeFiles/u.dir/flags.make").read_text()
