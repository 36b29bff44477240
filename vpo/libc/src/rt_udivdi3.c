/* 64-bit division without sign. */

#include "rt.h"

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor)
{
    uint64_t rest;

    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) / LOW(divisor);
    return __divmoddi(dividend, divisor, &rest);
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor)
{
    uint64_t rest;

    if ((HIGH(dividend) | HIGH(divisor)) == 0)
        return LOW(dividend) % LOW(divisor);
    __divmoddi(dividend, divisor, &rest);
    return rest;
}
