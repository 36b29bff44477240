/* Division of wide numbers without sign. */

#include "rt.h"

wide __udivdi3(wide dividend, wide divisor)
{
    wide rest;

#ifndef WIDE_IS_WORD
    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) / LOW(divisor);
#endif
    return __divmoddi(dividend, divisor, &rest);
}

wide __umoddi3(wide dividend, wide divisor)
{
    wide rest;

#ifndef WIDE_IS_WORD
    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) % LOW(divisor);
#endif
    __divmoddi(dividend, divisor, &rest);
    return rest;
}
