/* vfprintf: the heart of printf.  Parts that few programs need are in files of their own, and not linked where no
   format has such conversions (vpo/il/formats.py): floating ones in printf_float.c, numbers that are longer than a
   word in printf_long.c, wide strings in printf_wide.c, numbers of arguments in printf_positions.c. */

#include <errno.h>
#include <string.h>
#include "printf.h"

/* Room for a number of 64 bits in octal, and its prefix. */
#define DIGITS 24

/* A va_list that functions can advance for their caller. */
struct arguments {
    va_list ap;
};

#define SIZE_LENGTH (sizeof(size_t) == sizeof(long) ? LONG : PLAIN)
#define INTMAX_LENGTH (sizeof(intmax_t) == sizeof(long) ? LONG : LONG_LONG)

/* Writes `count` padding characters: of ZEROS or BLANKS. */
void __pad(FILE *f, const char *padding, int count)
{
    for (; count > PADDING; count -= PADDING)
        __put(padding, PADDING, f);
    if (count > 0)
        __put(padding, count, f);
}

/* What stands for parts that are not linked. */
int __no_part(void)
{
    return 0;
}

#pragma weak __format_float = __no_part
#pragma weak __print_long = __no_part
#pragma weak __print_positions = __no_part
#pragma weak __put_wide_string = __no_part

/* Writes the digits of `value` up to `end`; returns their beginning. */
char *__decimal(char *end, unsigned long value)
{
    do {
        unsigned long rest = value / 10;

        *--end = '0' + (int)(value - rest * 10);
        value = rest;
    } while (value);
    return end;
}

char *__power_of_two(char *end, unsigned long value, int shift, const char *digits)
{
    unsigned mask = (1 << shift) - 1;

    do
        *--end = digits[value & mask];
    while (value >>= shift);
    return end;
}

/* Writes prefix and body, padded as the spec says; returns how many characters that makes. */
static int put_padded(FILE *f, const struct spec *spec, const char *prefix, int prefix_length, int zeros,
                      const char *body, int body_length)
{
    int length = prefix_length + zeros + body_length;
    int padding = spec->width - length;

    if (padding > 0) {
        length = spec->width;
        if (!(spec->flags & LEFT))
            __pad(f, BLANKS, padding);
    }
    if (prefix_length)
        __put(prefix, prefix_length, f);
    if (zeros)
        __pad(f, ZEROS, zeros);
    __put(body, body_length, f);
    if (padding > 0 && spec->flags & LEFT)
        __pad(f, BLANKS, padding);
    return length;
}

/* d i u o x X p: `from` to `end` are the digits, with room before them for the prefix. */
static int put_number(FILE *f, const struct spec *spec, const char *prefix, char *from, const char *end)
{
    int digits = end - from;
    int prefix_length = prefix[0] == 0 ? 0 : prefix[1] == 0 ? 1 : 2;
    int zeros = 0;

    if (spec->precision >= 0)
        zeros = spec->precision - digits;
    else if ((spec->flags & (ZERO | LEFT)) == ZERO)
        zeros = spec->width - prefix_length - digits;
    if (zeros > 0)
        return put_padded(f, spec, prefix, prefix_length, zeros, from, digits);
    if (prefix_length) {
        from -= prefix_length;
        memcpy(from, prefix, prefix_length);
        digits += prefix_length;
    }
    if (digits < spec->width)
        return put_padded(f, spec, prefix, 0, 0, from, digits);
    __put(from, digits, f);
    return digits;
}

static int put_signed(FILE *f, const struct spec *spec, enum length length, struct arguments *arguments)
{
    char text[DIGITS];
    char *end = text + DIGITS;
    char *from = end;
    int negative;

    if (IS_WIDE(length)) {
        long long value = va_arg(arguments->ap, long long);

        negative = value < 0;
        if (value || spec->precision)
            from = __print_long(end, negative ? -(unsigned long long)value : (unsigned long long)value, 0, "");
    } else {
        long value = length >= LONG ? va_arg(arguments->ap, long) : va_arg(arguments->ap, int);

        if (length < PLAIN)
            value = length == HALF ? (short)value : (signed char)value;
        negative = value < 0;
        if (value || spec->precision)
            from = __decimal(end, negative ? -(unsigned long)value : (unsigned long)value);
    }
    return put_number(f, spec, negative ? "-" : spec->flags & PLUS ? "+" : spec->flags & SPACE ? " " : "", from, end);
}

