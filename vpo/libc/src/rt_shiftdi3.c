/* 64-bit shifts by 0 to 63. */

#include "rt.h"

uint64_t __ashldi3(uint64_t value, int count)
{
    if (count >= 32)
        return PAIR(LOW(value) << (count - 32), 0);
    if (count == 0)
        return value;
    return PAIR(HIGH(value) << count | LOW(value) >> (32 - count), LOW(value) << count);
}

uint64_t __lshrdi3(uint64_t value, int count)
{
    if (count >= 32)
        return PAIR(0, HIGH(value) >> (count - 32));
    if (count == 0)
        return value;
    return PAIR(HIGH(value) >> count, LOW(value) >> count | HIGH(value) << (32 - count));
}

int64_t __ashrdi3(int64_t value, int count)
{
    int32_t high = (int32_t)HIGH(value);

    if (count >= 32)
        return PAIR((uint32_t)(high >> 31), (uint32_t)(high >> (count - 32)));
    if (count == 0)
        return value;
    return PAIR((uint32_t)(high >> count), LOW(value) >> count | (uint32_t)high << (32 - count));
}
