/* What GNU and older systems have beside the standards: sorting with an argument, streams without locks, names of mathematics. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int by_remainder(const void *a, const void *b, void *modulus)
{
    int x = *(const int *)a % *(int *)modulus, y = *(const int *)b % *(int *)modulus;

    return x - y;
}

static int by_sorted(const void *a, const void *b, void *modulus)
{
    int inner[3] = {5, 9, 7}, three = 3;

    qsort_r(inner, 3, sizeof *inner, by_remainder, &three); /* 9 7 5 */
    return inner[0] == 9 ? by_remainder(a, b, modulus) : 0;
}

int main(void)
{
    int numbers[] = {17, 4, 23, 8, 31, 12, 40}, ten = 10;
    double sine, cosine;
    char line[8];

    qsort_r(numbers, 7, sizeof *numbers, by_remainder, &ten);
    for (int i = 0; i < 7; i++)
        printf("%d ", numbers[i] % 10);
    qsort_r(numbers, 7, sizeof *numbers, by_sorted, &ten);
    printf("%d %d\n", numbers[0] % 10, numbers[6] % 10);
    printf("%d %d %d %d %d\n", ffsl(0), ffsl(8), ffsll(1LL << 40), ffsll(-1), ffsll(0x8000000000000000ULL));
    printf("%g %g %d %d %d\n", drem(7, 2), drem(-9, 4), finite(1), finite(INFINITY), finite(NAN));
    printf("%.12g %g %g %g\n", gamma(5), scalb(3, 4), scalb(-1, -2), significand(-12.5));
    printf("%g %g %g %g\n", exp10(3), exp10(-2), exp10f(2), exp10(400));
    sincos(0.5, &sine, &cosine);
    printf("%.12g %.12g\n", sine, cosine);
    setlinebuf(stdout);
    flockfile(stdout);
    putc_unlocked('a', stdout);
    putchar_unlocked('b');
    fputs_unlocked("c\n", stdout);
    printf("%d\n", (int)fwrite_unlocked("de\n", 1, 3, stdout));
    funlockfile(stdout);
    printf("%d %d\n", feof_unlocked(stdin), ferror_unlocked(stdout));
    printf("%d", getc_unlocked(stdin));
    printf(" %d", getchar_unlocked());
    printf(" [%s]\n", fgets_unlocked(line, sizeof line, stdin));
    printf("%d\n", (int)fread_unlocked(line, 1, 4, stdin));
    return 0;
}
