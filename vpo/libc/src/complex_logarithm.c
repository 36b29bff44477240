/* The logarithm of complex numbers. */

#include <complex.h>
#include <math.h>
#include "exact.h"

#define LN2 0.6931471805599453

/* a * a + b * b - 1, whose terms may cancel to the last bit */
static double square_less_1(double a, double b)
{
    double a_square = a * a, b_square = b * b;
    double sum, low, errors, rest[3];

    TWO_SUM(sum, low, a_square, -1);
    TWO_SUM(sum, rest[0], sum, b_square);
    TWO_SUM(errors, rest[1], product_error(a, a, a_square), product_error(b, b, b_square));
    TWO_SUM(sum, rest[2], sum, errors);
    TWO_SUM(sum, low, sum, low + rest[0]);
    return sum + (low + rest[1] + rest[2]);
}

/* log |x + iy| */
static double log_of_size(double x, double y)
{
    double a = fabs(x) < fabs(y) ? fabs(y) : fabs(x);
    double b = fabs(x) < fabs(y) ? fabs(x) : fabs(y);
    double square = a * a + b * b;

    if (square > 0.5 && square < 3)
        return 0.5 * log1p(square_less_1(a, b < 1e-100 ? 0 : b)) + (a == 1 && b < 1e-100 ? 0.5 * b * b : 0);
    if (a > 0 && a < 1e-280) /* the size of a small number may not be exact, and that of a large one may be infinite */
        return log(hypot(0x1p600 * a, 0x1p600 * b)) - 600 * LN2;
    if (a > 1e300 && a < HUGE_VAL)
        return log(hypot(0.25 * a, 0.25 * b)) + 2 * LN2;
    return log(hypot(a, b));
}

double _Complex clog(double _Complex z)
{
    return CMPLX(log_of_size(__real__ z, __imag__ z), atan2(__imag__ z, __real__ z));
}

float _Complex clogf(float _Complex z) { return clog(z); }
long double _Complex clogl(long double _Complex z) { return clog(z); }
