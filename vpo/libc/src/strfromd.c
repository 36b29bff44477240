/* strfromd, strfromf, strfroml: one number by a format of printf, such as "%.3g". */

#include <stdio.h>
#include <stdlib.h>

int strfromd(char *restrict to, size_t size, const char *restrict format, double number)
{
    return snprintf(to, size, format, number);
}

int strfromf(char *restrict to, size_t size, const char *restrict format, float number)
{
    return snprintf(to, size, format, (double)number);
}

int strfroml(char *restrict to, size_t size, const char *restrict format, long double number)
{
    return snprintf(to, size, format, (double)number);
}
