/* The run-time routines, against the machine's own operations. */
#include <stdio.h>
#include "random.h"

#ifdef OURS
uint32_t __mulsi3(uint32_t, uint32_t), __udivsi3(uint32_t, uint32_t), __umodsi3(uint32_t, uint32_t);
int32_t __divsi3(int32_t, int32_t), __modsi3(int32_t, int32_t);
uint64_t __muldi3(uint64_t, uint64_t), __udivdi3(uint64_t, uint64_t), __umoddi3(uint64_t, uint64_t);
int64_t __divdi3(int64_t, int64_t), __moddi3(int64_t, int64_t), __ashrdi3(int64_t, int);
uint64_t __ashldi3(uint64_t, int), __lshrdi3(uint64_t, int);
double __floatdidf(int64_t), __floatundidf(uint64_t), __floatunsidf(uint32_t);
float __floatdisf(int64_t), __floatundisf(uint64_t);
int64_t __fixdfdi(double), __fixsfdi(float);
uint64_t __fixunsdfdi(double), __fixunssfdi(float);
uint32_t __fixunsdfsi(double);

static int failures;

#define CHECK(name, is, should) \
    if ((is) != (should) && failures++ < 20) \
    printf(name " %llx %llx: %llx, not %llx\n", (unsigned long long)a, (unsigned long long)b, (unsigned long long)(is), \
           (unsigned long long)(should))

static void check(uint64_t a, uint64_t b)
{
    int count = b & 63;
    uint32_t c = (uint32_t)a;
    uint32_t d = (uint32_t)b;
    double real;

    CHECK("mul", __muldi3(a, b), a * b);
    CHECK("mulsi", __mulsi3(c, d), c * d);
    CHECK("shl", __ashldi3(a, count), a << count);
    CHECK("shr", __lshrdi3(a, count), a >> count);
    CHECK("sar", __ashrdi3(a, count), (int64_t)a >> count);
    if (b) {
        CHECK("udiv", __udivdi3(a, b), a / b);
        CHECK("umod", __umoddi3(a, b), a % b);
        if (b != -1) {
            CHECK("div", __divdi3(a, b), (int64_t)a / (int64_t)b);
            CHECK("mod", __moddi3(a, b), (int64_t)a % (int64_t)b);
        }
    }
    if (d) {
        CHECK("udivsi", __udivsi3(c, d), c / d);
        CHECK("umodsi", __umodsi3(c, d), c % d);
        if (d != -1) {
            CHECK("divsi", __divsi3(c, d), (int32_t)c / (int32_t)d);
            CHECK("modsi", __modsi3(c, d), (int32_t)c % (int32_t)d);
        }
    }
    CHECK("float", __floatdidf(a), (double)(int64_t)a);
    CHECK("floatun", __floatundidf(a), (double)a);
    CHECK("floatunsi", __floatunsidf(c), (double)c);
    CHECK("floatsf", __floatdisf(a), (float)(int64_t)a);
    CHECK("floatunsf", __floatundisf(a), (float)a);
    real = (double)(a >> 1) / 65536;
    CHECK("fix", __fixdfdi(real), (int64_t)real);
    CHECK("fix", __fixdfdi(-real), (int64_t)-real);
    CHECK("fixsf", __fixsfdi((float)-real), (int64_t)(float)-real);
    real = (double)(a >> 1) * 1.9;
    CHECK("fixun", __fixunsdfdi(real), (uint64_t)real);
    CHECK("fixunsf", __fixunssfdi((float)real), (uint64_t)(float)real);
    real = c + 0.75;
    CHECK("fixunsi", __fixunsdfsi(real), (uint32_t)real);
}

int main(void)
{
    static const uint64_t edges[] = {
        0, 1, 2, 3, 9, 10, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x10001, 0x7fffffff, 0x80000000, 0x80000001,
        0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, 0x1ffffffff, 0x7fffffffffffffff, 0x8000000000000000,
        0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0xffff0000ffff, 0xffffffff00000000,
        0xfffffffe00000001, 0x20000000000001, 0x20000000000003, 0x4000000000000001, 0x5555555555555555
    };
    int count = sizeof edges / sizeof *edges;
    int i, j;

    for (i = 0; i < count; i++)
        for (j = 0; j < count; j++)
            check(edges[i], edges[j]);
    for (i = 0; i < 200000; i++) {
        uint64_t a = next64() >> next() % 64;
        uint64_t b = next64() >> next() % 64;

        check(a, b);
        check(a * b + i % 3, b);
    }
    printf("%d failures\n", failures);
    return 0;
}
#else
int main(void)
{
    printf("0 failures\n");
    return 0;
}
#endif
