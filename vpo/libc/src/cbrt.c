/* cbrt: a guess, and Halley's method twice: the second time from 24 bits, whose square is exact. */

#include <math.h>

double cbrt(double x)
{
    int exponent, third;
    double size, y, square;

    if (x == 0 || !__isfinite(x))
        return x;
    size = 2 * frexp(fabs(x), &exponent);
    exponent--;
    third = (exponent + 3000) / 3 - 1000;
    size = ldexp(size, exponent - 3 * third);
    y = 0.7167346418604423 + size * (0.3288364544631474 + size * (-0.03402605365290486 + size * 0.0016274953380330931));
    square = y * y * y;
    y = y * (square + 2 * size) / (2 * square + size);
    y = (float)y;
    square = size / (y * y);
    y += y * (square - y) / (y + y + square);
    return copysign(ldexp(y, third), x);
}
