/* fabs, copysign */

#include <math.h>
#include "double.h"

double fabs(double value)
{
#ifdef __ease_has_fabs
    return __builtin_fabs(value);
#else
    union double_bits number;

    number.value = value;
    number.bits = PAIR(HIGH(number.bits) & 0x7fffffff, LOW(number.bits));
    return number.value;
#endif
}

double copysign(double value, double sign)
{
    union double_bits number, other;

    number.value = value;
    other.value = sign;
    number.bits = PAIR((HIGH(number.bits) & 0x7fffffff) | (HIGH(other.bits) & 0x80000000), LOW(number.bits));
    return number.value;
}
