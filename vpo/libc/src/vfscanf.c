/* vfscanf: the heart of scanf.  What is a floating number is decided in scanf_float.c. */

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "scanf.h"

#define TEXT 1200 /* a number has this many characters at most */

/* A va_list that functions can advance for their caller. */
struct arguments {
    va_list ap;
};

/* One conversion: what the format says of it. */
struct conversion {
    int suppressed;
    int allocates; /* m: the field goes to memory that is allocated */
    int width; /* 0: none */
    enum length length;
    int letter;
};

/* How a conversion ends. */
enum outcome { DONE, MISMATCH, NO_INPUT };

#ifndef BINARY_NUMBERS
int __next_character(struct input *input)
{
    int c;

    if (input->left == 0)
        return EOF;
    c = getc(input->f);
    if (c != EOF) {
        input->left--;
        input->count++;
    }
    return c;
}

void __give_back(struct input *input, int c)
{
    if (c != EOF) {
        input->f->_next--;
        input->left++;
        input->count--;
    }
}
#endif

static void skip_space(struct input *input)
{
    int c;

    input->left = INT_MAX;
    do
        c = __next_character(input);
    while (isspace(c));
    __give_back(input, c);
}

static int value_of(int c)
{
    if (isdigit(c))
        return c - '0';
    c |= 32;
    return (unsigned)c - 'a' < 26 ? c - 'a' + 10 : 99;
}

/* Reads what strtol converts; returns how many characters, 0 if it is no number. */
static int scan_integer(struct input *input, char *text, int base)
{
    char *to = text;
    char *end = text + TEXT - 1;
    int c = __next_character(input);
    int digits = 0;

    if (c == '-' || c == '+') {
        *to++ = c;
        c = __next_character(input);
    }
    if (c == '0' && (base == 0 || base == 16)) {
        *to++ = c;
        digits = 1;
        c = __next_character(input);
        if ((c | 32) == 'x') {
            *to++ = c;
            digits = 0;
            base = 16;
            c = __next_character(input);
#ifdef BINARY_NUMBERS
        } else if ((c | 32) == 'b' && base == 0) {
            *to++ = c;
            digits = 0;
            base = 2;
            c = __next_character(input);
#endif
        } else if (base == 0)
            base = 8;
    } else if (base == 0)
        base = 10;
    for (; value_of(c) < base; c = __next_character(input)) {
        digits = 1;
        if (to < end)
            *to++ = c;
    }
    __give_back(input, c);
    *to = 0;
    return digits ? to - text : 0;
}

static void store_integer(void *where, enum length length, const char *text, int base, int is_signed)
{
    if (length == LONG_LONG)
        *(unsigned long long *)where = is_signed ? (unsigned long long)strtoll(text, NULL, base)
                                                 : strtoull(text, NULL, base);
    else {
        unsigned long value = is_signed ? (unsigned long)strtol(text, NULL, base) : strtoul(text, NULL, base);

        if (length == PLAIN)
            *(unsigned *)where = value;
        else if (length == LONG)
            *(unsigned long *)where = value;
        else if (length == HALF)
            *(unsigned short *)where = value;
        else
            *(unsigned char *)where = value;
    }
}

static enum outcome read_integer(struct input *input, const struct conversion *conversion, void *where)
{
    static const char letters[] = "diuoxXpb";
    static const signed char bases[] = {10, 0, 10, 8, 16, 16, 16, 2};
    char text[TEXT];
    int letter = conversion->letter;
    int base = bases[strchr(letters, letter) - letters];

    if (!scan_integer(input, text, base))
        return MISMATCH;
    if (where)
        store_integer(where, letter == 'p' ? LONG : conversion->length, text, base, letter == 'd' || letter == 'i');
    return DONE;
}

static enum outcome read_float(struct input *input, const struct conversion *conversion, void *where)
{
    char text[TEXT];

    if (!__scan_float(input, text, TEXT))
        return MISMATCH;
    if (where == NULL)
        return DONE;
    if (conversion->length == PLAIN)
        *(float *)where = strtof(text, NULL);
    else
        *(double *)where = strtod(text, NULL);
    return DONE;
}

/* Reads the set of %[, whose last character the result is at: a bit for each member. */
static const char *read_set(const char *format, unsigned char *set)
{
    int outside = *format == '^';
    const char *first;
    unsigned c, last, bit;

    memset(set, outside ? 255 : 0, 32);
    if (outside)
        format++;
    for (first = format; *format && (*format != ']' || format == first); format++) {
        c = last = (unsigned char)*format;
        if (format[1] == '-' && format[2] && format[2] != ']') {
            format += 2;
            last = (unsigned char)*format;
        }
        for (; c <= last; c++) {
            bit = 1 << (c & 7);
            if (outside)
                set[c >> 3] &= ~bit;
            else
                set[c >> 3] |= bit;
        }
    }
    return format;
}

/* %s, %[ and %c: the characters of a set, or all if it is NULL. */
static enum outcome read_characters(struct input *input, const unsigned char *set, void *where, int terminated)
{
    char *to = where;
    int any = 0;
    int c;

    while ((c = __next_character(input)) != EOF && (set == NULL || set[c >> 3] >> (c & 7) & 1)) {
        any = 1;
        if (to)
            *to++ = c;
    }
    __give_back(input, c);
    if (!any)
        return c == EOF ? NO_INPUT : MISMATCH;
    if (to && terminated)
        *to = 0;
    return DONE;
}

