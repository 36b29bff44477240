/* Square roots of complex numbers. */

#include <complex.h>
#include <math.h>

double _Complex csqrt(double _Complex z)
{
    double x = __real__ z, y = __imag__ z, scale = 1, root;
    if (x == 0.0 && y == 0.0)
        return CMPLX(0.0, y);
    if (isinf(y))
        return CMPLX(INFINITY, y);
    if (fabs(x) > 1e300 || fabs(y) > 1e300)
        scale = 0x1p10;
    else if (fabs(x) < 1e-280 && fabs(y) < 1e-280)
        scale = 0x1p-100;
    x /= scale * scale;
    y /= scale * scale;
    root = sqrt((fabs(x) + hypot(x, y)) / 2);
    if (x >= 0.0)
        return CMPLX(scale * root, scale * (y / (2 * root)));
    return CMPLX(scale * (fabs(y) / (2 * root)), scale * copysign(root, y));
}

float _Complex csqrtf(float _Complex z) { return csqrt(z); }
long double _Complex csqrtl(long double _Complex z) { return csqrt(z); }
