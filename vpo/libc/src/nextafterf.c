/* nextafterf, nextafterl */

#include <math.h>
#include "double.h"

float nextafterf(float x, float y)
{
    union float_bits number;

    if (x != x || y != y)
        return NAN;
    if (x == y)
        return y;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return (float)copysign(number.value, y);
    }
    number.bits += (x < y) == (x > 0) ? 1 : -(uint32_t)1;
    return number.value;
}

long double nextafterl(long double x, long double y)
{
    return nextafter((double)x, (double)y);
}
