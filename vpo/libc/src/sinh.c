/* sinh, cosh, tanh, by sums of two doubles */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "exp.h"

#define MOST 710.4758600739439 /* beyond, sinh and cosh are infinite */

/* e^x / 2 as the sum of what is returned and `low`; `inverse` and `lacks` together become e^-x / 2. */
static double half_exp(double x, double *low, double *inverse, double *lacks)
{
    int exponent;
    double head = __exp_parts(x, 0, low, &exponent);

    *low = ldexp(*low, exponent - 1);
    head = ldexp(head, exponent - 1);
    *inverse = 0.25 / (head + *low);
    *lacks = x > 40 ? 0 : quotient_error(0.25, 0, head, *low, *inverse);
    return head;
}

/* sinh of a positive number as a sum of two doubles. */
static double sinh_parts(double x, double *low)
{
    double head, inverse, lacks, rest;
    double square = x * x;
    int n;

    if (x < 1) {
        double sum = 0;

        for (n = 20; n > 2; n -= 2)
            sum = (sum + 1) * square / (n * (n + 1));
        *low = x * (sum + 1) * square / 6;
        return x;
    }
    head = half_exp(x, low, &inverse, &lacks);
    TWO_SUM(head, rest, head, -inverse);
    *low += rest - lacks;
    return head;
}

static double cosh_parts(double x, double *low)
{
    double inverse, lacks, rest;
    double head = half_exp(x, low, &inverse, &lacks);

    TWO_SUM(head, rest, head, inverse);
    *low += rest + lacks;
    return head;
}

/* What is said of numbers for which sinh and cosh are infinite, or which are none. */
static double beyond(double size)
{
    if (size == size && size != HUGE_VAL)
        errno = ERANGE;
    return size * HUGE_VAL;
}

double sinh(double x)
{
    double low, head;
    double size = fabs(x);

    if (!(size <= MOST))
        return copysign(beyond(size), x);
    head = sinh_parts(size, &low);
    return copysign(head + low, x);
}

double cosh(double x)
{
    double low, head;
    double size = fabs(x);

    if (!(size <= MOST))
        return beyond(size);
    head = cosh_parts(size, &low);
    return head + low;
}

double tanh(double x)
{
    double size = fabs(x);

    if (size > 22)
        size = 1;
    else if (size > 1e-9) {
        double sine, sine_low, cosine, cosine_low;

        sine = sinh_parts(size, &sine_low);
        cosine = cosh_parts(size, &cosine_low);
        TWO_SUM(sine, sine_low, sine, sine_low);
        TWO_SUM(cosine, cosine_low, cosine, cosine_low);
        size = sine / cosine;
        size += quotient_error(sine, sine_low, cosine, cosine_low, size);
    }
    return copysign(size, x);
}
