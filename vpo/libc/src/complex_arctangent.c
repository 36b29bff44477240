/* Inverse tangents of complex numbers. */

#include <complex.h>
#include <math.h>

#define PI_2 1.5707963267948966

/* The real part, for x that is not negative: a logarithm of how far away 1 is, compared with -1. */
static double real_part(double x, double y)
{
    double distance = hypot(1 - x, y);

    if (distance < 1e-150)
        return 0.5 * (log(2) - log(distance));
    return 0.25 * log1p(4 * (x / distance) / distance);
}

double _Complex catanh(double _Complex z)
{
    double x = fabs(__real__ z), y = __imag__ z;

    if (isinf(x) || isinf(y))
        return CMPLX(copysign(0.0, __real__ z), copysign(PI_2, y));
    return CMPLX(copysign(real_part(x, y), __real__ z), 0.5 * atan2(y, 0.5 * ((1 - x) * (1 + x) - y * y)));
}

double _Complex catan(double _Complex z)
{
    double _Complex w = catanh(CMPLX(-__imag__ z, __real__ z));
    return CMPLX(__imag__ w, -__real__ w);
}

float _Complex catanhf(float _Complex z) { return catanh(z); }
long double _Complex catanhl(long double _Complex z) { return catanh(z); }
float _Complex catanf(float _Complex z) { return catan(z); }
long double _Complex catanl(long double _Complex z) { return catan(z); }
