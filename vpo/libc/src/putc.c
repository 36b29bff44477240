/* fputc, putc, putchar, and __spill, their slow way. */

#include "stream.h"

int __spill(int c, FILE *f)
{
    unsigned char byte = c;

    return __put(&byte, 1, f) == 1 ? byte : EOF;
}

int fputc(int c, FILE *f)
{
    return putc(c, f);
}

int (putc)(int c, FILE *f)
{
    return putc(c, f);
}
