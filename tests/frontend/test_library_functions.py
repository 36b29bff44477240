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


NAMES = library_functions()
