/* puts */

#include <stdio.h>

int puts(const char *string)
{
    if (fputs(string, stdout) == EOF || putchar('\n') == EOF)
        return EOF;
    return 0;
}
