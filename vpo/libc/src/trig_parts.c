/* sin and cos of an angle between -pi/4 and pi/4, and a tail that the double does not hold.  The polynomials are
   Chebyshev fits of (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 in x^2. */

#include "trig.h"

static const double sine[] = {
    -0.16666666666666666,
    0.008333333333330936,
    -0.00019841269836740532,
    2.7557316093198404e-06,
    -2.5051129896450185e-08,
    1.5917988979397435e-10
};

static const double cosine[] = {
    0.041666666666666664,
    -0.0013888888888887389,
    2.48015872987544e-05,
    -2.755731726587808e-07,
    2.087614504941318e-09,
    -1.138254464534925e-11
};

double __sin_parts(double x, double tail, double *low)
{
    double z = x * x;
    double p = sine[1] + z * (sine[2] + z * (sine[3] + z * (sine[4] + z * sine[5])));

    *low = z * x * (sine[0] + z * p) + tail * (1 - 0.5 * z);
    return x;
}

double __sin_part(double x, double tail)
{
    double low;

    x = __sin_parts(x, tail, &low);
    return x + low;
}

double __cos_parts(double x, double tail, double *low)
{
    double z = x * x;
    double half = 0.5 * z;
    double head = 1 - half;
    double p = cosine[1] + z * (cosine[2] + z * (cosine[3] + z * (cosine[4] + z * cosine[5])));

    *low = (1 - head - half) + (z * z * (cosine[0] + z * p) - x * tail);
    return head;
}

double __cos_part(double x, double tail)
{
    double low;

    x = __cos_parts(x, tail, &low);
    return x + low;
}
