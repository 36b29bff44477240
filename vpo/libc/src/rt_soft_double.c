/* Floating point in integers, for machines without: IEEE 754, rounded to nearest even.  Singles are computed as
   doubles.

   Doubles are arguments as their bits, which travel as doubles do on such a machine.  A number that is taken apart is a
   significand whose leading bit is bit 62, and the exponent as it is stored (0 and below for subnormal numbers). */

#include "rt.h"

#define SIGN ((uint64_t)1 << 63)
#define INFINITE ((uint64_t)0x7ff << 52)
#define QUIET ((uint64_t)1 << 51)
#define FRACTION(bits) ((bits) & (((uint64_t)1 << 52) - 1))
#define MAGNITUDE(bits) ((bits) & ~SIGN)
#define IS_NAN(bits) (MAGNITUDE(bits) > INFINITE)
#define IS_INFINITE(bits) (MAGNITUDE(bits) == INFINITE)
#define BIAS 1023
#define LEADING 62
#define UNUSED 10 /* bits of a significand below those of a double */
#define UNUSED_SINGLE 39

union single {
    float value;
    uint32_t bits;
};

/* Shifts right; the last bit says whether any that was lost was set. */
static uint64_t shifted(uint64_t significand, int count)
{
    if (count == 0)
        return significand;
    if (count > LEADING)
        return significand != 0;
    return significand >> count | ((significand << (64 - count)) != 0);
}

/* Moves the leading bit of a number other than 0 to its place. */
static uint64_t normalized(uint64_t significand, int *exponent)
{
    int step;

    for (step = 32; step; step >>= 1)
        if (!(significand >> (LEADING + 1 - step))) {
            significand <<= step;
            *exponent -= step;
        }
    return significand;
}

/* Takes a finite number other than 0 apart. */
static uint64_t take_apart(uint64_t bits, int *exponent)
{
    uint64_t significand = FRACTION(bits) << UNUSED;

    *exponent = (int)(bits >> 52) & 0x7ff;
    if (*exponent)
        return significand | (uint64_t)1 << LEADING;
    *exponent = 1;
    return normalized(significand, exponent);
}

/* The bits of a number, rounded: without so many bits of the significand, and infinite from an exponent on. */
static uint64_t rounded(int exponent, uint64_t significand, int unused, int infinite)
{
    uint64_t half = (uint64_t)1 << (unused - 1);
    uint64_t rest;

    if (exponent >= infinite)
        return (uint64_t)infinite << (LEADING - unused);
    if (exponent < 1) {
        significand = shifted(significand, 1 - exponent);
        exponent = 1;
    }
    rest = significand & (half + half - 1);
    significand >>= unused;
    if (rest > half || (rest == half && significand & 1))
        significand++;
    return ((uint64_t)(exponent - 1) << (LEADING - unused)) + significand;
}

static uint64_t as_double(int exponent, uint64_t significand)
{
    return rounded(exponent, significand, UNUSED, 0x7ff);
}

uint64_t __adddf3(uint64_t a, uint64_t b)
{
    uint64_t larger, smaller;
    int exponent, other;

    if (MAGNITUDE(a) < MAGNITUDE(b)) {
        larger = b;
        b = a;
        a = larger;
    }
    if (IS_NAN(a))
        return a | QUIET;
    if (IS_INFINITE(a))
        return IS_INFINITE(b) && a != b ? INFINITE | QUIET : a;
    if (!MAGNITUDE(b))
        return MAGNITUDE(a) ? a : a & b;
    larger = take_apart(a, &exponent);
    smaller = take_apart(b, &other);
    smaller = shifted(smaller, exponent - other);
    if ((a ^ b) & SIGN) {
        larger -= smaller;
        if (!larger)
            return 0;
        larger = normalized(larger, &exponent);
    } else {
        larger += smaller;
        if (larger & SIGN) {
            larger = shifted(larger, 1);
            exponent++;
        }
    }
    return (a & SIGN) | as_double(exponent, larger);
}

uint64_t __subdf3(uint64_t a, uint64_t b)
{
    return __adddf3(a, b ^ SIGN);
}

/* The upper half of a product; its last bit says whether the lower half is other than 0. */
static uint64_t upper_product(uint64_t a, uint64_t b)
{
    uint64_t low = (uint64_t)LOW(a) * LOW(b);
    uint64_t left = (uint64_t)HIGH(a) * LOW(b);
    uint64_t right = (uint64_t)LOW(a) * HIGH(b);
    uint64_t middle = (uint64_t)HIGH(low) + LOW(left) + LOW(right);

    return ((uint64_t)HIGH(a) * HIGH(b) + HIGH(left) + HIGH(right) + HIGH(middle)) | ((LOW(middle) | LOW(low)) != 0);
}

