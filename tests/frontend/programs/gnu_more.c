/* More extensions of gcc: values of nested statement expressions, labels of blocks, casts to unions, built-in functions. */

#include "host.h"

struct three { int a, b, c; };
union mixed { int i; float f; struct three t; };
typedef union { int *p; struct three *t; } pointers __attribute__((transparent_union));

struct wide { unsigned long long a : 33, b : 40; long long c : 41; unsigned long long d : 64; };

static struct three make(int n) { return (struct three){ n, n + 1, n + 2 }; }
static int first(pointers p) { return *p.p; }
static struct three fixed = (struct three){ 7, 8, 9 };
static struct { int n; struct three t[2]; } nested = { 1, { (struct three){ 2, 3 }, { 4 } } };

static int twice(int n)
{
    int count = 0;
#define AGAIN(limit) ({ __label__ again, done; int k = 0; again: if (k++ < limit) goto again; goto done; done: count += k; k; })
    int sum = AGAIN(n) + AGAIN(3);
    return 100 * sum + count;
}

static int jump(int n)
{
    __label__ low, high;
    void *where = n > 5 ? &&high : &&low;
    goto *where;
low:
    return 1;
high:
    return 2;
}

static int list(int n, ...)
{
    __builtin_va_list ap, again;
    int sum = 0;
    __builtin_va_start(ap, n);
    __builtin_va_copy(again, ap);
    sum += __builtin_va_arg(ap, int);
    sum += (int)__builtin_va_arg(ap, double);
    sum += __builtin_va_arg(ap, struct three).b;
    sum += __builtin_va_arg(again, int);
    __builtin_va_end(ap);
    __builtin_va_end(again);
    return sum;
}

static int calls;
static const char letter = 0x42;
static const double half = (double)letter / 2, more = 1 + letter;
static const char digits[] = "0123456789";
struct parts { const char c[30]; const short d[3]; double x; struct { int i; } t; };
static const struct parts parts[] = {
    { "0123", { 1, 2 }, 2.5, { 7 } }, { "89012345678901234567890123456", { 3, 4, 5 }, .25, { 8 } },
};
static const char seventh = digits[7], letter_b = "abc"[1], of_parts = parts[1].c[4];
static const int short_parts = parts[0].d[1] + parts[1].d[2] * 10, inner_part = parts[1].t.i;
static const double float_parts = parts[1].x + parts[0].x;
static struct { struct { int i; } t; } in_literal = { .t = { (int){ 6 } } };
static int of_literal[] = (int[]){ [2] = 6, 7 }, of_length[] = (int[3]){ 1 };
static int known[] = { __builtin_constant_p(calls) ? 1 : 2, __builtin_constant_p(3) && 1 };
struct unfinished { int a; double b };
extern void nothing;

int main(void)
{
    printf("%g %g %d %d ", half, more, known[0], known[1]);
    printf("%c %c %c %d %d %g %d\n", seventh, letter_b, of_parts, short_parts, inner_part, float_parts, in_literal.t.i);
    _Float32 f32 = 1.5f32;
    printf("%d %d %g ", (int)sizeof(_Float32), (int)sizeof 1.0f64, (double)f32 + 0.25f32x);
    printf("%d %d\n", (int)sizeof of_literal + of_literal[3], (int)sizeof of_length + of_length[0]);
    struct three d = ({ ({ make(3); }); });
    printf("%d %d\n", d.b, ({ int x = 3; skip: x + 1; }));
    union mixed u = (union mixed)5;
    printf("%d ", u.i);
    u = (union mixed)2.5f;
    printf("%g ", u.f);
    u = (union mixed)d;
    printf("%d\n", u.t.c);
    printf("%d %d\n", first(&d.c), first(&d));
    printf("%d %d %d\n", fixed.c, nested.t[0].b, nested.t[1].a);
    printf("%d %d %d\n", twice(4), jump(1), jump(9));
    printf("%d\n", list(4, 10, 20.5, d));
    struct wide w = { 1ULL << 32, (1ULL << 39) + 5, -3, 7 };
    printf("%llx %llx %llx %llx\n", (unsigned long long)(w.a + w.a), (unsigned long long)(w.a << 1),
           (unsigned long long)(w.b * 2), (unsigned long long)(w.b + w.a));
    printf("%lld %lld %d %d\n", (long long)(w.c * w.c), (long long)(w.c - 1), w.a - w.b > w.d, ++w.a - 1 == w.a);
    int side = 1;
    if (__builtin_expect(side > 0, side++))
        printf("%d %d\n", side, (int)sizeof(__builtin_expect(1, 1)));
    printf("%d %d %d\n", (int)2147483648.0f, (unsigned char)-5.0, (short)1e9);
    for (int i = -2; i < 3; i++)
        printf("%d %d %d %d ", __builtin_clrsb(i), __builtin_clrsbll((long long)i << 40), __builtin_ffsll((long long)i << 35), __builtin_ffs(i));
    printf("\n");
    double x = 2.5, nan = __builtin_nan(""), inf = __builtin_inf();
    printf("%d %d %d %d\n", __builtin_isnan(nan), __builtin_isinf_sign(-inf), !!__builtin_signbit(-0.0), __builtin_isfinite(x));
    printf("%d %d %d %d\n", __builtin_isunordered(x, nan), __builtin_isgreater(x, 1), __builtin_islessgreater(x, nan), __builtin_isless(1.0f, x));
    printf("%d %d %d\n", __builtin_fpclassify(1, 2, 3, 4, 5, x), __builtin_fpclassify(1, 2, 3, 4, 5, nan), __builtin_fpclassify(1, 2, 3, 4, 5, 1e-310));
    printf("%d %d %d %d\n", __builtin_classify_type(x), __builtin_classify_type(&x), __builtin_classify_type(d), __builtin_classify_type(u));
    printf("%d %d\n", __builtin_choose_expr(1, side, "text"), (int)sizeof(__builtin_choose_expr(0, side, 'c' + 0LL)));
    printf("%d %d %d\n", (int)sizeof(__INT_LEAST16_TYPE__), (int)sizeof(__UINT_FAST8_TYPE__), (int)sizeof(__CHAR32_TYPE__));
    __auto_type row = (int(*)[++side])0;
    __auto_type same = row;
    printf("%d %d %d\n", side, (int)sizeof(*row), (int)sizeof(*same));
    return 0;
}
