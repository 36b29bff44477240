/* Division of wide numbers by divisions of words, in digits of half a word or a word (Knuth, The Art of Computer
   Programming, 4.3.1 D). */

#include "rt.h"

#ifdef WIDE_IS_WORD

typedef wide number;
#define QUOTIENT __divmoddi
#define TOP_BIT ((wide)1 << 63)
#include "rt_quotient.h"

#else

#define HALF (BITS / 2)
#define HALF_MASK (((word)1 << HALF) - 1)

/* How many leading zero bits a number other than 0 has. */
static int leading_zeros(word value)
{
    int count = 0;

#if BITS == 64
    if (value < 0x100000000) {
        value <<= 32;
        count = 32;
    }
#endif
    if (value < (word)1 << (BITS - 16)) {
        value <<= 16;
        count += 16;
    }
    if (value < (word)1 << (BITS - 8)) {
        value <<= 8;
        count += 8;
    }
    if (value < (word)1 << (BITS - 4)) {
        value <<= 4;
        count += 4;
    }
    for (; !(value & (word)1 << (BITS - 1)); value += value)
        count++;
    return count;
}

/* One digit of half a word: divides high * 2^HALF + digit, where high < divisor and the divisor has its top bit set. */
static word next_digit(word *high, word digit, word divisor)
{
    word top = divisor >> HALF;
    word bottom = divisor & HALF_MASK;
    word quotient = *high / top;
    word rest = *high - quotient * top;
    word product = quotient * bottom;

    /* The guess is at most 2 too big. */
    while (rest < (word)1 << HALF && (quotient > HALF_MASK || product > (rest << HALF | digit))) {
        quotient--;
        product -= bottom;
        rest += top;
    }
    *high = (*high << HALF | digit) - quotient * divisor;
    return quotient;
}

/* Divides (high, low) by a divisor greater than high; the quotient has one word. */
static word divide_long(word high, word low, word divisor, word *rest)
{
    word quotient;
    int shift = leading_zeros(divisor);

    if (shift) {
        divisor <<= shift;
        high = high << shift | low >> (BITS - shift);
        low <<= shift;
    }
    quotient = next_digit(&high, low >> HALF, divisor) << HALF;
    quotient |= next_digit(&high, low & HALF_MASK, divisor);
    *rest = high >> shift;
    return quotient;
}

/* The same when the divisor has half a word at most: its digits are whole such numbers. */
static word divide_short(word high, word low, word divisor, word *rest)
{
    word part = high << HALF | low >> HALF;
    word quotient = part / divisor;

    part = (part - quotient * divisor) << HALF | (low & HALF_MASK);
    low = part / divisor;
    *rest = part - low * divisor;
    return quotient << HALF | low;
}

/* Divides by a divisor of more than a word, not above the dividend; what is left is the rest. */
static word divide_big(wide *dividend, wide divisor)
{
    word high = HIGH(*dividend);
    word low = LOW(*dividend);
    word divisor_high = HIGH(divisor);
    word divisor_low = LOW(divisor);
    int shift = leading_zeros(divisor_high);
    word quotient = 0;
    word rest;
    wide product;

    if (shift) {
        /* The divisor's first word gives a quotient that is right or 1 too big: start from 1 less. */
        word top = divisor_high << shift | divisor_low >> (BITS - shift);

        quotient = divide_long(high >> (BITS - shift), high << shift | low >> (BITS - shift), top, &rest) - 1;
        product = (wide)quotient * divisor_low;
        *dividend -= PAIR(HIGH(product) + quotient * divisor_high, LOW(product));
    }
    if (*dividend >= divisor) {
        *dividend -= divisor;
        quotient++;
    }
    return quotient;
}

wide __divmoddi(wide dividend, wide divisor, wide *rest)
{
    word high = HIGH(dividend);
    word low = LOW(dividend);
    word by = LOW(divisor);
    word quotient = 0;

    if (HIGH(divisor)) {
        if (dividend >= divisor)
            quotient = divide_big(&dividend, divisor);
        *rest = dividend;
        return quotient;
    }
    if (high >= by) {
        quotient = high / by;
        high -= quotient * by;
    }
    if (high == 0) {
        word lower = low / by;

        *rest = low - lower * by;
        return PAIR(quotient, lower);
    }
    low = by < (word)1 << HALF ? divide_short(high, low, by, &high) : divide_long(high, low, by, &high);
    *rest = high;
    return PAIR(quotient, low);
}

#endif
