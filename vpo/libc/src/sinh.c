/* sinh, cosh, tanh, by expm1 where a difference would lose digits */

#include <math.h>

double sinh(double x)
{
    double size = fabs(x);
    double e;

    if (size > 709) {
        e = exp(0.5 * size);
        return copysign(0.5 * e * e, x);
    }
    e = expm1(size);
    e = size < 1e-9 ? 2 * size : e + e / (e + 1);
    return copysign(0.5 * e, x);
}

double cosh(double x)
{
    double size = fabs(x);
    double e;

    if (size > 709) {
        e = exp(0.5 * size);
        return 0.5 * e * e;
    }
    e = exp(size);
    return 0.5 * e + 0.5 / e;
}

double tanh(double x)
{
    double size = fabs(x);

    if (size > 22)
        size = 1;
    else if (size > 1e-9) {
        double e = expm1(2 * size);

        size = e / (e + 2);
    }
    return copysign(size, x);
}
