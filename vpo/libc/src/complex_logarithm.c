/* The logarithm of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex clog(double _Complex z)
{
    return CMPLX(log(hypot(__real__ z, __imag__ z)), atan2(__imag__ z, __real__ z));
}

float _Complex clogf(float _Complex z) { return clog(z); }
long double _Complex clogl(long double _Complex z) { return clog(z); }
