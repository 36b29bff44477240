/* 64-bit division by 32-bit divisions, in digits of 16 or 32 bits (Knuth, The Art of Computer Programming, 4.3.1 D). */

#include "rt.h"

/* How many leading zero bits a number other than 0 has. */
static int leading_zeros(uint32_t value)
{
    int count = 0;

    if (value < 0x10000) {
        value <<= 16;
        count = 16;
    }
    if (value < 0x1000000) {
        value <<= 8;
        count += 8;
    }
    if (value < 0x10000000) {
        value <<= 4;
        count += 4;
    }
    for (; !(value & 0x80000000); value += value)
        count++;
    return count;
}

/* One digit of 16 bits: divides high * 2^16 + digit, where high < divisor and the divisor has its top bit set. */
static uint32_t next_digit(uint32_t *high, uint32_t digit, uint32_t divisor)
{
    uint32_t top = divisor >> 16;
    uint32_t bottom = divisor & 0xffff;
    uint32_t quotient = *high / top;
    uint32_t rest = *high - quotient * top;
    uint32_t product = quotient * bottom;

    /* The guess is at most 2 too big. */
    while (rest < 0x10000 && (quotient > 0xffff || product > (rest << 16 | digit))) {
        quotient--;
        product -= bottom;
        rest += top;
    }
    *high = (*high << 16 | digit) - quotient * divisor;
    return quotient;
}

/* Divides (high, low) by a divisor greater than high; the quotient has 32 bits. */
static uint32_t divide_long(uint32_t high, uint32_t low, uint32_t divisor, uint32_t *rest)
{
    uint32_t quotient;
    int shift = leading_zeros(divisor);

    if (shift) {
        divisor <<= shift;
        high = high << shift | low >> (32 - shift);
        low <<= shift;
    }
    quotient = next_digit(&high, low >> 16, divisor) << 16;
    quotient |= next_digit(&high, low & 0xffff, divisor);
    *rest = high >> shift;
    return quotient;
}

/* The same when the divisor has 16 bits at most: its digits are whole 16-bit numbers. */
static uint32_t divide_short(uint32_t high, uint32_t low, uint32_t divisor, uint32_t *rest)
{
    uint32_t part = high << 16 | low >> 16;
    uint32_t quotient = part / divisor;

    part = (part - quotient * divisor) << 16 | (low & 0xffff);
    low = part / divisor;
    *rest = part - low * divisor;
    return quotient << 16 | low;
}

/* Divides by a divisor of more than 32 bits, not above the dividend; what is left is the rest. */
static uint32_t divide_big(uint64_t *dividend, uint64_t divisor)
{
    uint32_t high = HIGH(*dividend);
    uint32_t low = LOW(*dividend);
    uint32_t divisor_high = HIGH(divisor);
    uint32_t divisor_low = LOW(divisor);
    int shift = leading_zeros(divisor_high);
    uint32_t quotient = 0;
    uint32_t rest;
    uint64_t product;

    if (shift) {
        /* The divisor's first 32 bits give a quotient that is right or 1 too big: start from 1 less. */
        uint32_t top = divisor_high << shift | divisor_low >> (32 - shift);

        quotient = divide_long(high >> (32 - shift), high << shift | low >> (32 - shift), top, &rest) - 1;
        product = (uint64_t)quotient * divisor_low;
        *dividend -= PAIR(HIGH(product) + quotient * divisor_high, LOW(product));
    }
    if (*dividend >= divisor) {
        *dividend -= divisor;
        quotient++;
    }
    return quotient;
}

uint64_t __divmoddi(uint64_t dividend, uint64_t divisor, uint64_t *rest)
{
    uint32_t high = HIGH(dividend);
    uint32_t low = LOW(dividend);
    uint32_t by = LOW(divisor);
    uint32_t quotient = 0;

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
        uint32_t lower = low / by;

        *rest = low - lower * by;
        return PAIR(quotient, lower);
    }
    low = by < 0x10000 ? divide_short(high, low, by, &high) : divide_long(high, low, by, &high);
    *rest = high;
    return PAIR(quotient, low);
}
