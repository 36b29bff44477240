/* Streams without their locks, and the locks themselves: there is one thread, so that both do nothing special. */

#include <stdio.h>

int fputs_unlocked(const char *string, FILE *f)
{
    return fputs(string, f);
}

char *fgets_unlocked(char *buffer, int size, FILE *f)
{
    return fgets(buffer, size, f);
}

size_t fread_unlocked(void *buffer, size_t size, size_t count, FILE *f)
{
    return fread(buffer, size, count, f);
}

size_t fwrite_unlocked(const void *buffer, size_t size, size_t count, FILE *f)
{
    return fwrite(buffer, size, count, f);
}

int getc_unlocked(FILE *f)
{
    return getc(f);
}

int getchar_unlocked(void)
{
    return getc(stdin);
}

int putc_unlocked(int byte, FILE *f)
{
    return putc(byte, f);
}

int putchar_unlocked(int byte)
{
    return putc(byte, stdout);
}

int fflush_unlocked(FILE *f)
{
    return fflush(f);
}

int feof_unlocked(FILE *f)
{
    return feof(f);
}

int ferror_unlocked(FILE *f)
{
    return ferror(f);
}

void clearerr_unlocked(FILE *f)
{
    clearerr(f);
}

int fileno_unlocked(FILE *f)
{
    return fileno(f);
}

void flockfile(FILE *f)
{
    (void)f;
}

int ftrylockfile(FILE *f)
{
    (void)f;
    return 0;
}

void funlockfile(FILE *f)
{
    (void)f;
}

int fgetc_unlocked(FILE *f)
{
    return getc(f);
}

int fputc_unlocked(int c, FILE *f)
{
    return putc(c, f);
}
