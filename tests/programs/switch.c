/* Switches: dense, sparse, of several words, at the ends of the ranges, and through one another. */
#include <limits.h>
#include <stdio.h>

static int dense(int x)
{
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    case 2:
    case 3: return 12;
    case 4: x += 5;
    case 5: return x;
    default: return -1;
    case 7: return 17;
    case 8: return 18;
    case 9: return 19;
    }
}

static int offset(int x)
{
    switch (x) {
    case -1003: return 1;
    case -1002: return 2;
    case -1001: return 3;
    case -1000: return 4;
    case -999: return 5;
    case -996: return 6;
    }
    return 0;
}

static const char *ends(int x)
{
    switch (x) {
    case INT_MIN: return "least";
    case INT_MIN + 1: return "least but one";
    case INT_MIN + 2: return "least but two";
    case -1: return "minus one";
    case 0: return "zero";
    case INT_MAX - 1: return "most but one";
    case INT_MAX: return "most";
    }
    return "other";
}

static const char *unsigned_ends(unsigned x)
{
    switch (x) {
    case 0u: return "zero";
    case 1u: return "one";
    case 0x7fffffffu: return "below half";
    case 0x80000000u: return "half";
    case 0x80000001u: return "above half";
    case 0xfffffffeu: return "most but one";
    case 0xffffffffu: return "most";
    }
    return "other";
}

static int sparse(int x)
{
    switch (x) {
    case 1: return 0;
    case 10: return 1;
    case 100: return 2;
    case 1000: return 3;
    case 10000: return 4;
    case 100000: return 5;
    case 1000000: return 6;
    case -1: return 7;
    case -100000: return 8;
    }
    return 9;
}

static int wide(long long x)
{
    switch (x) {
    case 0: return 1;
    case 1: return 2;
    case -1: return 3;
    case 0x100000000LL: return 4;
    case 0x100000001LL: return 5;
    case -0x100000000LL: return 6;
    case LLONG_MAX: return 7;
    case LLONG_MIN: return 8;
    }
    return 9;
}

static int narrow(unsigned char c)
{
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
    case 0: return 2;
    case 255: return 3;
    case 128: return 4;
    }
    return 0;
}

static int signed_narrow(signed char c)
{
    switch (c) {
    case -128: return 1;
    case -1: return 2;
    case 127: return 3;
    case -2: return 4;
    case -3: return 5;
    case -4: return 6;
    case -5: return 7;
    }
    return 0;
}

static int nested(int a, int b)
{
    int n = 0;

    switch (a) {
    case 1:
        switch (b) {
        case 1: n += 1; break;
        case 2: n += 2;
        default: n += 4;
        }
        n += 8;
    case 2:
        n += 16;
        break;
    case 3:
        for (;;) {
            switch (b--) {
            case 0: goto out;
            case 3: continue;
            default: n += 100;
            }
            if (n > 1000)
                break;
        }
    out:
        n += 32;
    }
    return n;
}

static void copy(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;

    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    *to = 0;
}

enum colour { RED, GREEN = 5, BLUE };

static int of_enum(enum colour c)
{
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 3;
    }
    return 0;
}

int main(void)
{
    static const int values[] = {INT_MIN, INT_MIN + 1, INT_MIN + 2, INT_MIN + 3, -1, 0, 1, INT_MAX - 2, INT_MAX - 1, INT_MAX};
    static const long long wides[] = {0, 1, -1, 0x100000000LL, 0x100000001LL, -0x100000000LL, LLONG_MAX, LLONG_MIN, 2};
    char text[40];
    unsigned i;
    int a, b;

    for (a = -2; a < 12; a++)
        printf("%d ", dense(a));
    printf("%d %d\n", dense(INT_MIN), dense(INT_MAX));
    for (a = -1005; a < -993; a++)
        printf("%d ", offset(a));
    printf("%d %d\n", offset(0), offset(1000));
    for (i = 0; i < sizeof values / sizeof *values; i++)
        printf("%s, %s, %d\n", ends(values[i]), unsigned_ends(values[i]), dense(values[i]));
    for (a = 1; a <= 10000000; a *= 10)
        printf("%d:%d %d %d ", a, sparse(a), sparse(-a), sparse(a + 1));
    printf("\n");
    for (i = 0; i < sizeof wides / sizeof *wides; i++)
        printf("%d ", wide(wides[i]));
    printf("\n");
    for (a = 0, b = 0; a < 300; a++)
        b = b * 3 + narrow(a) + signed_narrow(a);
    printf("%d\n", b);
    for (a = 0; a < 5; a++)
        for (b = 0; b < 5; b++)
            printf("%d ", nested(a, b));
    printf("\n");
    for (a = 1; a < 12; a++) {
        copy(text, "the quick brown fox", a);
        printf("%s|", text);
    }
    printf("\n%d %d %d\n", of_enum(RED), of_enum(GREEN), of_enum(BLUE));
    switch (a)
        ;
    switch (a)
    default: printf("default alone\n");
    switch (a) { case 1: printf("never\n"); }
    return dense(4);
}
