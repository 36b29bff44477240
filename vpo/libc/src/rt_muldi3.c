/* Multiplication of wide numbers by multiplications of words. */

#include "rt.h"

#ifdef WIDE_IS_WORD

typedef wide factor;
#define PRODUCT __muldi3
#include "rt_product.h"

#else

#define HALF (BITS / 2)
#define HALF_MASK (((word)1 << HALF) - 1)

wide __muldi3(wide a, wide b)
{
    word a_low = LOW(a);
    word b_low = LOW(b);
    word a0 = a_low & HALF_MASK;
    word a1 = a_low >> HALF;
    word b0 = b_low & HALF_MASK;
    word b1 = b_low >> HALF;
    word low = a0 * b0;
    word middle = a1 * b0 + (low >> HALF);
    word high = a1 * b1 + (middle >> HALF);

    middle = (middle & HALF_MASK) + a0 * b1;
    high += middle >> HALF;
    if (HIGH(a))
        high += HIGH(a) * b_low;
    if (HIGH(b))
        high += HIGH(b) * a_low;
    return PAIR(high, middle << HALF | (low & HALF_MASK));
}

#endif
