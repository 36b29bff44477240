/* 16-bit division and remainder, for machines without: the quotient bit by bit. */

#include "rt.h"

static uint16_t divide(uint16_t a, uint16_t b, uint16_t *remainder)
{
    uint16_t quotient = 0;
    uint16_t rest = 0;
    int bit;

    for (bit = 0; bit < 16; bit++) {
        uint16_t carry = rest & 0x8000;

        rest += rest;
        if (a & 0x8000)
            rest |= 1;
        a += a;
        quotient += quotient;
        if (carry || rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    *remainder = rest;
    return quotient;
}

uint16_t __udivhi3(uint16_t a, uint16_t b)
{
    uint16_t remainder;

    return divide(a, b, &remainder);
}

uint16_t __umodhi3(uint16_t a, uint16_t b)
{
    uint16_t remainder;

    divide(a, b, &remainder);
    return remainder;
}

int16_t __divhi3(int16_t a, int16_t b)
{
    uint16_t remainder;
    uint16_t quotient = divide(a < 0 ? -(uint16_t)a : a, b < 0 ? -(uint16_t)b : b, &remainder);

    return (a < 0) != (b < 0) ? -quotient : quotient;
}

int16_t __modhi3(int16_t a, int16_t b)
{
    uint16_t remainder;

    divide(a < 0 ? -(uint16_t)a : a, b < 0 ? -(uint16_t)b : b, &remainder);
    return a < 0 ? -remainder : remainder;
}
