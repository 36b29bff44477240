/* Conversions between floating numbers and integers of 128 bits. */

#ifdef __SIZEOF_INT128__
#include "rt128.h"
#include "rt.h"

#define TWO_64 18446744073709551616.0

/* The first 64 bits of a number, and in the last of them whether any bit behind is set: a floating number made of them
   is rounded once.  The number is about these bits times 2 to the power of what is returned. */
static int leading_bits(wide value, word *bits)
{
    int shift = 0;

    for (; shift < BITS && HIGH(value) >> shift; shift++)
        ;
    *bits = LOW(value >> shift) | (shift && LOW(value) << (BITS - shift));
    return shift;
}

double __floatuntidf(wide value)
{
    word bits;
    int shift = leading_bits(value, &bits);

    return shift ? (double)bits * 2 * (double)((word)1 << (shift - 1)) : (double)bits;
}

float __floatuntisf(wide value)
{
    word bits;
    int shift = leading_bits(value, &bits);

    return shift ? (float)bits * 2 * (float)((word)1 << (shift - 1)) : (float)bits;
}

double __floattidf(signed_wide value)
{
    return value < 0 ? -__floatuntidf(-(wide)value) : __floatuntidf(value);
}

float __floattisf(signed_wide value)
{
    return value < 0 ? -__floatuntisf(-(wide)value) : __floatuntisf(value);
}

wide __fixunsdfti(double value)
{
    word high = (word)(value * (1.0 / TWO_64));

    return PAIR(high, (word)(value - (double)high * TWO_64));
}

signed_wide __fixdfti(double value)
{
    return value < 0 ? -__fixunsdfti(-value) : __fixunsdfti(value);
}

signed_wide __fixsfti(float value)
{
    return __fixdfti(value);
}

wide __fixunssfti(float value)
{
    return __fixunsdfti(value);
}
#endif
