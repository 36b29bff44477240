/* Inverse functions of complex numbers, as W. Kahan has them (Branch cuts for complex elementary functions). */

#include <complex.h>
#include <math.h>

double _Complex casin(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(1 - __real__ z, -__imag__ z)), b = csqrt(CMPLX(1 + __real__ z, __imag__ z));
    double real = atan2(__real__ z, __real__ (a * b));
    return CMPLX(real, asinh(__imag__ (~a * b)));
}

double _Complex cacos(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(1 - __real__ z, -__imag__ z)), b = csqrt(CMPLX(1 + __real__ z, __imag__ z));
    return CMPLX(2 * atan2(__real__ a, __real__ b), asinh(__imag__ (~b * a)));
}

double _Complex casinh(double _Complex z)
{
    double _Complex w = casin(CMPLX(-__imag__ z, __real__ z));
    return CMPLX(__imag__ w, -__real__ w);
}

double _Complex cacosh(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(__real__ z - 1, __imag__ z)), b = csqrt(CMPLX(__real__ z + 1, __imag__ z));
    return CMPLX(asinh(__real__ (~a * b)), 2 * atan2(__imag__ a, __real__ b));
}

float _Complex casinf(float _Complex z) { return casin(z); }
long double _Complex casinl(long double _Complex z) { return casin(z); }
float _Complex cacosf(float _Complex z) { return cacos(z); }
long double _Complex cacosl(long double _Complex z) { return cacos(z); }
float _Complex casinhf(float _Complex z) { return casinh(z); }
long double _Complex casinhl(long double _Complex z) { return casinh(z); }
float _Complex cacoshf(float _Complex z) { return cacosh(z); }
long double _Complex cacoshl(long double _Complex z) { return cacosh(z); }
