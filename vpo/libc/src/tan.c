/* tan */

#include <errno.h>
#include <math.h>
#include "trig.h"

double tan(double x)
{
    double rest[2];
    double sine, cosine;
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
    sine = __sin_part(rest[0], rest[1]);
    cosine = __cos_part(rest[0], rest[1]);
    return quadrant & 1 ? -cosine / sine : sine / cosine;
}
