/* 64-bit division with sign. */

#include "rt.h"

int64_t __divdi3(int64_t dividend, int64_t divisor)
{
    uint64_t rest;
    uint64_t quotient = __divmoddi(dividend < 0 ? -(uint64_t)dividend : (uint64_t)dividend,
                                   divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor, &rest);

    return (dividend ^ divisor) < 0 ? -quotient : quotient;
}

int64_t __moddi3(int64_t dividend, int64_t divisor)
{
    uint64_t rest;

    __divmoddi(dividend < 0 ? -(uint64_t)dividend : (uint64_t)dividend,
               divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor, &rest);
    return dividend < 0 ? -rest : rest;
}
