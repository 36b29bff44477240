/* fma: the exact product plus the addend, as a sum of doubles whose smaller one is odd unless exact, so that the result
   is rounded once. */

#include <math.h>
#include "exact.h"

/* a + b, but for an inexact sum the neighbour with an odd last place. */
static double add_to_odd(double a, double b)
{
    union double_bits sum;
    double error;

    TWO_SUM(sum.value, error, a, b);
    if (error != 0 && !(sum.bits & 1))
        sum.bits += (error > 0) == (sum.value > 0) ? 1 : -(uint64_t)1;
    return sum.value;
}

double fma(double x, double y, double z)
{
    double product, error, sum, low, result;
    int x_exponent, y_exponent, z_exponent, exponent;

    if (x == 0 || y == 0 || !__isfinite(x) || !__isfinite(y))
        return x * y + z;
    if (z == 0) /* a product that underflows keeps its sign */
        return x * y;
    if (!__isfinite(z)) /* and one that overflows is none */
        return z + z;
    x = frexp(x, &x_exponent);
    y = frexp(y, &y_exponent);
    z = frexp(z, &z_exponent);
    exponent = x_exponent + y_exponent;
    z_exponent -= exponent;
    if (z_exponent > 120) { /* the product only tips the balance */
        product = copysign(1e-30, x * y);
        error = 0;
        exponent += z_exponent;
    } else {
        product = x * y;
        error = product_error(x, y, product);
        z = z_exponent < -200 ? copysign(1e-60, z) : ldexp(z, z_exponent);
    }
    TWO_SUM(sum, low, product, z);
    low = add_to_odd(low, error);
    result = sum + low;
    if (exponent > -1900 && result != 0 && ilogb(result) + exponent < -1022) {
        /* Places get lost in a subnormal result: next to this number, just those do. */
        double least = copysign(ldexp(1.0, -1022 - exponent), result);

        TWO_SUM(z, error, least, sum);
        return copysign(ldexp(z + add_to_odd(error, low) - least, exponent), result);
    }
    return ldexp(result, exponent);
}
