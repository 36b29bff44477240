/* Parts of complex numbers, and what depends on nothing else. */

#include <complex.h>
#include <math.h>

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
float crealf(float _Complex z) { return __real__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
float _Complex conjf(float _Complex z) { return ~z; }
long double creall(long double _Complex z) { return __real__ z; }
long double cimagl(long double _Complex z) { return __imag__ z; }
long double _Complex conjl(long double _Complex z) { return ~z; }

double _Complex cproj(double _Complex z)
{
    if (isinf(__real__ z) || isinf(__imag__ z))
        return CMPLX(INFINITY, copysign(0.0, __imag__ z));
    return z;
}

float _Complex cprojf(float _Complex z) { return cproj(z); }
long double _Complex cprojl(long double _Complex z) { return cproj(z); }
