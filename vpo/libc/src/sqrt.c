/* sqrt: Newton's method, and a last step that rounds correctly. */

#include <errno.h>
#include <math.h>
#include "exact.h"

#define UNIT (1.0 / 4503599627370496.0) /* of the last place of numbers from 1 to 2 */

/* For x from 1 to 4. */
static double root(double x)
{
    double y = 0.6 + 0.4 * x - 0.025 * x * x;
    double product, rest;
    int i;

    for (i = 0; i < 4; i++)
        y = 0.5 * (y + x / y);
    product = y * y;
    rest = x - product - product_error(y, y, product); /* exact */
    if (rest > y * UNIT)
        y += UNIT;
    else if (rest <= -y * UNIT)
        y -= UNIT;
    return y;
}

double sqrt(double x)
{
    int exponent;

    if (x < 0) {
        errno = EDOM;
        return NAN;
    }
    if (x == 0 || !__isfinite(x))
        return x;
    x = frexp(x, &exponent);
    if (exponent & 1)
        return ldexp(root(x + x), (exponent - 1) >> 1);
    return ldexp(root(4 * x), (exponent - 2) >> 1);
}
