"""Options of reading C go as one record from the command line to the preprocessor."""

import inspect
from dataclasses import fields

import pytest

from vpo.base.c_standard import LIBRARY_STANDARD, find_standard
from vpo.build.c_file import CFile
from vpo.build.compiler import Compiler, Settings
from vpo.frontend import compile_c, preprocess
from vpo.frontend.c_options import COptions
from vpo.frontend.cpp.directives import Preprocessor
from vpo.frontend.preprocess import Job
from vpo.frontend.warnings.flags import NOTHING
from vpo.machines.read.load import load

GIVEN = COptions(("a",), ("b",), ("c",), (("D", "1"),), ("U",), ("h.h",), NOTHING, find_standard("c90"))


@pytest.mark.parametrize("what", [Settings, CFile, Job, Preprocessor, preprocess, compile_c])
def test_no_option_is_written_out_again(what):
    assert not {field.name for field in fields(COptions)} & set(inspect.signature(what).parameters)


def test_the_library_is_read_as_if_nothing_was_given():
    settings = Compiler(load("riscv32"), Settings(c=GIVEN, wrapped=("malloc",)))._library_settings
    assert settings == Settings(c=COptions(warnings=NOTHING, standard=LIBRARY_STANDARD), wrapped=("malloc",), groups=False)
