/* cos */

#include <errno.h>
#include <math.h>
#include "trig.h"

double cos(double x)
{
    double rest[2];
    int quadrant;

    if (x <= PI_4 && x >= -PI_4)
        return __cos_part(x, 0);
    if (!__isfinite(x)) {
        if (x == x)
            errno = EDOM;
        return NAN;
    }
    quadrant = __reduce(x, rest);
    x = quadrant & 1 ? -__sin_part(rest[0], rest[1]) : __cos_part(rest[0], rest[1]);
    return quadrant & 2 ? -x : x;
}
