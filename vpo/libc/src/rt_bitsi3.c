/* 32-bit logic, for machines without: bit by bit, from the highest down. */

#include "rt.h"

uint32_t __andsi3(uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    int count;

    for (count = 0; count < 32; count++) {
        result += result;
        if ((int32_t)a < 0)
            if ((int32_t)b < 0)
                result++;
        a += a;
        b += b;
    }
    return result;
}

uint32_t __iorsi3(uint32_t a, uint32_t b)
{
    return a + b - __andsi3(a, b);
}

uint32_t __xorsi3(uint32_t a, uint32_t b)
{
    uint32_t both = __andsi3(a, b);

    return a + b - both - both;
}
