/* Division of wide numbers without sign. */

#include "rt.h"

wide __udivdi3(wide dividend, wide divisor)
{
    wide rest;

    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) / LOW(divisor);
    return __divmoddi(dividend, divisor, &rest);
}

wide __umoddi3(wide dividend, wide divisor)
{
    wide rest;

    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) % LOW(divisor);
    __divmoddi(dividend, divisor, &rest);
    return rest;
}
