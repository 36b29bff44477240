/* Hyperbolic functions of complex numbers. */

#include <complex.h>
#include <math.h>
#include "exp.h"

#define LARGE 40.0 /* from here on, sinh and cosh are half of e^x */

double _Complex csinh(double _Complex z)
{
    double x = __real__ z, y = __imag__ z;

    if (y == 0.0)
        return CMPLX(sinh(x), y);
    if (isfinite(x) && fabs(x) > LARGE)
        return __exp_times(fabs(x), copysign(1.0, x) * cos(y), sin(y), -1);
    return CMPLX(x == 0.0 && !isfinite(y) ? x : sinh(x) * cos(y), cosh(x) * sin(y));
}

double _Complex ccosh(double _Complex z)
{
    double x = __real__ z, y = __imag__ z;

    if (y == 0.0)
        return CMPLX(cosh(x), copysign(y, copysign(1.0, x) * y));
    if (isfinite(x) && fabs(x) > LARGE)
        return __exp_times(fabs(x), cos(y), copysign(1.0, x) * sin(y), -1);
    return CMPLX(cosh(x) * cos(y), x == 0.0 ? copysign(x, sinh(x) * sin(y)) : sinh(x) * sin(y));
}

double _Complex ctanh(double _Complex z)
{
    double x = __real__ z, y = __imag__ z, t, s, u;

    if (fabs(x) > 20.0)
        return CMPLX(copysign(1.0, x), isinf(x) && !isfinite(y) ? 0.0 : 4 * sin(y) * cos(y) * exp(-2 * fabs(x)));
    t = tan(y);
    s = sinh(x);
    u = sqrt(1 + s * s);
    return CMPLX((1 + t * t) * u * s / (1 + (1 + t * t) * s * s), t / (1 + (1 + t * t) * s * s));
}

float _Complex csinhf(float _Complex z) { return csinh(z); }
long double _Complex csinhl(long double _Complex z) { return csinh(z); }
float _Complex ccoshf(float _Complex z) { return ccosh(z); }
long double _Complex ccoshl(long double _Complex z) { return ccosh(z); }
float _Complex ctanhf(float _Complex z) { return ctanh(z); }
long double _Complex ctanhl(long double _Complex z) { return ctanh(z); }
