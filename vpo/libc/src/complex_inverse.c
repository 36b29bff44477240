/* Inverse functions of complex numbers, as W. Kahan has them (Branch cuts for complex elementary functions). */

#include <complex.h>
#include <math.h>

#define LN4 1.3862943611198906

/* asinh(a * b + c * d), even if the sum overflows: then it is the logarithm of twice that. */
static double asinh_of_sum(double a, double b, double c, double d)
{
    double sum = a * b + c * d;

    if (!isinf(sum))
        return asinh(sum);
    sum = asinh(0.25 * a * b + 0.25 * c * d);
    return sum + copysign(LN4, sum);
}

double _Complex casin(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(1 - __real__ z, -__imag__ z)), b = csqrt(CMPLX(1 + __real__ z, __imag__ z));
    double real = atan2(__real__ z, __real__ a * __real__ b - __imag__ a * __imag__ b);

    return CMPLX(real, asinh_of_sum(__real__ a, __imag__ b, -__imag__ a, __real__ b));
}

double _Complex cacos(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(1 - __real__ z, -__imag__ z)), b = csqrt(CMPLX(1 + __real__ z, __imag__ z));
    double real = 2 * atan2(__real__ a, __real__ b);

    return CMPLX(real, asinh_of_sum(__real__ b, __imag__ a, -__imag__ b, __real__ a));
}

double _Complex casinh(double _Complex z)
{
    double _Complex w = casin(CMPLX(-__imag__ z, __real__ z));
    return CMPLX(__imag__ w, -__real__ w);
}

double _Complex cacosh(double _Complex z)
{
    double _Complex a = csqrt(CMPLX(__real__ z - 1, __imag__ z)), b = csqrt(CMPLX(__real__ z + 1, __imag__ z));
    double imaginary = 2 * atan2(__imag__ a, __real__ b);

    return CMPLX(asinh_of_sum(__real__ a, __real__ b, __imag__ a, __imag__ b), imaginary);
}

float _Complex casinf(float _Complex z) { return casin(z); }
long double _Complex casinl(long double _Complex z) { return casin(z); }
float _Complex cacosf(float _Complex z) { return cacos(z); }
long double _Complex cacosl(long double _Complex z) { return cacos(z); }
float _Complex casinhf(float _Complex z) { return casinh(z); }
long double _Complex casinhl(long double _Complex z) { return casinh(z); }
float _Complex cacoshf(float _Complex z) { return cacosh(z); }
long double _Complex cacoshl(long double _Complex z) { return cacosh(z); }
