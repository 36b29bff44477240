/* Floating arithmetic in both precisions: rounding, comparison with and without order, zeros, infinities. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {0, -0.0, 1, -1, 1.5, 0.1, 1e300, -1e300, 1e-300, 3, 0x1p-1074, 1e16};
#define COUNT ((int)(sizeof values / sizeof *values))

static unsigned sum;

static void add(double x)
{
    unsigned long long bits;

    if (x != x) {
        sum = sum * 31 + 77;
        return;
    }
    memcpy(&bits, &x, 8);
    sum = sum * 31 + (unsigned)bits;
    sum = sum * 31 + (unsigned)(bits >> 32);
}

static void relations(double a, double b)
{
    int n = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;

    if (a < b) n += 64;
    if (a <= b) n += 128;
    if (a > b) n += 256;
    if (a >= b) n += 512;
    if (a == b) n += 1024;
    if (a != b) n += 2048;
    if (!(a < b)) n += 4096;
    if (!(a <= b)) n += 8192;
    if (!(a > b)) n += 16384;
    if (!(a >= b)) n += 32768;
    if (a < b || b < a) n += 65536;
    if (a && !b) n += 131072;
    n += (a ? 1 : 2) + !b;
    while (a < b) { n++; break; }
    sum = sum * 131 + n;
}

static void single(float a, float b)
{
    float c = a + b, d = a - b, e = a * b, f = b != 0 ? a / b : a;

    add(c); add(d); add(e); add(f);
    add(a * b + c); add((float)(a * b) + c * 2.0f); add(c * d - e);
    add(a + 1); add(1 - b); add(a * 3); add(a / 3); add(-a); add(a < 0 ? -a : a);
    relations(a, b);
    sum = sum * 7 + ((a < b) + (a == b) * 2 + (c >= d) * 4 + (e != f) * 8);
}

static double many(double a, float b, double c, float d, double e, float f, double g, float h, double i, float j, int k)
{
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k;
}

static float horner(const float *c, int n, float x)
{
    float r = 0;

    while (n--)
        r = r * x + c[n];
    return r;
}

static double gx = 2.5;
static float gf = -1.25f, table[5] = {1, -2.5f, 3, 0.125f, -0.1f};

int main(void)
{
    volatile double zero = 0;
    double inf = 1 / zero, nan = zero * inf, x, matrix[3][3] = {{2, 1, 0}, {1, 3, 1}, {0, 1, 4}};
    int i, j, k;

    for (i = 0; i < COUNT; i++) {
        for (j = 0; j < COUNT; j++) {
            double a = values[i], b = values[j];

            add(a + b); add(a - b); add(a * b);
            if (b != 0)
                add(a / b);
            relations(a, b);
            single((float)a, (float)b);
        }
        relations(values[i], nan); relations(nan, values[i]);
        relations(values[i], inf); relations(-inf, values[i]);
        printf("%08x ", sum);
    }
    relations(nan, nan); relations(inf, inf); relations(-inf, inf);
    printf("\n%d %d %d %d %d\n", nan == nan, nan != nan, inf > 1e308, -inf < 0, !(nan < 1));
    printf("%g %g %g %g\n", inf, -inf, 1 / -inf, -zero);
    printf("%.17g %.17g\n", 0.1 + 0.2, 1e16 + 1);
    printf("%.9g %.9g\n", 0.1f + 0.2f, 16777216.0f + 1.0f);
    printf("%.2f %.2f\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), many(gx, gf, gx, gf, gx, gf, gx, gf, gx, gf, -1));
    printf("%.9g %.9g\n", horner(table, 5, 1.5f), horner(table, 5, -0.3f));
    gx++; gf--; ++gx; gx += gf; gf *= gx; gf /= 3; x = gx-- - --gf;
    printf("%.17g %.9g %.17g\n", gx, gf, x);
    for (k = 0; k < 3; k++)
        for (i = k + 1; i < 3; i++) {
            double factor = matrix[i][k] / matrix[k][k];

            for (j = k; j < 3; j++)
                matrix[i][j] -= factor * matrix[k][j];
        }
    printf("%.15g\n", matrix[0][0] * matrix[1][1] * matrix[2][2]);
    for (x = 0, i = 1; i < 200; i++)
        x += 1.0 / i / i;
    printf("%.15g %.15g %.9g\n", x, sqrt(6 * x), sqrtf(2.0f));
    for (x = 1; x < 2; x += 0.125f)
        printf("%g ", x);
    printf("\n%08x\n", sum);
    return (int)many(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0);
}
