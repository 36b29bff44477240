"""Functions of the C library that a program may call without a declaration, and as `__builtin_NAME`."""

from __future__ import annotations

import re
from functools import cache

from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import Complex, CType, Func, qualified

# A line has the result, the parameters (-: none) and the functions of that type.  A letter each: i int, u unsigned, l long,
# L long long, z size_t, d double, f float, v void; s char *, S const char *, p void *, P const void *, q int *; a dot for
# further arguments.
_SIGNATURES = """
v -: abort
v i: exit _Exit
i i: abs putchar isalnum isalpha isdigit islower isprint ispunct isspace isupper isxdigit tolower toupper iscntrl
    isgraph isblank
l l: labs
L L: llabs
i S: atoi puts
l S: atol
d S: atof
p zz: calloc aligned_alloc
p z: malloc
p pz: realloc
v p: free
i -: rand getchar
v u: srand
s S: getenv strdup
p Piz: memchr
i PPz: memcmp
p pPz: memcpy memmove mempcpy
p piz: memset
s sS: strcat strcpy stpcpy
s Si: strchr strrchr
i SS: strcmp
z SS: strcspn strspn
z S: strlen
s sSz: strncat strncpy stpncpy
i SSz: strncmp
s SS: strpbrk strstr
i S.: printf scanf
i szS.: snprintf
i sS.: sprintf
i SS.: sscanf
s Sz: strndup
z Sz: strnlen
i Ss: vprintf vscanf
i szSs: vsnprintf
i sSs: vsprintf
i SSs: vsscanf
"""

# Those that headers of other names declare, or whose types have names in headers: only as `__builtin_NAME`.
_ONLY_BUILT_IN = """
i PPz: bcmp
v Ppz: bcopy
v pz: bzero
d d: exp10 gamma j0 j1 y0 y1 significand roundeven
f f: exp10f roundevenf
D D: exp10l roundevenl
i pS.: fprintf fscanf
i ip: fputc fputc_unlocked
i Sp: fputs fputs_unlocked
z Pzzp: fwrite fwrite_unlocked
L L: imaxabs
s Si: index rindex
i SS: strcasecmp
i SSz: strncasecmp
i pSs: vfprintf vfscanf
i i: putchar_unlocked isascii toascii
i u: iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
u u: towlower towupper
v i: _exit
i -: fork
i SS.: execl execlp execle
i SP: execv execvp
i SPP: execve
i pzz: posix_memalign
z szSP: strftime
d dq: frexp lgamma_r
f fq: frexpf lgammaf_r
D Dq: frexpl
d id: jn yn
d dp: modf
f fp: modff
D Dp: modfl
d ddq: remquo
f ffq: remquof
D DDq: remquol
v dpp: sincos
v fpp: sincosf
v Dpp: sincosl
d dd: drem scalb
f ff: dremf
d di: __powidf2
f fi: __powisf2
"""

# Those for which there are others, for float and long double, with f or l behind the name.  c complex.
_MATHEMATICS = """
d d: acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor log log10 log1p log2 logb
    nearbyint rint round sin sinh sqrt tan tanh tgamma lgamma trunc
d dd: atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder
d c: cabs carg cimag creal
c c: cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh csqrt ctan ctanh
c cc: cpow
d ddd: fma
i d: ilogb
d di: ldexp scalbn
L d: llrint llround
l d: lrint lround
d dl: scalbln
"""


def _read(table: str) -> dict[str, tuple[str, str]]:
    """Map the name of each function of a table to the letters of its result and of its parameters."""
    rows = re.findall(r"(?m)^(\w) (\S+): ([\w\s]+)$", table.replace("\n    ", " "))
    return {name: (result, parameters.strip("-")) for result, parameters, names in rows for name in names.split()}


@cache
def _signatures() -> dict[str, tuple[str, str]]:
    mathematics = _read(_MATHEMATICS)
    found = _read(_SIGNATURES) | mathematics
    for name, (result, parameters) in mathematics.items():
        for suffix, letters in (("f", str.maketrans("dc", "fk")), ("l", str.maketrans("dc", "Dm"))):
            found[name + suffix] = (result.translate(letters), parameters.translate(letters))
    return found


@cache
def _built_in_signatures() -> dict[str, tuple[str, str]]:
    return _read(_ONLY_BUILT_IN) | _signatures()


def library_functions() -> frozenset[str]:
    """Return the names of all functions that need no declaration."""
    return frozenset(_signatures())


def is_library_function(name: str) -> bool:
    """Return whether there is `__builtin_NAME`, and that is a function of the library."""
    return name in _built_in_signatures()


def library_function(name: str, types: TypeTable) -> Func | None:
    """Return the type of a library function that needs no declaration, or None for any other name."""
    return _function(_signatures().get(name), types)


def built_in_function(name: str, types: TypeTable) -> Func | None:
    """Return the type of the library function that `__builtin_NAME` is, or None for any other name."""
    return _function(_built_in_signatures().get(name), types)


def _function(found: tuple[str, str] | None, types: TypeTable) -> Func | None:
    if found is None:
        return None
    result, parameters = found
    fixed = tuple(_letter(letter, types) for letter in parameters.rstrip("."))
    return Func(_letter(result, types), fixed, parameters.endswith("."))


def _letter(letter: str, types: TypeTable) -> CType:
    pointers: dict[str, CType] = {"s": types.char, "p": types.void}
    target = pointers.get(letter.lower())
    if target is not None:
        return types.pointer(qualified(target, True, False) if letter.isupper() else target)
    plain: dict[str, CType] = {"i": types.int_, "u": types.uint, "l": types.long, "L": types.llong, "z": types.size_t}
    if letter == "q":
        return types.pointer(types.int_)
    if letter in "ckm":
        return Complex({"c": types.double, "k": types.float_, "m": types.ldouble}[letter])
    plain |= {"D": types.ldouble, "f": types.float_, "d": types.double, "v": types.void}
    return plain[letter]
