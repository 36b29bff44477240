/* Division of wide numbers with sign. */

#include "rt.h"

signed_wide __divdi3(signed_wide dividend, signed_wide divisor)
{
    wide rest;
    wide quotient = __divmoddi(dividend < 0 ? -(wide)dividend : (wide)dividend,
                               divisor < 0 ? -(wide)divisor : (wide)divisor, &rest);

    return (dividend ^ divisor) < 0 ? -quotient : quotient;
}

signed_wide __moddi3(signed_wide dividend, signed_wide divisor)
{
    wide rest;

    __divmoddi(dividend < 0 ? -(wide)dividend : (wide)dividend,
               divisor < 0 ? -(wide)divisor : (wide)divisor, &rest);
    return dividend < 0 ? -rest : rest;
}
