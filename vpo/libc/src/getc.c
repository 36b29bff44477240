/* fgetc, getc */

#include <stdio.h>

int fgetc(FILE *f)
{
    return getc(f);
}

int (getc)(FILE *f)
{
    return getc(f);
}
