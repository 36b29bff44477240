/* wcstol, wcstod and their kin: the beginning of the string that consists of bytes is what is read. */

#include <inttypes.h>
#include <stdlib.h>
#include <wchar.h>

/* Returns the bytes that begin a string, to be freed; an empty string if there is no memory. */
static char *leading_bytes(const wchar_t *string)
{
    size_t length = 0, i;
    char *bytes;

    while (string[length] > 0 && string[length] < 128)
        length++;
    bytes = malloc(length + 1);
    for (i = 0; bytes && i < length; i++)
        bytes[i] = (char)string[i];
    if (bytes)
        bytes[length] = 0;
    return bytes;
}

long wcstol(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    long value = bytes ? strtol(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

unsigned long wcstoul(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    unsigned long value = bytes ? strtoul(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

long long wcstoll(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    long long value = bytes ? strtoll(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

unsigned long long wcstoull(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    unsigned long long value = bytes ? strtoull(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

intmax_t wcstoimax(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    intmax_t value = bytes ? strtoimax(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

uintmax_t wcstoumax(const wchar_t *string, wchar_t **end, int base)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    uintmax_t value = bytes ? strtoumax(bytes, &stop, base) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

double wcstod(const wchar_t *string, wchar_t **end)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    double value = bytes ? strtod(bytes, &stop) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

float wcstof(const wchar_t *string, wchar_t **end)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    float value = bytes ? strtof(bytes, &stop) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}

long double wcstold(const wchar_t *string, wchar_t **end)
{
    char *bytes = leading_bytes(string), *stop = bytes;
    long double value = bytes ? strtold(bytes, &stop) : 0;

    if (end)
        *end = (wchar_t *)string + (stop - bytes);
    free(bytes);
    return value;
}
