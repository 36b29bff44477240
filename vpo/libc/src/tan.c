/* tan */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "trig.h"

double tan(double x)
{
    double rest[2];
    double sine, cosine, sine_low, cosine_low, quotient, square;
    int quadrant = 0;

    if (x > -TINY && x < TINY)
        return x;
    if (x <= PI_4 && x >= -PI_4) {
        rest[0] = x;
        rest[1] = 0;
    } else if (__isfinite(x))
        quadrant = __reduce(x, rest);
    else {
        if (x == x)
            errno = EDOM;
        return NAN;
    }
    sine = __sin_parts(rest[0], rest[1], &sine_low);
    cosine = __cos_parts(rest[0], rest[1], &cosine_low);
    square = rest[0] * rest[0];
    cosine_low -= 0.5 * product_error(rest[0], rest[0], square); /* cos does without */
    TWO_SUM(sine, sine_low, sine, sine_low);
    TWO_SUM(cosine, cosine_low, cosine, cosine_low);
    if (quadrant & 1) {
        quotient = -cosine / sine;
        return quotient + quotient_error(-cosine, -cosine_low, sine, sine_low, quotient);
    }
    quotient = sine / cosine;
    return quotient + quotient_error(sine, sine_low, cosine, cosine_low, quotient);
}
