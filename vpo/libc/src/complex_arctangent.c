/* Inverse tangents of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex catanh(double _Complex z)
{
    double x = __real__ z, y = __imag__ z;
    double real = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
    return CMPLX(real, atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2);
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
