/* The floating conversions of printf.  Decimal digits are exact: the double is a binary fixed-point number, whose
   whole part gives up digits by division and whose fraction does by multiplication, nine at a time, until there is
   one digit more than asked for and it is known whether anything lies below. */

#include "double.h"
#include "printf.h"

#define DIGITS 800 /* as many as are significant in any double, and a group */
#define LIMBS 36   /* 32-bit limbs of the fraction; the whole part has fewer */
#define GROUP 9    /* decimal digits that fit a limb */

/* A rounded decimal number: 0.d[0]d[1]... * 10^(exponent + 1).  Zero has no digits. */
struct decimal {
    int count;
    int exponent;
    char digits[DIGITS];
};

static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

/* Appends a number below 10^9 with `width` digits, or, for 0, with as many as it has. */
static void append(struct decimal *number, uint32_t value, int width)
{
    char *at;

    if (width == 0)
        for (width = 1; width < GROUP && value >= powers[width]; width++)
            ;
    number->count += width;
    for (at = number->digits + number->count; width; width--) {
        uint32_t rest = value / 10;

        *--at = '0' + (int)(value - rest * 10);
        value = rest;
    }
}

/* Divides (high, low) by 10^9, which is more than high.  The floating quotient may be 1 too small. */
static uint32_t divide(uint32_t high, uint32_t low, uint32_t *rest)
{
    uint32_t quotient = (uint32_t)((int32_t)high * 4.294967296 + (int32_t)(low >> 1) * 2e-9 - 0.5);

    *rest = low - quotient * 1000000000;
    if (*rest >= 1000000000) {
        *rest -= 1000000000;
        quotient++;
    }
    return quotient;
}

/* Appends the digits of the whole number of `count` limbs, least significant first. */
static void append_whole(struct decimal *number, uint32_t *limbs, int count)
{
    uint32_t groups[LIMBS];
    int used = 0;

    while (count > 1) {
        uint32_t rest = 0;
        int i;

        for (i = count; i--;)
            limbs[i] = divide(rest, limbs[i], &rest);
        groups[used++] = rest;
        if (limbs[count - 1] == 0)
            count--;
    }
    if (limbs[0] >= 1000000000) {
        append(number, limbs[0] / 1000000000, 0);
        append(number, limbs[0] % 1000000000, GROUP);
    } else
        append(number, limbs[0], 0);
    while (used)
        append(number, groups[--used], GROUP);
}

/* Multiplies a fraction of `count` limbs, most significant first; returns what gets whole. */
static uint32_t multiply(uint32_t *limbs, int count, uint32_t factor)
{
    uint32_t carry = 0;

    while (count--) {
        uint64_t product = (uint64_t)limbs[count] * factor + carry;

        limbs[count] = LOW(product);
        carry = HIGH(product);
    }
    return carry;
}

/* Rounds to `keep` digits, to even in a tie; `below` tells whether anything lies below the digits. */
static void round_digits(struct decimal *number, int keep, int below)
{
    const char *digits = number->digits;
    int i;

    if (keep < 0)
        keep = number->count = 0;
    if (number->count > keep) {
        int up = digits[keep] > '5';

        if (digits[keep] == '5') {
            for (i = keep + 1; i < number->count && digits[i] == '0'; i++)
                ;
            up = below || i < number->count || (keep && digits[keep - 1] & 1);
        }
        for (i = keep; up && i && digits[i - 1] == '9'; i--)
            ;
        number->count = i;
        if (up && i)
            number->digits[i - 1]++;
        else if (up) {
            number->digits[0] = '1';
            number->count = 1;
            number->exponent++;
        }
    }
    while (number->count && digits[number->count - 1] == '0')
        number->count--;
    if (number->count == 0)
        number->exponent = 0;
}

