/* printf with numbered arguments, %2$s: first the types of the arguments are found, then the conversions are printed
   one by one. */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "printf.h"

#define POSITIONS 64 /* arguments */
#define TEXT 48      /* one conversion without numbers of arguments */
#define NUMBER 12

enum kind { INT, LONG_INT, LONG_LONG_INT, DOUBLE, POINTER };

union value {
    int i;
    long l;
    long long q;
    double d;
    void *p;
};

/* One conversion: the numbers of its arguments, or 0, and how it is spelled for a single argument. */
struct conversion {
    int argument, width, precision;
    enum length length;
    char text[TEXT];
};

static const char *read_digits(const char *format, int *number)
{
    *number = 0;
    for (; (unsigned)*format - '0' < 10; format++)
        if (*number < INT_MAX / 10)
            *number = *number * 10 + (*format - '0');
    return format;
}

/* Reads a number, or * and the number of an argument; writes it as it is, or as the argument is, from `to` on. */
static const char *read_size(const char *format, const char *prefix, int *argument, const union value *values,
                             char **to)
{
    int size;

    if (*format == '*') {
        format = read_digits(format + 1, argument);
        if (*format == '$')
            format++;
        size = values != NULL && *argument < POSITIONS ? values[*argument].i : 0;
        if (size < 0 && *prefix)
            return format;
    } else {
        const char *from = format;

        format = read_digits(format, &size);
        if (format == from && !*prefix)
            return format;
    }
    *to += sprintf(*to, "%s%d", prefix, size);
    return format;
}

/* Reads what follows a %; returns where its letter is. */
static const char *read_conversion(const char *format, struct conversion *conversion, const union value *values)
{
    char *to = conversion->text;
    const char *length;

    conversion->width = conversion->precision = 0;
    conversion->length = PLAIN;
    *to++ = '%';
    format = read_digits(format, &conversion->argument);
    if (*format == '$')
        format++;
    for (; *format && strchr("-+ #0'", *format); format++)
        if (*format != '\'' && to - conversion->text < TEXT - 3 * NUMBER)
            *to++ = *format;
    format = read_size(format, "", &conversion->width, values, &to);
    if (*format == '.')
        format = read_size(format + 1, ".", &conversion->precision, values, &to);
    length = format;
    format = __read_length(format, &conversion->length);
    while (length < format)
        *to++ = *length++;
    *to++ = *format;
    *to = 0;
    return format;
}

static enum kind kind_of(int letter, enum length length)
{
    if (strchr("spn", letter))
        return POINTER;
    if (strchr("fFeEgGaA", letter))
        return DOUBLE;
    return letter == 'c' || length <= PLAIN ? INT : length == LONG ? LONG_INT : LONG_LONG_INT;
}

static void read_arguments(const char *format, va_list ap, union value *values)
{
    unsigned char kinds[POSITIONS] = {0};
    struct conversion conversion;
    int last = 0, number;

    while ((format = strchr(format, '%')) != NULL) {
        int numbers[3];

        format = read_conversion(format + 1, &conversion, NULL);
        if (*format == 0)
            break;
        numbers[0] = conversion.width;
        numbers[1] = conversion.precision;
        numbers[2] = conversion.argument;
        for (number = 0; number < 3; number++)
            if (numbers[number] < POSITIONS && numbers[number] > last)
                last = numbers[number];
        if (conversion.argument < POSITIONS && *format != '%' && *format != 'm')
            kinds[conversion.argument] = kind_of(*format, conversion.length);
        format++;
    }
    for (number = 1; number <= last; number++) {
        if (kinds[number] == INT)
            values[number].i = va_arg(ap, int);
        else if (kinds[number] == LONG_INT)
            values[number].l = va_arg(ap, long);
        else if (kinds[number] == LONG_LONG_INT)
            values[number].q = va_arg(ap, long long);
        else if (kinds[number] == DOUBLE)
            values[number].d = va_arg(ap, double);
        else
            values[number].p = va_arg(ap, void *);
    }
}

static int put_value(FILE *f, const char *text, enum kind kind, const union value *value)
{
    switch (kind) {
    case INT:
        return fprintf(f, text, value->i);
    case LONG_INT:
        return fprintf(f, text, value->l);
    case LONG_LONG_INT:
        return fprintf(f, text, value->q);
    case DOUBLE:
        return fprintf(f, text, value->d);
    default:
        return fprintf(f, text, value->p);
    }
}

/* Prints the rest of a format from its first numbered conversion on; `total` characters are written before it.  Returns
   how many that makes in all. */
int __print_positions(FILE *f, const char *format, va_list ap, int total)
{
    union value values[POSITIONS] = {{0}};
    struct conversion conversion;
    const char *run;

    read_arguments(format, ap, values);
    for (; *format; format++) {
        for (run = format; *format != '%' && *format; format++)
            ;
        __put(run, format - run, f);
        total += format - run;
        if (*format == 0)
            break;
        format = read_conversion(format + 1, &conversion, values);
        if (*format == 0)
            break;
        if (conversion.argument >= POSITIONS)
            continue;
        if (*format == 'n')
            __store_count(values[conversion.argument].p, conversion.length, total);
        else
            total += put_value(f, conversion.text, kind_of(*format, conversion.length), &values[conversion.argument]);
    }
    return total;
}
