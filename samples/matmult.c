/*
 * matmult - multiply two N x N matrices, of integers and of doubles.
 *
 * The factors are pseudo-random.  The elements are small (integers, or
 * multiples of 1/8), so every double result is exact and the printed sums are
 * the same on any machine.  Each product C = A * B is verified by comparing
 * C * x with A * (B * x) for a vector x.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE 40
#define MAX_SIZE 1000

static unsigned long random_state;

static void usage(void)
{
    fprintf(stderr, "usage: matmult [-i | -d] [-s SEED] [N]   (1 <= N <= %d, default %d)\n",
            MAX_SIZE, DEFAULT_SIZE);
    exit(2);
}

/* A small integer, -7..8, from a 32-bit linear congruential generator. */
static int next_random(void)
{
    random_state = (random_state * 1664525UL + 1013904223UL) & 0xffffffffUL;
    return (int)(random_state >> 28) - 7;
}

static void *allocate(size_t count, size_t item_size)
{
    void *memory = malloc(count * item_size);

    if (memory == NULL) {
        fprintf(stderr, "matmult: out of memory\n");
        exit(1);
    }
    return memory;
}

/* ---- integers ---------------------------------------------------------- */

static int *random_int_matrix(int n)
{
    int *m = allocate((size_t)n * n, sizeof *m);
    int i;

    for (i = 0; i < n * n; i++)
        m[i] = next_random();
    return m;
}

static void multiply_int(const int *a, const int *b, int *c, int n)
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            int sum = 0;

            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

/* y = m * x */
static void apply_int(const int *m, const int *x, int *y, int n)
{
    int i, j;

    for (i = 0; i < n; i++) {
        y[i] = 0;
        for (j = 0; j < n; j++)
            y[i] += m[i * n + j] * x[j];
    }
}

static int verify_int(const int *a, const int *b, const int *c, int n)
{
    int *x = allocate((size_t)n * 4, sizeof *x);
    int *bx = x + n, *abx = x + 2 * n, *cx = x + 3 * n;
    int i, ok = 1;

    for (i = 0; i < n; i++)
        x[i] = i % 3 - 1;
    apply_int(b, x, bx, n);
    apply_int(a, bx, abx, n);
    apply_int(c, x, cx, n);
    for (i = 0; i < n; i++)
        ok = ok && abx[i] == cx[i];
    free(x);
    return ok;
}

static int run_int(int n)
{
    int *a = random_int_matrix(n);
    int *b = random_int_matrix(n);
    int *c = allocate((size_t)n * n, sizeof *c);
    unsigned long checksum = 0;
    long trace = 0;
    int i, ok;

    multiply_int(a, b, c, n);
    ok = verify_int(a, b, c, n);
    for (i = 0; i < n * n; i++)
        checksum = (checksum * 31 + (unsigned long)c[i]) & 0xffffffffUL;
    for (i = 0; i < n; i++)
        trace += c[i * n + i];
    printf("int    %d x %d: trace %ld, corner %d, checksum %08lx, %s\n",
           n, n, trace, c[n * n - 1], checksum, ok ? "verified" : "WRONG");
    free(a);
    free(b);
    free(c);
    return ok;
}

/* ---- doubles ----------------------------------------------------------- */

static double *random_double_matrix(int n)
{
    double *m = allocate((size_t)n * n, sizeof *m);
    int i;

    for (i = 0; i < n * n; i++)
        m[i] = next_random() * 0.125;
    return m;
}

static void multiply_double(const double *a, const double *b, double *c, int n)
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double sum = 0.0;

            for (k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

/* y = m * x */
static void apply_double(const double *m, const double *x, double *y, int n)
{
    int i, j;

    for (i = 0; i < n; i++) {
        y[i] = 0.0;
        for (j = 0; j < n; j++)
            y[i] += m[i * n + j] * x[j];
    }
}

static int verify_double(const double *a, const double *b, const double *c, int n)
{
    double *x = allocate((size_t)n * 4, sizeof *x);
    double *bx = x + n, *abx = x + 2 * n, *cx = x + 3 * n;
    int i, ok = 1;

    for (i = 0; i < n; i++)
        x[i] = i % 5 - 1.5;
    apply_double(b, x, bx, n);
    apply_double(a, bx, abx, n);
    apply_double(c, x, cx, n);
    for (i = 0; i < n; i++)
        ok = ok && abx[i] == cx[i];
    free(x);
    return ok;
}

static int run_double(int n)
{
    double *a = random_double_matrix(n);
    double *b = random_double_matrix(n);
    double *c = allocate((size_t)n * n, sizeof *c);
    double trace = 0.0, sum = 0.0, weighted = 0.0;
    int i, ok;

    multiply_double(a, b, c, n);
    ok = verify_double(a, b, c, n);
    for (i = 0; i < n * n; i++) {
        sum += c[i];
        weighted += c[i] * (i % 16);
    }
    for (i = 0; i < n; i++)
        trace += c[i * n + i];
    printf("double %d x %d: trace %.6f, sum %.6f, weighted %.6f, %s\n",
           n, n, trace, sum, weighted, ok ? "verified" : "WRONG");
    free(a);
    free(b);
    free(c);
    return ok;
}

/* ---- command line ------------------------------------------------------ */

static unsigned long parse_number(const char *text, unsigned long low, unsigned long high)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || errno != 0 || value < low || value > high) {
        fprintf(stderr, "matmult: bad number '%s'\n", text);
        usage();
    }
    return value;
}

int main(int argc, char **argv)
{
    int size = DEFAULT_SIZE;
    int want_int = 1, want_double = 1;
    int i, ok = 1;

    random_state = 1;
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-i") == 0)
            want_double = 0;
        else if (strcmp(argv[i], "-d") == 0)
            want_int = 0;
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
            random_state = parse_number(argv[++i], 0, 0xffffffffUL);
        else
            usage();
    }
    if (i < argc)
        size = (int)parse_number(argv[i++], 1, MAX_SIZE);
    if (i < argc || (!want_int && !want_double))
        usage();

    if (want_int)
        ok = run_int(size) && ok;
    if (want_double)
        ok = run_double(size) && ok;
    return ok ? 0 : 1;
}
