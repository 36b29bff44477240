/* Attributes and pragmas that change what a program means, and asm statements without instructions. */

#include "host.h"

static void report(int *p) { printf("cleanup %d\n", *p); }
static void report_double(double *p) { printf("cleanup %g\n", *p); }

static int target(int x) { return x + 1; }
int other(int x) __attribute__((alias("target")));
int named(void) asm("renamed");
int named(void) { return 42; }
extern int shared_object __asm__("object_elsewhere");
int shared_object = 7;

#pragma pack(push, 2)
struct two { char c; int x; short s; double d; };
#pragma pack(push, one, 1)
struct one { char c; int x : 12; int y : 25; double d; } __attribute__((aligned(4)));
#pragma pack(pop, one)
struct two_again { char c; long long x; };
#pragma pack(pop)
struct natural { char c; int x; };
_Pragma("pack(4)") struct four { char c; double d; };
#pragma pack()
struct natural_again { char c; double d; };

typedef int word __attribute__((mode(DI)));
typedef unsigned small __attribute__((__mode__(__QI__)));
typedef float big_float __attribute__((mode(DF)));
typedef int spaced __attribute__((aligned(16)));
typedef long long close_together __attribute__((aligned(2)));
struct with_spaced { char c; spaced x; };
struct with_close { char c; close_together x; };

static int leave(int n)
{
    int a __attribute__((cleanup(report))) = n;
    for (int i = 0; i < 3; i++) {
        int b __attribute__((cleanup(report))) = 10 + i;
        if (i == 1)
            continue;
        if (n == 5)
            goto out;
        if (n == 6 && i == 2)
            break;
        if (n == 7)
            return b + a;
    }
    {
        __attribute__((cleanup(report))) int c = 77, d = 78;
        c++;
    }
    switch (n) {
    case 1: {
        double x __attribute__((cleanup(report_double))) = 1.5;
        if (x > 1)
            goto inside;
    }
    }
out:
inside:
    n = ({ int e __attribute__((cleanup(report))) = n; e + 1; });
    return a += n;
}

struct pair { int x, y; };
static void clear(struct pair *p) { printf("pair %d %d\n", p->x, p->y); p->x = p->y = 0; }
static struct pair returned(void)
{
    struct pair p __attribute__((cleanup(clear))) = {3, 4};
    return p;
}

extern inline __attribute__((gnu_inline)) int quick(int x) { return x + 100; }
int quick(int x) { return x + 200; }

asm("");
asm(" \n\t# a comment");

static int hidden(int x)
{
    int y, z = 3;
    struct pair p = {1, 2};
    int several[2] = {0, 0};
    asm volatile("" : : : "memory");
    asm("" : "+r"(x));
    __asm__ __volatile__("" : "=r"(y) : "0"(x + 1));
    __asm__("# nothing" : [out] "=r"(z) : "[out]"(z * 2), "r"(y), "m"(x) : "cc", "memory");
    asm("" : "+m"(p), "+m"(several) : "g"(&p), "i"(4));
    asm goto("" : : : : somewhere);
somewhere:
    return x * 100 + y * 10 + z + p.x + several[1];
}

[[maybe_unused]] static int unused_here;
struct [[gnu::packed]] tight { char c; int x; };

static int __attribute__((noinline)) (__attribute__((noinline)) grouped)(int x) { return x + 1; }

int main(void)
{
    printf("%d\n", ((int (__attribute__((noinline)) *)(int))grouped)(41));
    int n;
    for (n = 1; n < 8; n++)
        printf("= %d\n", leave(n));
    struct pair p = returned();
    printf("%d %d\n", p.x, p.y);
    printf("%d %d %d\n", other(4), named(), shared_object);
    printf("%d %d %d %d\n", (int)sizeof(struct two), (int)sizeof(struct one), (int)sizeof(struct two_again), (int)sizeof(struct natural));
    printf("%d %d %d\n", (int)sizeof(struct four), (int)sizeof(struct natural_again), (int)_Alignof(struct one));
    printf("%d %d %d\n", (int)sizeof(word), (int)sizeof(small), (int)sizeof(big_float));
    printf("%d %d %d\n", (int)sizeof(struct with_spaced), (int)sizeof(struct with_close), (small)-1);
    printf("%d %d %d\n", hidden(4), quick(1), (int)sizeof(struct tight));
    struct one s = {1, -5, 1 << 20, 2.5}, *q = &s;
    q->y--;
    printf("%d %d %d %g\n", s.c, s.x, s.y, s.d);
    [[maybe_unused]] int a = 1;
    int b [[maybe_unused]] = 2, *c [[maybe_unused]] = &b;
    switch (n) { case 8: n++; [[fallthrough]]; [[likely]] case 9: n++; }
    printf("%d\n", n);
    return 0;
}