uint64_t __muldf3(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & SIGN;
    uint64_t product, factor;
    int exponent, other;

    if (IS_NAN(a) || IS_NAN(b))
        return (IS_NAN(a) ? a : b) | QUIET;
    if (IS_INFINITE(a) || IS_INFINITE(b))
        return MAGNITUDE(a) && MAGNITUDE(b) ? sign | INFINITE : INFINITE | QUIET;
    if (!MAGNITUDE(a) || !MAGNITUDE(b))
        return sign;
    product = take_apart(a, &exponent);
    factor = take_apart(b, &other);
    product = upper_product(product, factor << 1);
    exponent += other - BIAS + 1;
    product = normalized(product, &exponent);
    return sign | as_double(exponent, product);
}

uint64_t __divdf3(uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & SIGN;
    uint64_t rest, divisor, quotient = 0;
    int exponent, other, bit;

    if (IS_NAN(a) || IS_NAN(b))
        return (IS_NAN(a) ? a : b) | QUIET;
    if (IS_INFINITE(a) ? IS_INFINITE(b) : !MAGNITUDE(a) && !MAGNITUDE(b))
        return INFINITE | QUIET;
    if (IS_INFINITE(a) || !MAGNITUDE(b))
        return sign | INFINITE;
    if (!MAGNITUDE(a) || IS_INFINITE(b))
        return sign;
    rest = take_apart(a, &exponent);
    divisor = take_apart(b, &other);
    exponent += BIAS - other;
    if (rest < divisor) {
        rest <<= 1;
        exponent--;
    }
    for (bit = 0; bit < 55; bit++) {
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient++;
        }
        rest <<= 1;
    }
    return sign | as_double(exponent, quotient << 8 | (rest != 0));
}

/* Below, above or equal to 0 as a is to b. */
static int order(uint64_t a, uint64_t b, int unordered)
{
    int above;

    if (IS_NAN(a) || IS_NAN(b))
        return unordered;
    if (a == b || !MAGNITUDE(a | b))
        return 0;
    above = (a ^ b) & SIGN ? !(a & SIGN) : (a > b) == !(a & SIGN);
    return above ? 1 : -1;
}

/* For ==, !=, < and <=. */
int __ledf2(uint64_t a, uint64_t b)
{
    return order(a, b, 1);
}

/* For > and >=. */
int __gedf2(uint64_t a, uint64_t b)
{
    return order(a, b, -1);
}

uint64_t __floatsidf(int32_t value)
{
    uint32_t magnitude = value < 0 ? -(uint32_t)value : (uint32_t)value;
    int exponent = BIAS + LEADING;
    uint64_t significand;

    if (!value)
        return 0;
    significand = normalized(magnitude, &exponent);
    return (value < 0 ? SIGN : 0) | as_double(exponent, significand);
}

int32_t __fixdfsi(uint64_t bits)
{
    int exponent = ((int)(bits >> 52) & 0x7ff) - BIAS;
    uint32_t magnitude;

    if (exponent < 0)
        return 0;
    if (exponent > 30)
        return (int32_t)0x80000000;
    magnitude = (uint32_t)((FRACTION(bits) | (uint64_t)1 << 52) >> (52 - exponent));
    return (int32_t)(bits & SIGN ? -magnitude : magnitude);
}

uint64_t __extendsfdf2(float value)
{
    union single single;
    uint64_t sign, fraction;
    int exponent;

    single.value = value;
    sign = (uint64_t)(single.bits & 0x80000000) << 32;
    fraction = single.bits & 0x7fffff;
    exponent = (int)(single.bits >> 23) & 0xff;
    if (exponent == 0xff)
        return sign | INFINITE | fraction << 29 | (fraction ? QUIET : 0);
    if (exponent == 0 && fraction == 0)
        return sign;
    fraction <<= UNUSED_SINGLE;
    if (exponent)
        fraction |= (uint64_t)1 << LEADING;
    exponent += BIAS - 127 + !exponent;
    fraction = normalized(fraction, &exponent);
    return sign | as_double(exponent, fraction);
}

float __truncdfsf2(uint64_t bits)
{
    union single single;
    uint64_t significand;
    int exponent;

    single.bits = (uint32_t)(bits >> 32) & 0x80000000;
    if (IS_NAN(bits))
        single.bits |= 0x7fc00000 | (uint32_t)(FRACTION(bits) >> 29);
    else if (IS_INFINITE(bits))
        single.bits |= 0x7f800000;
    else if (MAGNITUDE(bits)) {
        significand = take_apart(bits, &exponent);
        single.bits |= (uint32_t)rounded(exponent - BIAS + 127, significand, UNUSED_SINGLE, 0xff);
    }
    return single.value;
}
