/* Powers of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex cpow(double _Complex base, double _Complex exponent)
{
    if (__real__ base == 0.0 && __imag__ base == 0.0)
        return __real__ exponent == 0.0 && __imag__ exponent == 0.0 ? 1.0 : 0.0;
    return cexp(exponent * clog(base));
}

float _Complex cpowf(float _Complex base, float _Complex exponent) { return cpow(base, exponent); }
long double _Complex cpowl(long double _Complex base, long double _Complex exponent) { return cpow(base, exponent); }