/* The number whose bits are given, rounded to `limit` digits, or, if `fixed`, to so many after the point. */
static void to_decimal(struct decimal *number, uint64_t bits, int limit, int fixed)
{
    uint32_t whole[LIMBS];
    uint32_t fraction[LIMBS];
    uint32_t high = HIGH(bits) & 0xfffff;
    uint32_t parts[3];
    int exponent = (int)(HIGH(bits) >> 20) & 0x7ff;
    int limb, shift, i, whole_count, fraction_count;
    int wanted = limit; /* digits, or places, to come */

    if (exponent)
        high |= 0x100000;
    else
        exponent = 1;
    /* The value is the significand times 2^(exponent - 1075): three limbs, the lowest of weight 2^(32 * limb). */
    exponent += 32 * 34 - 1075;
    limb = (exponent >> 5) - 34;
    shift = exponent & 31;
    parts[0] = LOW(bits) << shift;
    parts[1] = high << shift;
    parts[2] = 0;
    if (shift) {
        parts[1] |= LOW(bits) >> (32 - shift);
        parts[2] = high >> (32 - shift);
    }
    whole_count = limb + 3 > 0 ? limb + 3 : 0;
    fraction_count = limb < 0 ? -limb : 0;
    for (i = 0; i < limb; i++)
        whole[i] = 0;
    for (i = 0; i < fraction_count - 3; i++)
        fraction[i] = 0;
    for (i = 0; i < 3; i++, limb++)
        if (limb >= 0)
            whole[limb] = parts[i];
        else
            fraction[-1 - limb] = parts[i];
    while (whole_count && whole[whole_count - 1] == 0)
        whole_count--;
    number->count = 0;
    number->exponent = -1;
    if (whole_count) {
        append_whole(number, whole, whole_count);
        number->exponent = number->count - 1;
        if (!fixed)
            wanted -= number->count;
    }
    while (fraction_count && fraction[fraction_count - 1] == 0)
        fraction_count--;
    while (fraction_count && wanted >= 0) {
        int places = wanted < GROUP && (fixed || number->count) ? wanted + 1 : GROUP;
        uint32_t group = multiply(fraction, fraction_count, powers[places]);

        if (number->count) {
            append(number, group, places);
            wanted -= places;
        } else {
            if (group)
                append(number, group, 0);
            number->exponent -= places - number->count;
            wanted -= fixed ? places : number->count;
        }
        while (fraction_count && fraction[fraction_count - 1] == 0)
            fraction_count--;
    }
    if (number->count == 0)
        number->exponent = 0;
    round_digits(number, fixed ? number->exponent + 1 + limit : limit, fraction_count);
}

/* The text of a conversion: its parts are written in order, the zeros between the other two. */
struct text {
    char *end;  /* of what precedes the zeros */
    int zeros;
    int suffix; /* characters of the exponent */
    char exponent[8];
    char characters[DIGITS + 700];
};

static void add_zeros(struct text *text, int count)
{
    while (count-- > 0)
        *text->end++ = '0';
}

/* Adds `count` digits of the number from `first` on; those that it lacks are zeros. */
static int add_digits(struct text *text, const struct decimal *number, int first, int count)
{
    while (count && first < number->count) {
        *text->end++ = number->digits[first++];
        count--;
    }
    return count;
}

static void make_fixed(struct text *text, const struct decimal *number, int precision, int point)
{
    int first = number->exponent + 1;

    if (first > 0)
        add_zeros(text, add_digits(text, number, 0, first));
    else
        *text->end++ = '0';
    if (point)
        *text->end++ = '.';
    for (; first < 0 && precision && number->count; first++, precision--)
        *text->end++ = '0';
    text->zeros = add_digits(text, number, first > 0 ? first : 0, precision);
}

static void set_exponent(struct text *text, int letter, int exponent, int least)
{
    char digits[4];
    unsigned value = exponent < 0 ? -exponent : exponent;
    int count = 0;

    do
        digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count < least)
        digits[count++] = '0';
    text->exponent[0] = letter;
    text->exponent[1] = exponent < 0 ? '-' : '+';
    for (text->suffix = 2; count; text->suffix++)
        text->exponent[text->suffix] = digits[--count];
}

static void make_scientific(struct text *text, const struct decimal *number, int precision, int point, int letter)
{
    add_zeros(text, add_digits(text, number, 0, 1));
    if (point)
        *text->end++ = '.';
    text->zeros = add_digits(text, number, 1, precision);
    set_exponent(text, letter, number->exponent, 2);
}

/* %g: the shorter form, without zeros at the end unless `alternate`. */
static void make_general(struct text *text, const struct decimal *number, int precision, int alternate, int letter)
{
    int exponent = number->exponent;
    int digits = alternate ? precision : number->count ? number->count : 1;

    if (exponent < -4 || exponent >= precision) {
        make_scientific(text, number, digits - 1, alternate || digits > 1, letter);
    } else {
        int places = digits - 1 - exponent;

        make_fixed(text, number, places > 0 ? places : 0, alternate || places > 0);
    }
}

