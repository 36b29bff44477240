/* The exponential function of complex numbers. */

#include <complex.h>
#include <math.h>
#include "exp.h"

#define BEYOND 3000.0 /* e to this power is infinite even after a product with the smallest sine */

double _Complex __exp_times(double x, double real, double imaginary, int exponent)
{
    double low, head;
    int scale;

    x = x > BEYOND ? BEYOND : x < -BEYOND ? -BEYOND : x;
    head = __exp_parts(x, 0, &low, &scale);
    scale += exponent - 100; /* so that products of subnormal parts keep all digits */
    head += low;
    return CMPLX(ldexp(head * (0x1p100 * real), scale), ldexp(head * (0x1p100 * imaginary), scale));
}

double _Complex cexp(double _Complex z)
{
    double x = __real__ z, y = __imag__ z;

    if (y == 0.0)
        return CMPLX(exp(x), y);
    if (isfinite(x) && isfinite(y))
        return __exp_times(x, cos(y), sin(y), 0);
    if (isinf(x) && !isfinite(y))
        return x < 0 ? CMPLX(0.0, 0.0) : CMPLX(x, NAN);
    return CMPLX(exp(x) * cos(y), exp(x) * sin(y));
}

float _Complex cexpf(float _Complex z) { return cexp(z); }
long double _Complex cexpl(long double _Complex z) { return cexp(z); }