/* %ls, %l[ and %lc: the same as wide characters. */
static enum outcome read_wide(struct input *input, const unsigned char *set, void *where, int terminated)
{
    wchar_t *to = where;
    int any = 0;
    int c;

    while ((c = __next_character(input)) != EOF && (set == NULL || set[c >> 3] >> (c & 7) & 1)) {
        any = 1;
        if (to)
            *to++ = c;
    }
    __give_back(input, c);
    if (!any)
        return c == EOF ? NO_INPUT : MISMATCH;
    if (to && terminated)
        *to = 0;
    return DONE;
}

/* %ms, %m[ and %mc: `where` is set to memory that the program frees. */
static enum outcome read_allocated(struct input *input, const unsigned char *set, void *where, int terminated)
{
    size_t size = 0, used = 0;
    char *text = NULL;
    int c;

    while ((c = __next_character(input)) != EOF && (set == NULL || set[c >> 3] >> (c & 7) & 1)) {
        if (used + 1 >= size) {
            char *larger = realloc(text, size = size ? 2 * size : 32);

            if (larger == NULL)
                break;
            text = larger;
        }
        text[used++] = c;
    }
    __give_back(input, c);
    if (!used)
        return c == EOF ? NO_INPUT : MISMATCH;
    if (terminated)
        text[used] = 0;
    if (where)
        *(char **)where = text;
    else
        free(text);
    return DONE;
}

static const unsigned char no_space[32] = {0xff, 0xc1, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                           0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

static const char *read_length(const char *format, enum length *length)
{
    *length = PLAIN;
    switch (*format) {
    case 'h':
        *length = format[1] == 'h' ? HALF_HALF : HALF;
        break;
    case 'l':
        *length = format[1] == 'l' ? LONG_LONG : LONG;
        break;
    case 'L':
        *length = LONG_LONG;
        return format + 1;
    case 'j':
        *length = sizeof(intmax_t) == sizeof(long) ? LONG : LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        *length = sizeof(size_t) == sizeof(long) ? LONG : PLAIN;
        return format + 1;
    default:
        return format;
    }
    return format + (format[1] == *format ? 2 : 1);
}

static const char *read_conversion(const char *format, struct conversion *conversion)
{
    conversion->suppressed = *format == '*';
    if (conversion->suppressed)
        format++;
    conversion->width = 0;
    if (*format == '\'')
        format++;
    for (; isdigit(*format); format++)
        conversion->width = conversion->width * 10 + (*format - '0');
    conversion->allocates = *format == 'm';
    if (conversion->allocates)
        format++;
    format = read_length(format, &conversion->length);
    conversion->letter = *format;
    return format;
}

/* Reads one field.  `*format` is at the conversion's letter, and is left at its last character. */
static enum outcome read_field(struct input *input, const struct conversion *conversion, const char **format,
                               void *where)
{
    enum outcome (*read)(struct input *, const unsigned char *, void *, int) =
        conversion->allocates ? read_allocated : conversion->length == LONG ? read_wide : read_characters;
    unsigned char set[32];
    int c;

    if (conversion->letter != '[' && conversion->letter != 'c')
        skip_space(input);
    input->left = 1;
    c = __next_character(input);
    if (c == EOF)
        return NO_INPUT;
    __give_back(input, c);
    input->left = conversion->width ? conversion->width : conversion->letter == 'c' ? 1 : INT_MAX;
    switch (conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
    case 'b':
        return read_integer(input, conversion, where);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return read_float(input, conversion, where);
    case 's':
        return read(input, no_space, where, 1);
    case '[':
        *format = read_set(*format + 1, set);
        return read(input, set, where, 1);
    case 'c':
        return read(input, NULL, where, 0);
    case '%':
        return __next_character(input) == '%' ? DONE : MISMATCH;
    }
    return MISMATCH;
}

int vfscanf(FILE *f, const char *format, va_list ap)
{
    struct arguments arguments;
    struct input input;
    struct conversion conversion;
    enum outcome outcome;
    void *where;
    int assigned = 0;
    int c;

    va_copy(arguments.ap, ap);
    input.f = f;
    input.count = 0;
    for (; *format; format++) {
        if (isspace((unsigned char)*format)) {
            skip_space(&input);
            continue;
        }
        if (*format != '%') {
            input.left = 1;
            c = __next_character(&input);
            if (c == (unsigned char)*format)
                continue;
            __give_back(&input, c);
            outcome = c == EOF ? NO_INPUT : MISMATCH;
        } else {
            format = read_conversion(format + 1, &conversion);
            where = NULL;
            if (!conversion.suppressed && conversion.letter != '%')
                where = va_arg(arguments.ap, void *);
            if (conversion.letter == 'n') {
                if (where)
                    __store_count(where, conversion.length, input.count);
                continue;
            }
            outcome = read_field(&input, &conversion, &format, where);
            if (outcome == DONE) {
                assigned += where != NULL;
                continue;
            }
        }
        if (outcome == NO_INPUT && assigned == 0)
            assigned = EOF;
        break;
    }
    va_end(arguments.ap);
    return assigned;
}
