/* nextafter */

#include <math.h>
#include "double.h"

double nextafter(double x, double y)
{
    union double_bits number;

    if (x != x || y != y)
        return NAN;
    if (x == y)
        return y;
    number.value = x;
    if (x == 0) {
        number.bits = 1;
        return copysign(number.value, y);
    }
    number.bits += (x < y) == (x > 0) ? 1 : -(uint64_t)1;
    return number.value;
}
