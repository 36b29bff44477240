/* strtod, correctly rounded.  Numbers of up to 18 digits and with small exponents are products or quotients of doubles,
   whose rounding error is known well enough, nearly always.  For others, floating arithmetic gives a first guess,
   which is compared with the exact number, both as big integers, and moved until it is the nearest double. */

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "exact.h"
#include "strtod.h"

#define KEPT 780   /* significant digits that can matter; others only tell that the number lies above */
#define LIMBS 96   /* of 32 bits: enough for all of them */
#define CLIP 3000  /* no exponent needs to be larger */
#define EXACT 9007199254740992.0 /* integers up to here are doubles */
#define DOUBT (1 + 1.0 / 1099511627776.0)
#define HIDDEN ((uint64_t)1 << FRACTION_BITS)
#define INFINITE ((uint64_t)0x7ff << FRACTION_BITS)

/* A decimal number: digits * 10^exponent. */
struct decimal {
    int count;
    int exponent;
    unsigned char digits[KEPT + 1];
};

struct big {
    int count;
    uint32_t limbs[LIMBS]; /* least significant first */
};

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* big * factor + addend */
static void multiply(struct big *big, uint32_t factor, uint32_t addend)
{
    uint32_t *limb = big->limbs;
    uint32_t *end = limb + big->count;

    for (; limb < end; limb++) {
        uint64_t product = (uint64_t)*limb * factor + addend;

        *limb = LOW(product);
        addend = HIGH(product);
    }
    if (addend) {
        *limb = addend;
        big->count++;
    }
}

static void multiply_by_power_of_5(struct big *big, int exponent)
{
    static const uint32_t fives[] = {1,     5,      25,      125,     625,      3125,      15625,
                                     78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125};

    for (; exponent > 13; exponent -= 13)
        multiply(big, 1220703125, 0);
    multiply(big, fives[exponent], 0);
}

static void multiply_by_power_of_2(struct big *big, int exponent)
{
    int limbs = exponent >> 5;
    int i;

    multiply(big, (uint32_t)1 << (exponent & 31), 0);
    if (limbs == 0)
        return;
    for (i = big->count; i--;)
        big->limbs[i + limbs] = big->limbs[i];
    for (i = 0; i < limbs; i++)
        big->limbs[i] = 0;
    big->count += limbs;
}

