/* puts */

#include <stdio.h>
#include <string.h>

int puts(const char *string)
{
    size_t length = strlen(string);

    if (fputs(string, stdout) == EOF || putchar('\n') == EOF)
        return EOF;
    return length + 1; /* as in other libraries, though any number that is not negative would do */
}
