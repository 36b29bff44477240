/* ffsl, ffsll */

#include <strings.h>

int ffsll(long long value)
{
    unsigned long long bits = value;
    int position = 1;

    if (bits == 0)
        return 0;
    for (; !(bits & 1); bits >>= 1)
        position++;
    return position;
}

int ffsl(long value)
{
    return ffsll(value);
}
