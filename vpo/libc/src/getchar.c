/* getchar */

#include <stdio.h>

int (getchar)(void)
{
    return getchar();
}
