#ifndef _STDIO_MORE_H
#define _STDIO_MORE_H
#include <stdio.h>
typedef ssize_t cookie_read_function_t(void *, char *, size_t);
typedef ssize_t cookie_write_function_t(void *, const char *, size_t);
typedef int cookie_seek_function_t(void *, off_t *, int), cookie_close_function_t(void *);
typedef struct {
    cookie_read_function_t *read;
    cookie_write_function_t *write;
    cookie_seek_function_t *seek;
    cookie_close_function_t *close;
} cookie_io_functions_t;
FILE *fopencookie(void *, const char *, cookie_io_functions_t);
void setbuffer(FILE *, char *, size_t), setlinebuf(FILE *);
int getc_unlocked(FILE *), getchar_unlocked(void), putc_unlocked(int, FILE *), putchar_unlocked(int);
int fgetc_unlocked(FILE *), fputc_unlocked(int, FILE *), fcloseall(void);
char *tempnam(const char *, const char *);
int fputs_unlocked(const char *, FILE *), fflush_unlocked(FILE *), feof_unlocked(FILE *), ferror_unlocked(FILE *);
int fileno_unlocked(FILE *), ftrylockfile(FILE *), getw(FILE *), putw(int, FILE *);
char *fgets_unlocked(char *, int, FILE *);
size_t fread_unlocked(void *, size_t, size_t, FILE *), fwrite_unlocked(const void *, size_t, size_t, FILE *);
void clearerr_unlocked(FILE *), flockfile(FILE *), funlockfile(FILE *);
int asprintf(char **, const char *, ...), vasprintf(char **, const char *, va_list);
int dprintf(int, const char *, ...), vdprintf(int, const char *, va_list);
#define L_ctermid 9
char *ctermid(char *), *tmpnam_r(char *);
#endif
