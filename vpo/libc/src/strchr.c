/* strchr */

#include <string.h>

char *strchr(const char *string, int byte)
{
    char wanted = byte;

    for (; *string != wanted; string++)
        if (*string == 0)
            return NULL;
    return (char *)string;
}
