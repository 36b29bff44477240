/* strfmon in the "C" locale, which has no signs of currencies, no separators and no positions of the sign. */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <monetary.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How an amount is written; -1: not told. */
struct style {
    char fill;
    int in_parentheses, left, width, before, after;
};

static const char *read_number(const char *format, int *number)
{
    for (*number = 0; isdigit((unsigned char)*format); format++)
        if (*number < 1000)
            *number = 10 * *number + (*format - '0');
    return format;
}

/* Reads all between `%` and the conversion. */
static const char *read_style(const char *format, struct style *style)
{
    *style = (struct style){' ', 0, 0, 0, -1, -1};
    for (; *format && strchr("=^!+(-", *format); format++)
        if (*format == '=' && format[1])
            style->fill = *++format;
        else if (*format == '(')
            style->in_parentheses = 1;
        else if (*format == '-')
            style->left = 1;
    format = read_number(format, &style->width);
    if (*format == '#')
        format = read_number(format + 1, &style->before);
    if (*format == '.')
        format = read_number(format + 1, &style->after);
    return format;
}

/* Writes an amount; returns its length, which is `size` or more if it has no room. */
static size_t write_amount(char *text, size_t size, double amount, const struct style *style)
{
    char digits[400];
    int negative = amount < 0, length, filled, total, pad;
    const char *before = !negative ? "" : style->in_parentheses ? "(" : "-";
    const char *after = negative && style->in_parentheses ? ")" : "";

    length = snprintf(digits, sizeof digits, "%.*f", style->after < 0 ? 2 : style->after, fabs(amount));
    filled = style->before - (int)strcspn(digits, ".");
    filled = filled > 0 ? filled : 0;
    if (style->before >= 0 && !*before)
        before = " "; /* where others of the column have their sign */
    total = (int)(strlen(before) + strlen(after)) + filled + length;
    pad = style->width > total ? style->width - total : 0;
    if ((size_t)(total + pad) >= size)
        return size;
    text += sprintf(text, "%*s", style->left ? 0 : pad, "");
    text += sprintf(text, "%s", before);
    memset(text, style->fill, filled);
    text += filled;
    text += sprintf(text, "%s%s", digits, after);
    sprintf(text, "%*s", style->left ? pad : 0, "");
    return total + pad;
}

static ssize_t write_amounts(char *text, size_t size, const char *format, va_list arguments)
{
    size_t used = 0;
    struct style style;

    for (; *format && used < size; format++) {
        if (*format != '%' || *++format == '%') {
            text[used++] = *format;
            continue;
        }
        format = read_style(format, &style);
        if (*format != 'n' && *format != 'i') {
            errno = EINVAL;
            return -1;
        }
        used += write_amount(text + used, size - used, va_arg(arguments, double), &style);
    }
    if (used >= size) {
        errno = E2BIG;
        return -1;
    }
    text[used] = 0;
    return (ssize_t)used;
}

ssize_t strfmon(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    ssize_t length;

    va_start(arguments, format);
    length = write_amounts(text, size, format, arguments);
    va_end(arguments);
    return length;
}

ssize_t strfmon_l(char *text, size_t size, locale_t locale, const char *format, ...)
{
    va_list arguments;
    ssize_t length;

    (void)locale;
    va_start(arguments, format);
    length = write_amounts(text, size, format, arguments);
    va_end(arguments);
    return length;
}
