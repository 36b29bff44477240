/* 16-bit multiplication, for machines without: a step for each bit of the smaller factor. */

#include "rt.h"

uint16_t __mulhi3(uint16_t a, uint16_t b)
{
    uint16_t product = 0;

    if (a < b) {
        uint16_t kept = a;

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
