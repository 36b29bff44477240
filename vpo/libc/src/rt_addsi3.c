/* 32-bit addition, for machines with logic only: carries go on until there are none. */

#include "rt.h"

uint32_t __addsi3(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t carries = (a & b) << 1;

        a ^= b;
        b = carries;
    }
    return a;
}

uint32_t __subsi3(uint32_t a, uint32_t b)
{
    return ~__addsi3(~a, b);
}
