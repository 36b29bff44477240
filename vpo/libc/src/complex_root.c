/* Square roots of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex csqrt(double _Complex z)
{
    double x = __real__ z, y = __imag__ z, root;
    if (x == 0.0 && y == 0.0)
        return CMPLX(0.0, y);
    if (isinf(y))
        return CMPLX(INFINITY, y);
    root = sqrt((fabs(x) + hypot(x, y)) / 2);
    if (x >= 0.0)
        return CMPLX(root, y / (2 * root));
    return CMPLX(fabs(y) / (2 * root), copysign(root, y));
}

float _Complex csqrtf(float _Complex z) { return csqrt(z); }
long double _Complex csqrtl(long double _Complex z) { return csqrt(z); }