static int compare_big(const struct big *a, const struct big *b)
{
    int i;

    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (i = a->count; i--;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* Compares a number with the double of these bits, plus half the way to the next one if `half` is 1. */
static int compare(const struct decimal *number, uint64_t bits, int half)
{
    struct big left, right;
    int two = (int)(HIGH(bits) >> 20); /* the exponent of 2 on the right, less that on the left */
    int i = 0;

    bits &= HIDDEN - 1;
    if (two)
        bits |= HIDDEN;
    else
        two = 1;
    bits += bits + half;
    if (bits == 0)
        return 1;
    right.limbs[0] = LOW(bits);
    right.limbs[1] = HIGH(bits);
    right.count = right.limbs[1] ? 2 : 1;
    left.count = 0;
    while (i < number->count) {
        uint32_t group = 0;
        uint32_t scale = 1;

        for (; i < number->count && scale < 1000000000; i++) {
            group = group * 10 + number->digits[i];
            scale *= 10;
        }
        multiply(&left, scale, group);
    }
    two -= BIAS + FRACTION_BITS + 1 + number->exponent; /* 10^n = 5^n 2^n */
    if (number->exponent >= 0)
        multiply_by_power_of_5(&left, number->exponent);
    else
        multiply_by_power_of_5(&right, -number->exponent);
    if (two >= 0)
        multiply_by_power_of_2(&right, two);
    else
        multiply_by_power_of_2(&left, -two);
    return compare_big(&left, &right);
}

/* The first digits of a number, 18 at most, as a double and what it lacks; `*used` of them. */
static double leading(const struct decimal *number, int *used, double *lack)
{
    int32_t high = 0;
    int32_t low = 0;
    double scaled, sum;
    int i;

    for (i = 0; i < number->count && i < 9; i++)
        high = high * 10 + number->digits[i];
    *used = i;
    *lack = 0;
    if (i == number->count)
        return high;
    for (; i < number->count && i < 18; i++)
        low = low * 10 + number->digits[i];
    *used = i;
    scaled = high * powers[i - 9];
    TWO_SUM(sum, *lack, scaled, low);
    if (i > 15)
        *lack += product_error(high, powers[i - 9], scaled);
    return sum;
}

/* value + lack times an exact power of 10, if it is certain how the result is rounded; else -1. */
static double scale_exactly(double value, double lack, int exponent)
{
    double result, rest;

    if (exponent >= 0) {
        double power = powers[exponent];

        result = value * power;
        if (lack == 0 && value <= EXACT)
            return result;
        rest = product_error(value, power, result) + lack * power;
    } else {
        double power = powers[-exponent];
        double product;

        result = value / power;
        if (lack == 0 && value <= EXACT)
            return result;
        product = result * power;
        rest = (value - product - product_error(result, power, product) + lack) / power;
    }
    value = result + rest;
    rest = result - value + rest;
    return value + rest * DOUBT == value ? value : -1;
}

/* value * 10^exponent, nearly */
static double scale(double value, int exponent)
{
    static const double squares[] = {1e16, 1e32, 1e64, 1e128, 1e256};
    const double *square = squares;
    unsigned rest = exponent < 0 ? -exponent : exponent;
    double power = powers[rest & 15];

    value = exponent < 0 ? value / power : value * power;
    for (rest >>= 4; rest; rest >>= 1, square++)
        if (rest & 1)
            value = exponent < 0 ? value / *square : value * *square;
    return value;
}

/* The double nearest to a number; `direction` says on which side of it the number lies. */
static double nearest(const struct decimal *number, int *direction)
{
    union double_bits result;
    double lack, value;
    int used, middle;
    int side = 0;

    result.value = leading(number, &used, &lack);
    if (direction == NULL && used == number->count && number->exponent <= 22 && number->exponent >= -22) {
        value = scale_exactly(result.value, lack, number->exponent);
        if (value >= 0)
            return value;
    }
    if (number->count == 0)
        result.value = 0;
    else if (number->exponent + number->count > 310) {
        errno = ERANGE;
        result.value = HUGE_VAL;
    } else if (number->exponent + number->count < -330) {
        errno = ERANGE;
        result.value = 0;
        side = 1;
    } else {
        result.value = scale(result.value, number->exponent + number->count - used);
        if (result.value >= HUGE_VAL)
            result.bits--;
        for (;;) {
            side = compare(number, result.bits, 0);
            if (side == 0)
                break;
            middle = side > 0 ? compare(number, result.bits, 1) : -compare(number, result.bits - 1, 1);
            if (middle < 0 || (middle == 0 && !(result.bits & 1)))
                break;
            result.bits += side;
            if (result.bits == INFINITE)
                break;
            if (middle == 0) {
                side = -side;
                break;
            }
        }
        if (result.bits == INFINITE || (side && result.bits < HIDDEN))
            errno = ERANGE;
    }
    if (direction)
        *direction = result.bits == INFINITE ? 0 : side;
    return result.value;
}

/* The rest of a number with an exponent, after its letter; `at` is where it ends. */
static int read_exponent(const char **at)
{
    const char *from = *at + 1;
    int negative = *from == '-';
    int value = 0;

    if (*from == '-' || *from == '+')
        from++;
    if (!isdigit(*from))
        return 0;
    for (; isdigit(*from); from++)
        if (value < CLIP)
            value = value * 10 + (*from - '0');
    *at = from;
    return negative ? -value : value;
}

/* The digits at `from`; NULL if there are none, else where they end. */
static const char *read_decimal(const char *from, struct decimal *number)
{
    int any = 0;
    int point = 0;
    int dropped = 0;
    int digit;

    number->count = number->exponent = 0;
    for (;; from++) {
        if (*from == '.' && !point) {
            point = 1;
            continue;
        }
        digit = *from - '0';
        if ((unsigned)digit > 9)
            break;
        any = 1;
        if (number->count >= KEPT) {
            dropped |= digit;
            number->exponent += 1 - point;
        } else {
            if (digit || number->count)
                number->digits[number->count++] = digit;
            number->exponent -= point;
        }
    }
    if (!any)
        return NULL;
    if (dropped) {
        number->digits[number->count++] = 1;
        number->exponent--;
    }
    while (number->count && number->digits[number->count - 1] == 0) {
        number->count--;
        number->exponent++;
    }
    if ((*from | 32) == 'e')
        number->exponent += read_exponent(&from);
    return from;
}

static int hexadecimal_digit(int c)
{
    return isdigit(c) ? c - '0' : (unsigned)(c | 32) - 'a' < 6 ? (c | 32) - 'a' + 10 : -1;
}

/* A hexadecimal number after its 0x; NULL if there is none. */
static const char *read_hexadecimal(const char *from, double *value, int *direction)
{
    uint64_t bits = 0;
    uint64_t rest, unit;
    int any = 0;
    int point = 0;
    int exponent = 0;
    int drop = 0;
    int digit;

    for (;; from++) {
        if (*from == '.' && !point) {
            point = 1;
            continue;
        }
        digit = hexadecimal_digit(*from);
        if (digit < 0)
            break;
        any = 1;
        if (HIGH(bits) >> 26) { /* enough: others only tell that the number lies above */
            bits |= digit != 0;
            exponent += 4 - 4 * point;
        } else {
            bits = bits << 4 | digit;
            exponent -= 4 * point;
        }
    }
    if (!any)
        return NULL;
    if ((*from | 32) == 'p')
        exponent += read_exponent(&from);
    while (bits >> drop >= 2 * HIDDEN || (exponent + drop < 1 - BIAS - FRACTION_BITS && drop < 63))
        drop++;
    unit = (uint64_t)1 << drop;
    rest = bits & (unit - 1);
    bits -= rest;
    if (direction)
        *direction = rest == 0 ? 0 : 1;
    if (drop && (rest > unit / 2 || (rest == unit / 2 && bits & unit))) {
        bits += unit;
        if (direction)
            *direction = -1;
    }
    *value = ldexp((double)(bits >> drop), exponent + drop);
    if (*value == HUGE_VAL || (rest && *value < DBL_MIN) || (*value == 0 && bits))
        errno = ERANGE;
    if (direction && *value == HUGE_VAL)
        *direction = 0;
    return from;
}

/* Where `from` ends if it begins with `word`, in any case. */
static const char *skip_word(const char *from, const char *word)
{
    for (; *word; from++, word++)
        if ((*from | 32) != *word)
            return NULL;
    return from;
}

/* An infinity or NaN. */
static const char *read_name(const char *from, double *value)
{
    const char *end = skip_word(from, "inf");
    const char *longer;

    if (end) {
        *value = HUGE_VAL;
        longer = skip_word(end, "inity");
        return longer ? longer : end;
    }
    end = skip_word(from, "nan");
    if (end == NULL)
        return NULL;
    *value = NAN;
    if (*end == '(') {
        for (longer = end + 1; isalnum((unsigned char)*longer) || *longer == '_'; longer++)
            ;
        if (*longer == ')')
            end = longer + 1;
    }
    return end;
}

double __strtod(const char *string, char **end, int *direction)
{
    const char *from = string;
    const char *after = NULL;
    struct decimal number;
    double value = 0;
    int negative;

    while (isspace((unsigned char)*from))
        from++;
    negative = *from == '-';
    if (*from == '-' || *from == '+')
        from++;
    if (direction)
        *direction = 0;
    if (*from == '0' && (from[1] | 32) == 'x')
        after = read_hexadecimal(from + 2, &value, direction);
    else if (isalpha((unsigned char)*from))
        after = read_name(from, &value);
    if (after == NULL) {
        after = read_decimal(from, &number);
        if (after)
            value = nearest(&number, direction);
        else
            after = string;
    }
    if (end)
        *end = (char *)after;
    return negative ? -value : value;
}

double strtod(const char *string, char **end)
{
    return __strtod(string, end, NULL);
}
