/* The exponential function of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex cexp(double _Complex z)
{
    double x = __real__ z, y = __imag__ z, e = exp(x);
    if (y == 0.0)
        return CMPLX(e, y);
    return CMPLX(e * cos(y), e * sin(y));
}

float _Complex cexpf(float _Complex z) { return cexp(z); }
long double _Complex cexpl(long double _Complex z) { return cexp(z); }