static int put_unsigned(FILE *f, struct spec *spec, enum length length, int conversion, struct arguments *arguments)
{
    char text[DIGITS];
    char *end = text + DIGITS;
    char *from = end;
    const char *digits = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    int shift = conversion == 'u' ? 0 : conversion == 'o' ? 3 : 4;
    unsigned long low;

    if (IS_WIDE(length)) {
        unsigned long long value = va_arg(arguments->ap, unsigned long long);

        low = value != 0;
        if (low || spec->precision)
            from = __print_long(end, value, shift, digits);
    } else {
        low = length >= LONG ? va_arg(arguments->ap, unsigned long) : va_arg(arguments->ap, unsigned);
        if (length < PLAIN)
            low = length == HALF ? (unsigned short)low : (unsigned char)low;
        if (low || spec->precision)
            from = shift ? __power_of_two(end, low, shift, digits) : __decimal(end, low);
    }
    if (spec->flags & ALTERNATE) {
        if (shift == 4 && low)
            return put_number(f, spec, conversion == 'X' ? "0X" : "0x", from, end);
        if (shift == 3 && (from == end || *from != '0') && spec->precision <= end - from)
            *--from = '0';
    }
    return put_number(f, spec, "", from, end);
}

/* b B, of C23 */
static int put_binary(FILE *f, const struct spec *spec, enum length length, int conversion, struct arguments *arguments)
{
    char text[8 * sizeof(long long) + 2];
    char *end = text + sizeof text;
    char *from = end;
    const char *prefix = conversion == 'B' ? "0B" : "0b";
    unsigned long long value;

    if (IS_WIDE(length))
        value = va_arg(arguments->ap, unsigned long long);
    else {
        value = length >= LONG ? va_arg(arguments->ap, unsigned long) : va_arg(arguments->ap, unsigned);
        if (length < PLAIN)
            value = length == HALF ? (unsigned short)value : (unsigned char)value;
    }
    if (!(spec->flags & ALTERNATE) || value == 0)
        prefix = "";
    if (value || spec->precision)
        from = __print_long(end, value, 1, "01");
    return put_number(f, spec, prefix, from, end);
}

static int put_pointer(FILE *f, const struct spec *spec, const void *pointer)
{
    char text[DIGITS];
    char *end = text + DIGITS;

    if (pointer == NULL)
        return put_padded(f, spec, NULL, 0, 0, "(nil)", 5);
    return put_number(f, spec, "0x", __power_of_two(end, (unsigned long)pointer, 4, "0123456789abcdef"), end);
}

static int put_string(FILE *f, const struct spec *spec, const char *string)
{
    int length;

    if (string == NULL)
        string = "(null)";
    length = spec->precision < 0 ? strlen(string) : strnlen(string, spec->precision);
    if (length < spec->width)
        return put_padded(f, spec, NULL, 0, 0, string, length);
    __put(string, length, f);
    return length;
}

/* A number in the format, or * and an argument; -1 is an absent one. */
static const char *read_number(const char *format, int *number, struct arguments *arguments)
{
    unsigned digit;
    int value = 0;

    if (*format == '*') {
        *number = va_arg(arguments->ap, int);
        return format + 1;
    }
    for (; (digit = (unsigned)*format - '0') < 10; format++)
        value = value * 10 + digit;
    *number = value;
    return format;
}

/* Flags but ', which is nothing in the "C" locale; width and precision. */
static const char *read_spec(const char *format, struct spec *spec, struct arguments *arguments)
{
    for (;; format++) {
        if (*format == '-')
            spec->flags |= LEFT;
        else if (*format == '0')
            spec->flags |= ZERO;
        else if (*format == '+')
            spec->flags |= PLUS;
        else if (*format == ' ')
            spec->flags |= SPACE;
        else if (*format == '#')
            spec->flags |= ALTERNATE;
        else
            break;
    }
    format = read_number(format, &spec->width, arguments);
    if (spec->width < 0) {
        spec->width = -spec->width;
        spec->flags |= LEFT;
    }
    if (*format == '.') {
        format = read_number(format + 1, &spec->precision, arguments);
        if (spec->precision < 0)
            spec->precision = -1;
    }
    return format;
}

