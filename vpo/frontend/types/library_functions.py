"""Functions of the C library that a program may call without a declaration, and as `__builtin_NAME`."""

from __future__ import annotations

import re
from functools import cache

from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import Complex, CType, Func, qualified

# A line has the name, the result, the parameters, a letter each: i int, u unsigned, l long, L long long, z size_t,
# d double, f float, v void; s char *, S const char *, p void *, P const void *, q int *; a dot for further arguments.
_SIGNATURES = """
abort v
exit v i
_Exit v i
abs i i
labs l l
llabs L L
atoi i S
atol l S
atof d S
calloc p zz
malloc p z
realloc p pz
free v p
rand i
srand v u
getenv s S
memchr p Piz
memcmp i PPz
memcpy p pPz
memmove p pPz
memset p piz
strcat s sS
strchr s Si
strcmp i SS
strcpy s sS
strcspn z SS
strdup s S
strlen z S
strncat s sSz
strncmp i SSz
strncpy s sSz
strpbrk s SS
strrchr s Si
strspn z SS
strstr s SS
printf i S.
puts i S
putchar i i
getchar i
scanf i S.
snprintf i szS.
sprintf i sS.
sscanf i SS.
isalnum i i
isalpha i i
isdigit i i
islower i i
isprint i i
ispunct i i
isspace i i
isupper i i
isxdigit i i
tolower i i
toupper i i
aligned_alloc p zz
iscntrl i i
isgraph i i
isblank i i
stpcpy s sS
stpncpy s sSz
mempcpy p pPz
strndup s Sz
strnlen z Sz
vprintf i Ss
vscanf i Ss
vsnprintf i szSs
vsprintf i sSs
vsscanf i SSs
"""

# Those that headers of other names declare, or whose types have names in headers: only as `__builtin_NAME`.
_ONLY_BUILT_IN = """
bcmp i PPz
bcopy v Ppz
bzero v pz
exp10 d d
exp10f f f
exp10l D D
fprintf i pS.
fputc i ip
fputs i Sp
fscanf i pS.
fwrite z Pzzp
imaxabs L L
index s Si
rindex s Si
strcasecmp i SS
strncasecmp i SSz
vfprintf i pSs
vfscanf i pSs
fputc_unlocked i ip
fputs_unlocked i Sp
fwrite_unlocked z Pzzp
putchar_unlocked i i
frexp d dq
frexpf f fq
frexpl D Dq
gamma d d
j0 d d
j1 d d
jn d id
y0 d d
y1 d d
yn d id
lgamma_r d dq
lgammaf_r f fq
modf d dp
modff f fp
modfl D Dp
remquo d ddq
remquof f ffq
remquol D DDq
sincos v dpp
sincosf v fpp
sincosl v Dpp
drem d dd
dremf f ff
scalb d dd
significand d d
__powidf2 d di
__powisf2 f fi
"""

# Those for which there are others, for float and long double, with f or l behind the name.  c complex.
_MATHEMATICS = """
acos d d
acosh d d
asin d d
asinh d d
atan d d
atan2 d dd
atanh d d
cabs d c
carg d c
cbrt d d
ceil d d
cexp c c
cimag d c
clog c c
conj c c
copysign d dd
cos d d
cosh d d
cpow c cc
creal d c
csqrt c c
erf d d
erfc d d
exp d d
exp2 d d
expm1 d d
fabs d d
fdim d dd
floor d d
fma d ddd
fmax d dd
fmin d dd
fmod d dd
hypot d dd
ilogb i d
ldexp d di
llrint L d
llround L d
log d d
log10 d d
log1p d d
log2 d d
logb d d
lrint l d
lround l d
nearbyint d d
nextafter d dd
pow d dd
remainder d dd
rint d d
round d d
scalbln d dl
scalbn d di
sin d d
sinh d d
sqrt d d
tan d d
tanh d d
tgamma d d
lgamma d d
trunc d d
"""


@cache
def _signatures() -> dict[str, tuple[str, str]]:
    """Map the name of each function to the letters of its result and of its parameters."""
    lines = re.findall(r"(?m)^(\w+) (\w)(?: (\S+))?$", _SIGNATURES + _MATHEMATICS)
    found = {name: (result, parameters) for name, result, parameters in lines}
    for name, result, parameters in re.findall(r"(?m)^(\w+) (\w)(?: (\S+))?$", _MATHEMATICS):
        for suffix, letters in (("f", str.maketrans("dc", "fk")), ("l", str.maketrans("dc", "Dm"))):
            found[name + suffix] = (result.translate(letters), parameters.translate(letters))
    return found


@cache
def _built_in_signatures() -> dict[str, tuple[str, str]]:
    found = re.findall(r"(?m)^(\w+) (\w) (\S+)$", _ONLY_BUILT_IN)
    return {name: (result, parameters) for name, result, parameters in found} | _signatures()


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
