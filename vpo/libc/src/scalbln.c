/* scalbln and its like: exponents are long. */

#include <math.h>

#define MOST 5000 /* more makes no difference */

static int limited(long exponent)
{
    return exponent > MOST ? MOST : exponent < -MOST ? -MOST : (int)exponent;
}

double scalbln(double x, long exponent)
{
    return ldexp(x, limited(exponent));
}

float scalblnf(float x, long exponent)
{
    return (float)ldexp(x, limited(exponent));
}

long double scalblnl(long double x, long exponent)
{
    return ldexp((double)x, limited(exponent));
}
