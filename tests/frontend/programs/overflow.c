/* Arithmetic that tells whether its result fits, of operands and results of different types. */
int printf(const char *, ...);

static unsigned long long sum;

#define ONE(op, A, B, R) \
    { A a = x; B b = y; R r; int lost = __builtin_##op##_overflow(a, b, &r); sum = sum * 31 + lost; sum = sum * 31 + (unsigned long long)r; }
#define RESULTS(op, A, B) ONE(op, A, B, signed char) ONE(op, A, B, unsigned) ONE(op, A, B, long long) ONE(op, A, B, unsigned long long)
#define TOLD(op, A, B, R) { A a = x; B b = y; sum = sum * 31 + __builtin_##op##_overflow_p(a, b, (R)0); }
#define OPERATIONS(A, B) \
    RESULTS(add, A, B) RESULTS(sub, A, B) RESULTS(mul, A, B) TOLD(add, A, B, short) TOLD(sub, A, B, int) TOLD(mul, A, B, unsigned)
#define OPERANDS(A) OPERATIONS(A, short) OPERATIONS(A, unsigned) OPERATIONS(A, long long) OPERATIONS(A, unsigned long long)

static const long long values[] = {
    0, 1, -1, 2, -2, 127, 255, 0x7fffffff, 0x80000000, 0xffffffff, -0x80000000LL, 0x100000000, -0x7fffffffffffffffLL - 1,
    0x7fffffffffffffff, 0x123456789abcdef, -77777777777,
};

/* Of constants they are constants. */
_Static_assert(__builtin_add_overflow_p(0x7fffffff, 1, 0), "");
_Static_assert(!__builtin_add_overflow_p(0x7fffffff, 1, 0u), "");
_Static_assert(__builtin_sub_overflow_p(3u, 4, (unsigned char)0), "");
_Static_assert(__builtin_mul_overflow_p(1LL << 40, 1 << 24, 0LL), "");
static int constants[] = {__builtin_mul_overflow_p(20, 13, (signed char)0), __builtin_add_overflow_p(-1, 1u, 0u)};

/* The result has as many bits as a bit-field has. */
static struct { signed s1 : 1; unsigned u3 : 3; signed s6 : 6; unsigned u31 : 31; unsigned u32 : 32; long long s40 : 40; } fields;
#define FIELD(op, f) sum = sum * 3 + __builtin_##op##_overflow_p(x, y, fields.f); sum = sum * 3 + __builtin_##op##_overflow_p((int)x, (char)y, fields.f);
#define FIELDS(op) FIELD(op, s1) FIELD(op, u3) FIELD(op, s6) FIELD(op, u31) FIELD(op, u32) FIELD(op, s40)

int main(void)
{
    int i, j, n = sizeof values / sizeof *values;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            long long x = values[i], y = values[j];
            OPERANDS(int)
            OPERANDS(long long)
            OPERANDS(unsigned long long)
            FIELDS(add)
            FIELDS(sub)
            FIELDS(mul)
        }
        printf("%lld: %llx\n", values[i], sum);
    }
    printf("%d %d\n", constants[0], constants[1]);
    return 0;
}
