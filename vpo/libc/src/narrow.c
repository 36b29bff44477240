/* __narrow: a string of wide characters as bytes */

#include <errno.h>
#include <stdlib.h>
#include "wide.h"

char *__narrow(const wchar_t *string)
{
    size_t i, length = wcslen(string);
    char *result = malloc(length + 1);

    for (i = 0; result && i <= length; i++) {
        if (string[i] < 0 || string[i] > 127) {
            free(result);
            errno = EILSEQ;
            return NULL;
        }
        result[i] = (char)string[i];
    }
    return result;
}