/* wN, wfN, of C23: integers of N bits, or those that are fast and have as many. */
static const char *read_width(const char *format, enum length *length)
{
    int fast = *format == 'f';
    int bits = 0;

    for (format += fast; *format >= '0' && *format <= '9'; format++)
        bits = 10 * bits + *format - '0';
    if (fast && bits != 64)
        bits = bits == 8 ? __INT_FAST8_WIDTH__ : bits == 16 ? __INT_FAST16_WIDTH__ : __INT_FAST32_WIDTH__;
    if (bits == 64)
        *length = LONG_LONG;
    else if (bits > 8 * (int)sizeof(int))
        *length = LONG;
    else if (bits == 8 * (int)sizeof(int))
        *length = PLAIN;
    else
        *length = bits == 16 ? HALF : HALF_HALF;
    return format;
}

const char *__read_length(const char *format, enum length *length)
{
    switch (*format) {
    case 'h':
        *length = format[1] == 'h' ? HALF_HALF : HALF;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *length = format[1] == 'l' ? LONG_LONG : LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'j':
        *length = INTMAX_LENGTH;
        return format + 1;
    case 'z':
    case 't':
        *length = SIZE_LENGTH;
        return format + 1;
    case 'L':
        *length = LONG_LONG;
        return format + 1;
    case 'w':
        return read_width(format + 1, length);
    }
    return format;
}

/* An unbuffered stream gets each output in one piece, or few. */
static int print_unbuffered(FILE *f, const char *format, va_list ap)
{
    unsigned char space[SLACK + 256];
    FILE buffered = *f;
    int count;

    buffered._flags = (f->_flags & ~UNBUFFERED) | LISTED;
    buffered._next = buffered._buffer = space + SLACK;
    buffered._read_end = NULL;
    buffered._size = 256;
    buffered._write_end = buffered._flags & CAN_WRITE ? buffered._next + 256 : space;
    count = vfprintf(&buffered, format, ap);
    if (__flush(&buffered))
        count = -1;
    f->_flags |= buffered._flags & FAILED;
    return count;
}

int vfprintf(FILE *f, const char *format, va_list ap)
{
    struct arguments arguments;
    struct spec spec;
    enum length length;
    const char *run;
    char character;
    int total = 0;

    if (f->_flags & UNBUFFERED)
        return print_unbuffered(f, format, ap);
    va_copy(arguments.ap, ap);
    for (;; format++) {
        for (run = format; *format != '%' && *format; format++)
            ;
        if (format != run) {
            __put(run, format - run, f);
            total += format - run;
        }
        if (*format++ == 0)
            break;
        spec.flags = spec.width = 0;
        spec.precision = -1;
        length = PLAIN;
        if ((unsigned char)*format < 'A')
            format = read_spec(format, &spec, &arguments);
    again:
        switch (*format) {
        case 'd':
        case 'i':
            total += put_signed(f, &spec, length, &arguments);
            break;
        case 's':
            if (length == LONG)
                total += __put_wide_string(f, &spec, va_arg(arguments.ap, const wchar_t *));
            else
                total += put_string(f, &spec, va_arg(arguments.ap, const char *));
            break;
        case 'c':
            character = va_arg(arguments.ap, int);
            if (spec.width > 1)
                total += put_padded(f, &spec, NULL, 0, 0, &character, 1);
            else {
                putc(character, f);
                total++;
            }
            break;
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            total += put_unsigned(f, &spec, length, *format, &arguments);
            break;
        case 'b':
        case 'B':
            total += put_binary(f, &spec, length, *format, &arguments);
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            total += __format_float(f, &spec, va_arg(arguments.ap, double), *format);
            break;
        case 'l':
        case 'h':
        case 'z':
        case 'j':
        case 't':
        case 'L':
        case 'w':
            format = __read_length(format, &length);
            goto again;
        case 'p':
            total += put_pointer(f, &spec, va_arg(arguments.ap, const void *));
            break;
        case 'n':
            __store_count(va_arg(arguments.ap, void *), length, total);
            break;
        case '%':
            putc('%', f);
            total++;
            break;
        case 0: /* an unfinished conversion: nothing */
            format--;
            break;
        case '$':
            while (*--format != '%')
                ;
            total = __print_positions(f, format, arguments.ap, total);
            va_end(arguments.ap);
            return f->_flags & FAILED ? -1 : total;
        case '\'':
            format = read_spec(format + 1, &spec, &arguments);
            goto again;
        case 'm':
            total += put_string(f, &spec, strerror(errno));
            break;
        default: /* an unknown one: as it stands */
            putc('%', f);
            putc(*format, f);
            total += 2;
        }
    }
    va_end(arguments.ap);
    return f->_flags & FAILED ? -1 : total;
}
