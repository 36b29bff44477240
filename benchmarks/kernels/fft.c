/*
 * fft - fast Fourier transform, radix 2, in place, and its inverse.
 *
 * usage: fft [LOGARITHM [REPEAT]]   of the number of points
 *
 * Strides are powers of two: operands fall on each other in a direct-mapped cache.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct complex {
    double re, im;
};

static struct complex *points, *roots;
static int count;

static void make_roots(void)
{
    double angle = -2.0 * acos(-1.0) / count;

    for (int i = 0; i < count / 2; i++) {
        roots[i].re = cos(angle * i);
        roots[i].im = sin(angle * i);
    }
}

/* Brings the point whose number has the bits of i in reverse to place i. */
static void reverse_order(void)
{
    for (int i = 1, j = 0; i < count; i++) {
        int bit = count >> 1;

        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            struct complex kept = points[i];

            points[i] = points[j];
            points[j] = kept;
        }
    }
}

/* sign 1: forward, -1: inverse, not scaled */
static void transform(double sign)
{
    reverse_order();
    for (int half = 1; half < count; half *= 2) {
        int step = count / (2 * half);

        for (int start = 0; start < count; start += 2 * half)
            for (int k = 0; k < half; k++) {
                struct complex *a = &points[start + k], *b = a + half;
                const struct complex *root = &roots[k * step];
                double re = b->re * root->re - b->im * sign * root->im;
                double im = b->re * sign * root->im + b->im * root->re;

                b->re = a->re - re;
                b->im = a->im - im;
                a->re += re;
                a->im += im;
            }
    }
}

static double original(int i)
{
    return (double)(i * 37 % 101) / 101.0;
}

int main(int argc, char **argv)
{
    int logarithm = argc > 1 ? atoi(argv[1]) : 7, repeat = argc > 2 ? atoi(argv[2]) : 1;
    double power = 0.0, error = 0.0;

    if (logarithm < 1 || logarithm > 20)
        return 1;
    count = 1 << logarithm;
    points = malloc((size_t)count * sizeof *points);
    roots = malloc((size_t)count / 2 * sizeof *roots);
    if (points == NULL || roots == NULL)
        return 1;
    make_roots();
    for (int i = 0; i < count; i++) {
        points[i].re = original(i);
        points[i].im = 0.0;
    }
    for (int n = 0; n < repeat; n++) {
        transform(1.0);
        power = 0.0;
        for (int i = 0; i < count; i++)
            power += points[i].re * points[i].re + points[i].im * points[i].im;
        transform(-1.0);
        for (int i = 0; i < count; i++) {
            points[i].re /= count;
            points[i].im /= count;
        }
    }
    for (int i = 0; i < count; i++)
        error += fabs(points[i].re - original(i)) + fabs(points[i].im);
    printf("fft %d: power %.4f, %s\n", count, power / count, error / count < 1e-9 ? "restored" : "damaged");
    return 0;
}
