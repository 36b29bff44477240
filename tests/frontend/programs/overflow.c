/* Arithmetic that tells whether its result fits, of operands and results of different types. */
int printf(const char *, ...);

static unsigned long long sum;

#define ONE(op, A, B, R) \
    { A a = x; B b = y; R r; int lost = __builtin_##op##_overflow(a, b, &r); sum = sum * 31 + lost; sum = sum * 31 + (unsigned long long)r; }
#define RESULTS(op, A, B) ONE(op, A, B, signed char) ONE(op, A, B, unsigned) ONE(op, A, B, long long) ONE(op, A, B, unsigned long long)
#define OPERATIONS(A, B) RESULTS(add, A, B) RESULTS(sub, A, B) RESULTS(mul, A, B)
#define OPERANDS(A) OPERATIONS(A, short) OPERATIONS(A, unsigned) OPERATIONS(A, long long) OPERATIONS(A, unsigned long long)

static const long long values[] = {
    0, 1, -1, 2, -2, 127, 255, 0x7fffffff, 0x80000000, 0xffffffff, -0x80000000LL, 0x100000000, -0x7fffffffffffffffLL - 1,
    0x7fffffffffffffff, 0x123456789abcdef, -77777777777,
};

int main(void)
{
    int i, j, n = sizeof values / sizeof *values;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            long long x = values[i], y = values[j];
            OPERANDS(int)
            OPERANDS(long long)
            OPERANDS(unsigned long long)
        }
        printf("%lld: %llx\n", values[i], sum);
    }
    return 0;
}
