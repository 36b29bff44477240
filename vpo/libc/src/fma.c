/* fma: the exact product plus the addend, as a sum of doubles that is odd unless exact, so that it is rounded once. */

#include <math.h>
#include "exact.h"

double fma(double x, double y, double z)
{
    union double_bits sum;
    double product, error, low;
    int x_exponent, y_exponent, z_exponent, exponent;

    if (x == 0 || y == 0 || z == 0 || !__isfinite(x) || !__isfinite(y) || !__isfinite(z))
        return x * y + z;
    x = frexp(x, &x_exponent);
    y = frexp(y, &y_exponent);
    z = frexp(z, &z_exponent);
    exponent = x_exponent + y_exponent;
    if (z_exponent - exponent > 60) { /* the product only tips the balance */
        product = copysign(1e-30, x * y);
        error = 0;
        exponent = z_exponent;
    } else {
        product = x * y;
        error = product_error(x, y, product);
        z = z_exponent - exponent < -1000 ? copysign(1e-300, z) : ldexp(z, z_exponent - exponent);
    }
    TWO_SUM(sum.value, low, product, z);
    /* sum + (low + error): first what remains of these, rounded to odd */
    {
        union double_bits rest;
        double rest_error;

        TWO_SUM(rest.value, rest_error, low, error);
        if (rest_error != 0 && !(rest.bits & 1))
            rest.bits += (rest_error > 0) == (rest.value > 0) ? 1 : -(uint64_t)1;
        low = rest.value;
    }
    if (exponent > -900 && exponent < 900)
        return ldexp(sum.value + low, exponent);
    TWO_SUM(sum.value, error, sum.value, low);
    if (error != 0 && !(sum.bits & 1) && exponent < 0 && ilogb(sum.value) + exponent < -1022)
        sum.bits += (error > 0) == (sum.value > 0) ? 1 : -(uint64_t)1;
    return ldexp(sum.value, exponent);
}
