/* getline, getdelim */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

ssize_t getdelim(char **line, size_t *size, int end, FILE *f)
{
    size_t length = 0;
    int c;

    if (*line == NULL)
        *size = 0;
    while ((c = getc(f)) != EOF) {
        if (length + 2 > *size) {
            size_t larger = *size ? 2 * *size : 128;
            char *grown = realloc(*line, larger);

            if (grown == NULL)
                return -1;
            *line = grown;
            *size = larger;
        }
        (*line)[length++] = c;
        if (c == end)
            break;
    }
    if (length == 0)
        return -1;
    (*line)[length] = 0;
    return length;
}

ssize_t getline(char **line, size_t *size, FILE *f)
{
    return getdelim(line, size, '\n', f);
}
