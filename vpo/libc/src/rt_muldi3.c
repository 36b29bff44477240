/* 64-bit multiplication by 32-bit multiplications. */

#include "rt.h"

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    uint32_t a_low = LOW(a);
    uint32_t b_low = LOW(b);
    uint32_t a0 = a_low & 0xffff;
    uint32_t a1 = a_low >> 16;
    uint32_t b0 = b_low & 0xffff;
    uint32_t b1 = b_low >> 16;
    uint32_t low = a0 * b0;
    uint32_t middle = a1 * b0 + (low >> 16);
    uint32_t high = a1 * b1 + (middle >> 16);

    middle = (middle & 0xffff) + a0 * b1;
    high += middle >> 16;
    if (HIGH(a))
        high += HIGH(a) * b_low;
    if (HIGH(b))
        high += HIGH(b) * a_low;
    return PAIR(high, middle << 16 | (low & 0xffff));
}
