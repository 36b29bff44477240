/* putchar */

#include <stdio.h>

int (putchar)(int c)
{
    return putchar(c);
}
