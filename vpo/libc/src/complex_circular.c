/* Circular functions of complex numbers, by the hyperbolic ones. */

#include <complex.h>
#include <math.h>

double _Complex csin(double _Complex z)
{
    double _Complex w = csinh(CMPLX(-__imag__ z, __real__ z));
    return CMPLX(__imag__ w, -__real__ w);
}

double _Complex ccos(double _Complex z)
{
    return ccosh(CMPLX(-__imag__ z, __real__ z));
}

double _Complex ctan(double _Complex z)
{
    double _Complex w = ctanh(CMPLX(-__imag__ z, __real__ z));
    return CMPLX(__imag__ w, -__real__ w);
}

float _Complex csinf(float _Complex z) { return csin(z); }
long double _Complex csinl(long double _Complex z) { return csin(z); }
float _Complex ccosf(float _Complex z) { return ccos(z); }
long double _Complex ccosl(long double _Complex z) { return ccos(z); }
float _Complex ctanf(float _Complex z) { return ctan(z); }
long double _Complex ctanl(long double _Complex z) { return ctan(z); }