/* %a: a digit of 1 or 0, and the 13 hexadecimal digits of the fraction. */
static void make_hexadecimal(struct text *text, uint64_t bits, int precision, int alternate, int upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    uint32_t high = HIGH(bits) & 0xfffff;
    uint32_t low = LOW(bits);
    int exponent = (int)(HIGH(bits) >> 20) & 0x7ff;
    int i;

    if (exponent)
        high |= 0x100000;
    else if (high | low)
        exponent = 1;
    else
        exponent = BIAS;
    if (precision >= 0 && precision < 13) { /* round half to even */
        int shift = 4 * (13 - precision);
        uint64_t value = PAIR(high, low);
        uint64_t unit = (uint64_t)1 << shift;
        uint64_t rest = value & (unit - 1);

        value -= rest;
        if (rest > unit / 2 || (rest == unit / 2 && value & unit))
            value += unit;
        high = HIGH(value);
        low = LOW(value);
    }
    *text->end++ = '0' + (int)(high >> 20);
    if (precision < 0) {
        uint32_t a = high & 0xfffff;
        uint32_t b = low;

        for (precision = 13; precision && !(b & 15); precision--) {
            b = b >> 4 | a << 28;
            a >>= 4;
        }
    }
    if (precision || alternate)
        *text->end++ = '.';
    for (i = 0; i < precision && i < 13; i++) {
        *text->end++ = digits[high >> 16 & 15];
        high = high << 4 | low >> 28;
        low <<= 4;
    }
    text->zeros = precision - i;
    set_exponent(text, upper ? 'P' : 'p', exponent - BIAS, 1);
}

/* Writes sign and text, padded as the spec says; returns how many characters that makes. */
static int put_text(FILE *f, const struct spec *spec, const char *sign, int zero_padding, const struct text *text)
{
    int sign_length = sign[0] == 0 ? 0 : sign[1] == 0 ? 1 : sign[2] == 0 ? 2 : 3;
    int length = text->end - text->characters;
    int total = sign_length + length + text->zeros + text->suffix;
    int padding = spec->width - total;

    if (padding > 0) {
        total = spec->width;
        if (!(spec->flags & LEFT) && !zero_padding)
            __pad(f, BLANKS, padding);
    }
    if (sign_length)
        __put(sign, sign_length, f);
    if (padding > 0 && !(spec->flags & LEFT) && zero_padding)
        __pad(f, ZEROS, padding);
    __put(text->characters, length, f);
    if (text->zeros)
        __pad(f, ZEROS, text->zeros);
    if (text->suffix)
        __put(text->exponent, text->suffix, f);
    if (padding > 0 && spec->flags & LEFT)
        __pad(f, BLANKS, padding);
    return total;
}

/* Prints one floating argument; a NaN has no sign, as machines do not agree on it. */
int __format_float(FILE *f, const struct spec *spec, double value, int conversion)
{
    static const char signs[][4] = {"", "-", "+", " ", "0x", "-0x", "+0x", " 0x", "0X", "-0X", "+0X", " 0X"};
    struct text text;
    struct decimal number;
    union double_bits pattern;
    int letter = conversion | 32;
    int upper = conversion != letter;
    int precision = spec->precision;
    int alternate = spec->flags & ALTERNATE;
    int sign;

    pattern.value = value;
    sign = HIGH(pattern.bits) >> 31 ? 1 : spec->flags & PLUS ? 2 : spec->flags & SPACE ? 3 : 0;
    text.end = text.characters;
    text.zeros = text.suffix = 0;
    if ((HIGH(pattern.bits) & 0x7ff00000) == 0x7ff00000) {
        int is_nan = (HIGH(pattern.bits) & 0xfffff) | LOW(pattern.bits) ? 1 : 0;
        const char *name = is_nan ? upper ? "NAN" : "nan" : upper ? "INF" : "inf";

        while (*name)
            *text.end++ = *name++;
        return put_text(f, spec, signs[is_nan && sign == 1 ? 0 : sign], 0, &text);
    }
    if (letter == 'a') {
        sign += upper ? 8 : 4;
        make_hexadecimal(&text, pattern.bits, precision, alternate, upper);
    } else {
        if (precision < 0)
            precision = 6;
        if (letter == 'f') {
            to_decimal(&number, pattern.bits, precision, 1);
            make_fixed(&text, &number, precision, precision || alternate);
        } else if (letter == 'e') {
            to_decimal(&number, pattern.bits, precision + 1, 0);
            make_scientific(&text, &number, precision, precision || alternate, conversion);
        } else {
            if (precision == 0)
                precision = 1;
            to_decimal(&number, pattern.bits, precision, 0);
            make_general(&text, &number, precision, alternate, conversion - 2);
        }
    }
    return put_text(f, spec, signs[sign], spec->flags & ZERO, &text);
}
