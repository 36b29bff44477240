/* Absolute values and arguments of complex numbers. */

#include <complex.h>
#include <math.h>

double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
long double cabsl(long double _Complex z) { return hypot(__real__ z, __imag__ z); }
long double cargl(long double _Complex z) { return atan2(__imag__ z, __real__ z); }
