/* 32-bit division, for machines without. */

#include "rt.h"

#ifdef __SIGNED_DIVISION /* a machine that divides signed numbers halves the dividend if it looks negative */

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor)
{
    uint32_t quotient;

    if ((int32_t)divisor < 0)
        return dividend >= divisor;
    if ((int32_t)dividend >= 0)
        return (int32_t)dividend / (int32_t)divisor;
    quotient = (uint32_t)((int32_t)(dividend >> 1) / (int32_t)divisor) << 1;
    return dividend - quotient * divisor >= divisor ? quotient + 1 : quotient;
}

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor)
{
    return dividend - __udivsi3(dividend, divisor) * divisor;
}

#else

typedef uint32_t number;
#define QUOTIENT __divmodsi
#define TOP_BIT 0x80000000
#include "rt_quotient.h"

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor)
{
    uint32_t rest;

    return __divmodsi(dividend, divisor, &rest);
}

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor)
{
    uint32_t rest;

    __divmodsi(dividend, divisor, &rest);
    return rest;
}

int32_t __divsi3(int32_t dividend, int32_t divisor)
{
    uint32_t rest;
    uint32_t quotient = __divmodsi(dividend < 0 ? -(uint32_t)dividend : (uint32_t)dividend,
                                   divisor < 0 ? -(uint32_t)divisor : (uint32_t)divisor, &rest);

    return (dividend ^ divisor) < 0 ? -quotient : quotient;
}

int32_t __modsi3(int32_t dividend, int32_t divisor)
{
    uint32_t rest;

    __divmodsi(dividend < 0 ? -(uint32_t)dividend : (uint32_t)dividend,
               divisor < 0 ? -(uint32_t)divisor : (uint32_t)divisor, &rest);
    return dividend < 0 ? -rest : rest;
}

#endif
