/* ecvt, fcvt, gcvt and their reentrant forms: decimal digits of a double, by printf. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 17 /* at most: more would tell nothing */

static char digits[400];

/* Takes the digits of a printed number to a buffer: neither sign nor point, no zeros before the first other digit. */
static char *significant(char *to, const char *from)
{
    for (from += strspn(from, "-0."); *from && *from != 'e'; from++)
        if (*from != '.')
            *to++ = *from;
    *to = 0;
    return to;
}

static int not_finite(double value, int *point, int *sign, char *buffer, size_t size)
{
    *sign = signbit(value) != 0;
    *point = 0;
    if (isfinite(value))
        return 0;
    snprintf(buffer, size, "%s", isnan(value) ? "nan" : "inf");
    return 1;
}

int ecvt_r(double value, int count, int *point, int *sign, char *buffer, size_t size)
{
    char printed[40];

    if (not_finite(value, point, sign, buffer, size))
        return 0;
    if (count > DIGITS)
        count = DIGITS;
    if (count <= 0 && size) {
        *buffer = 0;
        return 0;
    }
    if (size <= (size_t)count)
        return -1;
    if (value == 0) {
        memset(buffer, '0', count);
        buffer[count] = 0;
        *point = 1; /* as glibc has it */
        return 0;
    }
    snprintf(printed, sizeof printed, "%.*e", count - 1, value);
    significant(buffer, printed);
    *point = atoi(strchr(printed, 'e') + 1) + 1;
    return 0;
}

int fcvt_r(double value, int count, int *point, int *sign, char *buffer, size_t size)
{
    char printed[400];
    const char *dot;

    if (not_finite(value, point, sign, buffer, size))
        return 0;
    if (count > DIGITS)
        count = DIGITS;
    snprintf(printed, sizeof printed, "%.*f", count > 0 ? count : 0, fabs(value));
    if (strlen(printed) >= size)
        return -1;
    dot = printed + strcspn(printed, ".");
    if (*printed != '0') {
        *point = (int)(dot - printed);
        significant(buffer, printed);
    } else if (value == 0 || count <= 0) { /* a zero before the point, as glibc has it */
        count = value == 0 && count > 0 ? count + 1 : 1;
        memset(buffer, '0', count);
        buffer[count] = 0;
        *point = 1;
    } else {
        *point = -(int)strspn(dot + 1, "0");
        significant(buffer, printed);
    }
    return 0;
}

char *ecvt(double value, int count, int *point, int *sign)
{
    ecvt_r(value, count, point, sign, digits, sizeof digits);
    return digits;
}

char *fcvt(double value, int count, int *point, int *sign)
{
    fcvt_r(value, count, point, sign, digits, sizeof digits);
    return digits;
}

char *gcvt(double value, int count, char *buffer)
{
    sprintf(buffer, "%.*g", count > DIGITS ? DIGITS : count, value);
    return buffer;
}
