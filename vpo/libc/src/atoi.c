/* atoi, atol: no check for numbers that are too big. */

#include <ctype.h>
#include <stdlib.h>

long atol(const char *string)
{
    unsigned long value = 0;
    unsigned digit;
    int negative;

    while (isspace(*(const unsigned char *)string))
        string++;
    negative = *string == '-';
    if (*string == '-' || *string == '+')
        string++;
    for (; (digit = (unsigned)*string - '0') < 10; string++)
        value = value * 10 + digit;
    return negative ? -value : value;
}

int atoi(const char *string)
{
    return atol(string);
}
