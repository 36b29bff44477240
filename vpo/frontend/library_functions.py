"""Functions of the C library that a program may call without a declaration, and as `__builtin_NAME`."""

from __future__ import annotations

import re
from functools import cache

from vpo.frontend.type_table import TypeTable
from vpo.frontend.types import CType, Func, qualified

# A line has the name, the result, the parameters, a letter each: i int, u unsigned, l long, L long long, z size_t,
# d double, f float, v void; s char *, S const char *, p void *, P const void *; a dot for further arguments.
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
acos d d
asin d d
atan d d
atan2 d dd
ceil d d
copysign d dd
copysignf f ff
cos d d
exp d d
fabsf f f
floor d d
fmod d dd
ldexp d di
log d d
log10 d d
pow d dd
sin d d
sqrtf f f
tan d d
fabs d d
sqrt d d
"""


@cache
def _signatures() -> dict[str, tuple[str, str]]:
    """Map the name of each function to the letters of its result and of its parameters."""
    lines = re.findall(r"(?m)^(\w+) (\w)(?: (\S+))?$", _SIGNATURES)
    return {name: (result, parameters) for name, result, parameters in lines}


def library_functions() -> frozenset[str]:
    """Return the names of all functions that need no declaration."""
    return frozenset(_signatures())


def is_library_function(name: str) -> bool:
    """Return whether a function needs no declaration."""
    return name in _signatures()


def library_function(name: str, types: TypeTable) -> Func | None:
    """Return the type of a library function, or None for any other name."""
    found = _signatures().get(name)
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
    plain |= {"f": types.float_, "d": types.double, "v": types.void}
    return plain[letter]
