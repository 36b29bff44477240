/* getw, putw */

#include <stdio.h>

int getw(FILE *f)
{
    int word;

    return fread(&word, sizeof word, 1, f) == 1 ? word : EOF;
}

int putw(int word, FILE *f)
{
    return fwrite(&word, sizeof word, 1, f) == 1 ? 0 : EOF;
}
