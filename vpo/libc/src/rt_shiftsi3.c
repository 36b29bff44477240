/* 32-bit shifts by 0 to 31, for machines without variable shifts: a step for each bit, with no shift at all. */

#include "rt.h"

uint32_t __ashlsi3(uint32_t value, int count)
{
    while (--count >= 0)
        value += value;
    return value;
}

/* Doubles the rest of the value into the result, from the highest bit down. */
static uint32_t shift_in(uint32_t result, uint32_t value, int count)
{
    for (; count < 32; count++) {
        result += result;
        if ((int32_t)value < 0)
            result++;
        value += value;
    }
    return result;
}

uint32_t __lshrsi3(uint32_t value, int count)
{
    return shift_in(0, value, count);
}

int32_t __ashrsi3(int32_t value, int count)
{
    return shift_in(value < 0 ? (uint32_t)-1 : 0, value, count);
}
