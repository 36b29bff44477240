/*
 * Input of the sample cpp: the parts of the C preprocessor, one after another.
 */
#include "preprocess.h"
#include <preprocess.h>
#define HEADER <preprocess.h>
#include HEADER

/* ---- objects and functions ---- */
int version = VERSION;
const char *version_text = EXPAND_AND_STRING(VERSION_MAJOR) "." EXPAND_AND_STRING(VERSION_MINOR);
int largest = MAX(MAX(1, 2), MAX(3, MAX(4, 5)));
int clamped = CLAMP(level + 1, 0, CLAMP(limit, 10, 20));
int spread = MAX(
    first(1, 2), // commas in parentheses do not count
    second[3]
);
MAX
(a, b) MAX + (MIN) (c, d)

/* ---- # and ## ---- */
int EXPAND_AND_PASTE(counter_, LEVEL) = PASTE(1, 0) PASTE(, +) PASTE(2,) PASTE(,);
const char *quoted = STRING(say   "hi\n"  and '\\'  or
    not);
#define hash_hash # ## #
#define in_between(a) STRING(a)
#define join(c, d) in_between(c hash_hash d)
char joined[] = join(x, y);
#define OPERATOR(a, b) a ## b
x OPERATOR(<, <=) 2 OPERATOR(-, >) y OPERATOR(+, +)

/* ---- lists ---- */
#define ENUMERATOR(name, rgb) COLOUR_ ## name,
#define ENTRY(name, rgb) { #name, rgb, STRING(rgb) },
enum colour { COLOURS(ENUMERATOR) COLOUR_COUNT };
static const struct entry entries[] = { COLOURS(ENTRY) };

/* ---- variadic ---- */
#define log(level, ...) fprintf(level > 1 ? stderr : stdout, __VA_ARGS__)
#define show(...) puts(#__VA_ARGS__)
#define count(...) count_(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define count_(a, b, c, d, e, n, ...) n
log(2, "%d of %d\n", MIN(i, n), n);
show(the first,   second, and "third" items);
int counts[] = { count(a), count(a, b), count(a, b, c), count((a, b), (c, d)) };

/* ---- names that stay hidden ---- */
#define recursive recursive + 1
#define ping(x) pong(x)
#define pong(x) ping(x)
#define f(a) f(x * (a))
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
recursive ping(pong(1)) pong(ping)(2)
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
#undef x
#undef f
f(x)

/* ---- conditions ---- */
#if LEVEL >= 2 && defined LEVEL && !defined(NOTHING)
level two
#elif LEVEL / 0
#error "this is not evaluated"
#else
another level
#endif

#ifdef NOTHING
# if 1
not here, don't look
# else
# error nor here
# endif
#elif VERSION == 207
version checked
#endif

#if (1 << 4 | 3) == 19 && -7 / 2 == -3 && -7 % 2 == -1 && (-8 >> 1) == -4
arithmetic
#endif
#if -1 > 0u && 0xffffffffffffffff == -1 && 9223372036854775807 + 0 > 0
unsigned and wide
#endif
#if 'a' < 'b' && '\n' == 10 && '\x41' == 0101 && 0 ? 1 : 2 && 1 || (1 / 0)
characters
#endif
#ifndef UNKNOWN
#if UNKNOWN == 0 && !if
unknown names are 0
#endif
#endif

/* ---- places ---- */
place __LINE__ in __FILE__
a line that is \
continued as sp\
liced
place __LINE__
#line 1000 "elsewhere.c"
place __LINE__ in __FILE__
#define HERE __LINE__
HERE,
    HERE
#pragma keep  this   line
#

/* ---- tokens that must not join ---- */
#define EMPTY
#define MINUS -
#define plus(a) +a
-MINUS-EMPTY-1 plus(+)plus(plus(1)) 1.5e+3+plus(2) .EMPTY.EMPTY. a/EMPTY/b L EMPTY"s" L"s"
"strings with /* no comment */ and VERSION" 'x' /* a comment */ '"' // the end
