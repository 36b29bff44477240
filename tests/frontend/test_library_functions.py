"""Functions that a program may call without a declaration."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.types.library_functions import library_function, library_functions
from vpo.frontend.types.type_table import TypeTable
from vpo.libc import defined_in

HEADERS = Path(__file__).parents[2] / "vpo" / "libc" / "include"


def test_types_are_those_of_the_headers():
    """The headers come behind a call of each function; they would be told to conflict."""
    table = TypeTable(LP64)
    calls = "".join(f"{name}({', '.join('0' for _ in library_function(name, table).parameters)});\n" for name in NAMES)
    includes = "".join(f"#include <{header}.h>\n" for header in ("ctype", "math", "stdio", "stdlib", "string"))
    warnings = []
    compile_c("calls.c", LP64, COptions((str(HEADERS),)), source=f"f() {{ {calls} }}\n{includes}", warn=warnings.append)
    assert {warning.message for warning in warnings} == {f"implicit declaration of function '{name}'" for name in NAMES}


def test_the_library_has_them():
    assert set(defined_in()) >= NAMES


def test_functions_of_other_headers_are_built_in():
    """gcc knows them as `__builtin_NAME`; their declarations in the headers do not conflict."""
    includes = "".join(f"#include <{header}.h>\n" for header in ("complex", "math", "time", "unistd", "wctype", "stdlib"))
    calls = "".join(f"__builtin_{call};\n" for call in BUILT_IN.split())
    warnings = []
    source = f"{includes}void f(void) {{ {calls} }}"
    compile_c("calls.c", LP64, COptions((str(HEADERS),)), source=source, warn=warnings.append)
    assert not warnings
    assert {call.partition("(")[0] for call in BUILT_IN.split()} - {"puts_unlocked"} <= set(defined_in())


NAMES = library_functions()
BUILT_IN = """ccos(1.0) cacoshf(1.0f) cprojl(1.0L) roundeven(2.5) roundevenf(2.5f) isascii(1) toascii(1) iswalpha(1)
towupper(1) _exit(1) fork() execl("a","b",0) execle("a","b",0,0) execv("a",0) execve("a",0,0) posix_memalign(0,8,8)
strftime(0,1,"",0) puts_unlocked("a")"""
