/* strrchr */

#include <string.h>

char *strrchr(const char *string, int byte)
{
    char wanted = byte;
    const char *last = NULL;

    do
        if (*string == wanted)
            last = string;
    while (*string++);
    return (char *)last;
}
