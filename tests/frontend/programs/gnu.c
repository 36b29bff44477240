/* What programs for gcc use beyond C. */
#include "host.h"
#define print(x) printf("%ld\n", (long)(x))

static int calls;
static int next(void) { return ++calls; }
static unsigned patterns[] = {0, 1, 2, 0x80000000u, 0xFFFFFFFFu, 0x00F0F000u, 12345};

static void bits(void)
{
    int i;
    for (i = 0; i < 7; i++) {
        unsigned x = patterns[i];
        unsigned long long wide = (unsigned long long)x << 31 | 5 * (i & 1);
        if (x) print(__builtin_clz(x)), print(__builtin_ctz(x));
        if (wide) print(__builtin_clzll(wide)), print(__builtin_ctzll(wide));
        print(__builtin_ffs(x)), print(__builtin_ffsll(wide));
        print(__builtin_popcount(x)), print(__builtin_popcountll(wide)), print(__builtin_parity(x));
        print(__builtin_bswap16(x)), print(__builtin_bswap32(x)), print(__builtin_bswap64(wide) >> 32);
    }
}

static void library(void)
{
    char text[8];
    __builtin_memset(text, 'a', 8);
    __builtin_strcpy(text + 1, "bc");
    print(__builtin_strlen(text)), print(__builtin_strcmp(text, "abc")), print(__builtin_abs(-3));
    if (calls > 1000) __builtin_trap();
    if (calls > 1000) __builtin_unreachable();
    __builtin_prefetch(text);
    print(__builtin_constant_p(3 + 4)), print(__builtin_constant_p(next())), print(calls);
}

struct pair { int a, b; };

static int classify(unsigned c)
{
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f': case 'A' ... 'F': return 2;
    case 0x80000000u ... 0xFFFFFFF0u: c = 3;
    case 7: return c;
    case 9 ... 8: return 100;
    }
    return -1;
}

static int spans(signed char c)
{
    switch (next(), c) {
    case -100 ... -1: return c;
    case 0: return 0;
    default: return 1;
    }
}

static void statement_expressions(int n)
{
    int total = 0, i;
    struct pair p = {1, 2}, q = ({ struct pair r = p; r.b += n; r; });
    for (i = 0; i < 5; i++) {
        total += i + ({ int t = next(); if (i == 3) break; if (t & 1) continue; t * 10; });
        total += ({ int s = 0; for (;;) { if (++s > 3) break; } s; });
    }
    print(total), print(i), print(q.a + 10 * q.b), print(({ p = q; p; }).b);
    print(n && ({ total++; total > 3; })), print(total);
    print(sizeof(({ char c = 1; c; }))), (void)({ goto out; 1; });
    print(-1);
out:
    ({ ; }), ({ next(); (void)0; });
    print(calls);
}

static void conditional(int n, const char *text)
{
    static int chosen = 0 ?: 6;
    print(n ?: 5), print(next() ?: 7), print(calls), print(chosen), print((text ?: "none")[0]);
    if (n ?: 0) print(1);
    n ?: next();
    print(calls), print(1.5 ?: 2);
}

typeof(calls) ranges[] = {[0 ... 3] = 7, [5] = 1, [8 ... 9] = 2, 3};
struct pair pairs[4] = {[1 ... 2] = {.b = 4}, [3].a = 9}, old_style = {a: 1, b: 2};

static int labels(const unsigned char *code)
{
    static const void *const table[] = {&&add, &&subtract, &&twice, &&end};
    int sum = 1;
    goto *table[*code++];
add: sum += 3; goto *table[*code++];
subtract: sum -= 1; goto *table[*code++];
twice: sum *= 2; goto *table[*code++];
end: return sum;
}

enum later *pointer_to_later;
enum later { one_of_them = 5 };

static void types_of_values(void)
{
    typeof(pairs[0]) copy = pairs[1];
    typeof(int *) pointer = &copy.b;
    __typeof__(next()) unsigned_not = -1;
    void *where = &&here;
    goto *where;
    *pointer = 100;
here:
    print(*pointer), print(unsigned_not), print(calls);
    print(sizeof *pointer_to_later), print(__INT_MAX__), print((__SIZE_TYPE__)-1 == __SIZE_MAX__), print(__DBL_DIG__);
    print(sizeof(__INT16_TYPE__)), print(sizeof(__UINT64_TYPE__)), print(__SCHAR_MAX__), print(sizeof(__INTPTR_TYPE__));
}

int main(void)
{
    unsigned tests[] = {'0', '5', '9', ':', 'a', 'F', 'g', 7, 8, 9, 0x80000000u, 0xFFFFFFF0u, 0xFFFFFFF1u}, i;
    for (i = 0; i < sizeof tests / sizeof *tests; i++) print(classify(tests[i]));
    print(spans(-128)), print(spans(-100)), print(spans(-1)), print(spans(0)), print(spans(5));
    statement_expressions(3), statement_expressions(0);
    conditional(0, 0), conditional(2, "x");
    bits();
    library();
    for (i = 0; i < sizeof ranges / sizeof *ranges; i++) print(ranges[i]);
    print(pairs[1].b), print(pairs[2].b), print(pairs[3].a), print(old_style.b);
    print(labels((const unsigned char *)"\0\1\2\0\2\3"));
    types_of_values();
    return 0;
}
