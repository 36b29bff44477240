/* 32-bit multiplication, for machines without: a step for each bit of the smaller factor. */

#include "rt.h"

uint32_t __mulsi3(uint32_t a, uint32_t b)
{
    uint32_t product = 0;

    if (a < b) {
        uint32_t kept = a;

        a = b;
        b = kept;
    }
    for (; b; b >>= 1) {
        if (b & 1)
            product += a;
        a += a;
    }
    return product;
}
