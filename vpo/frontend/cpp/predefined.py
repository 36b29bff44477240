"""The macros that exist before the first line of a file: of the language, of the data model, of the target."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from vpo.base.c_standard import Standard
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import Arithmetic
from vpo.il.data_model import DataModel

_SPELLINGS = {"__extension__": "", "__builtin_offsetof": "offsetof"}  # of gcc, spelled in C or away


# Those of gcc that describe the formats of floating types.
_FLOATING = """
FLT RADIX=2 EVAL_METHOD=0 DECIMAL_DIG=9 HAS_DENORM=1 HAS_INFINITY=1 HAS_QUIET_NAN=1
DBL DECIMAL_DIG=17 HAS_DENORM=1 HAS_INFINITY=1 HAS_QUIET_NAN=1
LDBL DECIMAL_DIG=17 HAS_DENORM=1 HAS_INFINITY=1 HAS_QUIET_NAN=1
FLT MANT_DIG=24 DIG=6 MIN_EXP=(-125) MAX_EXP=128 MIN_10_EXP=(-37) MAX_10_EXP=38 MAX=3.40282346638528859812e+38F
FLT MIN=1.17549435082228750797e-38F EPSILON=1.19209289550781250000e-7F DENORM_MIN=1.40129846432481707092e-45F
DBL MANT_DIG=53 DIG=15 MIN_EXP=(-1021) MAX_EXP=1024 MIN_10_EXP=(-307) MAX_10_EXP=308 MAX=1.79769313486231570815e+308
DBL MIN=2.22507385850720138309e-308 EPSILON=2.22044604925031308085e-16 DENORM_MIN=4.94065645841246544177e-324
LDBL MANT_DIG=53 DIG=15 MIN_EXP=(-1021) MAX_EXP=1024 MIN_10_EXP=(-307) MAX_10_EXP=308 MAX=1.79769313486231570815e+308L
LDBL MIN=2.22507385850720138309e-308L EPSILON=2.22044604925031308085e-16L DENORM_MIN=4.94065645841246544177e-324L
"""


def predefined(model: DataModel, standard: Standard) -> dict[str, str]:
    """Return the macros of a data model, as gcc has them, and those of its target."""
    types = TypeTable(model)
    ones = ("__STDC__", "__STDC_UTF_16__", "__STDC_UTF_32__", "__ease__", "__unix__", "__unix")
    macros = dict.fromkeys(ones, "1") | {"__CHAR_BIT__": "8", "__DECIMAL_DIG__": "17", "__FINITE_MATH_ONLY__": "0"}
    macros |= {"__USER_LABEL_PREFIX__": "", "__BIGGEST_ALIGNMENT__": str(max(model.aligns.values()))}
    named = _named_types(types)
    macros |= {f"__{name}_TYPE__": ctype.name for name, ctype in named.items()}
    macros |= standard.macros | _SPELLINGS | _sizes(model, types) | _limits(types, named)
    macros |= _suffixed(types, named) | _floating()
    for number, order in enumerate(("RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST")):
        macros[f"__ATOMIC_{order}"] = str(number)
    macros["__GCC_ATOMIC_TEST_AND_SET_TRUEVAL"] = "1"
    for kind in ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER"):
        macros[f"__GCC_ATOMIC_{kind}_LOCK_FREE"] = "2"  # always
    for number in (1, 2, 4, 8):
        macros[f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{number}"] = "1"
    if standard.gnu:
        macros["unix"] = "1"
    for number, found in enumerate(("NOT_FOUND", "FOUND", "EMPTY")):
        macros[f"__STDC_EMBED_{found}__"] = str(number)
    if standard.edition >= 2011:
        macros["__STDC_NO_THREADS__"] = "1"
    macros["__ORDER_LITTLE_ENDIAN__"] = "1234"
    macros["__ORDER_BIG_ENDIAN__"] = "4321"
    macros["__ORDER_PDP_ENDIAN__"] = "3412"
    macros["__BYTE_ORDER__"] = "__ORDER_BIG_ENDIAN__" if model.big_endian else "__ORDER_LITTLE_ENDIAN__"
    macros["__FLOAT_WORD_ORDER__"] = "__BYTE_ORDER__"
    if not model.char_signed:
        macros["__CHAR_UNSIGNED__"] = "1"
    return macros | model.macros


def _sizes(model: DataModel, types: TypeTable) -> dict[str, str]:
    names = {"short": "SHORT", "int": "INT", "long": "LONG", "llong": "LONG_LONG", "float": "FLOAT", "double": "DOUBLE",
             "ldouble": "LONG_DOUBLE", "pointer": "POINTER"}  # fmt: skip
    found = {f"__SIZEOF_{name}__": str(model.sizes[key]) for key, name in names.items()}
    named = {"SIZE_T": types.size_t, "PTRDIFF_T": types.ptrdiff_t, "WCHAR_T": types.wchar, "WINT_T": types.uint}
    found |= {f"__SIZEOF_{name}__": str(ctype.size) for name, ctype in named.items()}
    widths = [model.sizes[key] for key in ("int", "long", "pointer")]
    kind = "ILP32" if widths == [4, 4, 4] else "LP64" if widths == [4, 8, 8] else ""
    if model.sizes["pointer"] == 8:
        found |= {"__SIZEOF_INT128__": "16", "__int128_t": "__int128", "__uint128_t": "unsigned __int128"}
    return found | ({f"_{kind}": "1", f"__{kind}__": "1"} if kind else {})


def _limits(types: TypeTable, named: Mapping[str, Arithmetic]) -> dict[str, str]:
    """Return the largest values of integer types, and their widths; `named` are the types of headers."""
    basic = {"SCHAR": types.schar, "SHRT": types.short, "INT": types.int_, "LONG": types.long, "LONG_LONG": types.llong}
    measured = basic | {name: ctype for name, ctype in named.items() if not name.startswith("CHAR")}
    found = {f"__{name}_MAX__": _largest(ctype) for name, ctype in measured.items()}
    told = {name for name in measured if not name.startswith("UINT") and not name.endswith(("T8", "T16", "T32", "T64"))}
    told |= {name for name in measured if name.startswith(("INT_LEAST", "INT_FAST"))}  # names of the others tell it
    found |= {f"__{name}_WIDTH__": str(8 * measured[name].size) for name in sorted(told)}
    for name in ("WCHAR", "SIG_ATOMIC", "WINT"):
        is_signed = named[name].il.is_signed
        found[f"__{name}_MIN__"] = f"(-__{name}_MAX__ - 1)" if is_signed else "0U"
    return found


def _suffixed(types: TypeTable, named: Mapping[str, Arithmetic]) -> dict[str, str]:
    """Return the macros that make constants of the types of at least so many bits."""
    found = {}
    for name in ("INT8", "INT16", "INT32", "INT64", "INTMAX"):
        for sign in ("", "U"):
            suffix = _suffix(types.promote(named[sign + name]))
            found[f"__{sign}{name}_C(c)"] = f"c ## {suffix}" if suffix else "c"
    return found


def _suffix(ctype: Arithmetic) -> str:
    return ("" if ctype.il.is_signed else "U") + "L" * ctype.name.count("long")


def _largest(ctype: Arithmetic) -> str:
    bits = 8 * ctype.size - ctype.il.is_signed
    return f"{(1 << bits) - 1}{_suffix(ctype)}"


def _named_types(types: TypeTable) -> dict[str, Arithmetic]:
    """Return the types that headers define."""
    named = {"SIZE": types.size_t, "PTRDIFF": types.ptrdiff_t, "WCHAR": types.wchar, "WINT": types.uint,
             "INTPTR": types.ptrdiff_t, "UINTPTR": types.size_t, "INTMAX": types.llong, "UINTMAX": types.ullong}  # fmt: skip
    for ctype in (types.llong, types.long, types.int_, types.short, types.schar):
        named[f"INT{8 * ctype.size}"] = ctype
    for ctype in (types.ullong, types.ulong, types.uint, types.ushort, types.uchar):
        named[f"UINT{8 * ctype.size}"] = ctype
    for size in (8, 16, 32, 64):
        for sign in ("", "U"):
            named[f"{sign}INT_LEAST{size}"] = named[f"{sign}INT{size}"]
            named[f"{sign}INT_FAST{size}"] = named[f"{sign}INT{size if size in (8, 64) else 32}"]
    named |= {"CHAR16": types.ushort, "CHAR32": types.uint, "SIG_ATOMIC": types.int_}
    return named


def _floating() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _FLOATING.strip().splitlines():
        kind, *words = line.split()
        found |= {f"__{kind}_{name}__": value for name, _, value in (word.partition("=") for word in words)}
    for kind, plain in (("FLT32", "__FLT_"), ("FLT32X", "__DBL_"), ("FLT64", "__DBL_")):  # these types are the plain ones
        named = {name: value for name, value in found.items() if name.startswith(plain)}
        named = {name: value for name, value in named.items() if "RADIX" not in name and "EVAL" not in name}
        found |= {f"__{kind}_{name.removeprefix(plain)}": value for name, value in named.items()}
    return found


# ----------------------------------------------------------------------------------------------------------------------
# The time of translation that `__DATE__` and `__TIME__` tell (6.10.8.1).


_VARIABLE = "SOURCE_DATE_EPOCH"  # seconds that stand for the time, so that builds are the same (reproducible-builds.org)


def translation_time() -> time.struct_time:
    """Return the local time, or what the environment wants it to be, which is Coordinated Universal Time."""
    wanted = os.environ.get(_VARIABLE, "")
    return time.gmtime(int(wanted)) if wanted.isascii() and wanted.isdigit() and len(wanted) < 12 else time.localtime()


def time_of_change(path: str) -> str:
    """Return what `__TIMESTAMP__` tells of a file: the local time of its last change, or gcc's question marks."""
    try:
        return time.strftime("%a %b %e %H:%M:%S %Y", time.localtime(os.stat(path).st_mtime))
    except OSError:
        return "??? ??? ?? ??:??:?? ????"
