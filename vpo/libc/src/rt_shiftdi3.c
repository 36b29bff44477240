/* Shifts of wide numbers by less than their width. */

#include "rt.h"

wide __ashldi3(wide value, int count)
{
    if (count >= BITS)
        return PAIR(LOW(value) << (count - BITS), 0);
    if (count == 0)
        return value;
    return PAIR(HIGH(value) << count | LOW(value) >> (BITS - count), LOW(value) << count);
}

wide __lshrdi3(wide value, int count)
{
    if (count >= BITS)
        return PAIR(0, HIGH(value) >> (count - BITS));
    if (count == 0)
        return value;
    return PAIR(HIGH(value) >> count, LOW(value) >> count | HIGH(value) << (BITS - count));
}

signed_wide __ashrdi3(signed_wide value, int count)
{
    signed_word high = (signed_word)HIGH(value);

    if (count >= BITS)
        return PAIR((word)(high >> (BITS - 1)), (word)(high >> (count - BITS)));
    if (count == 0)
        return value;
    return PAIR((word)(high >> count), LOW(value) >> count | (word)high << (BITS - count));
}
