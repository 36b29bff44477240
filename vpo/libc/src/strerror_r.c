/* strerror_r as POSIX has it */

#include <errno.h>
#include <string.h>

int strerror_r(int number, char *text, size_t size)
{
    const char *message = strerror(number);

    if (size == 0)
        return ERANGE;
    strncpy(text, message, size - 1);
    text[size - 1] = 0;
    return strlen(message) < size ? 0 : ERANGE;
}
