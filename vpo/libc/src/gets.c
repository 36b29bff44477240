/* gets: for programs of before C11. */

#include <stdio.h>

char *gets(char *string)
{
    char *to = string;
    int c;

    while ((c = getchar()) != '\n') {
        if (c == EOF) {
            if (to == string)
                return NULL;
            break;
        }
        *to++ = c;
    }
    *to = 0;
    return string;
}
