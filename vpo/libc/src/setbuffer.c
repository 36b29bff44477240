/* setbuffer, setlinebuf */

#include <stdio.h>

void setbuffer(FILE *f, char *buffer, size_t size)
{
    setvbuf(f, buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *f)
{
    setvbuf(f, NULL, _IOLBF, 0);
}
