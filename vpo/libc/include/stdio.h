#ifndef _STDIO_H
#define _STDIO_H
#include <_size_t.h>
#include <stdarg.h>
#ifndef _SSIZE_T
#define _SSIZE_T
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
#endif
/* The next byte is read from or written to _next; one of the two ends lies beyond it, or neither.
   vpo/system/descriptors.py reads all down to _fd of a run that was cut short. */
#include <_file_t.h>
struct _file {
    unsigned char *_next, *_read_end, *_write_end, *_buffer;
    struct _file *_link;
    int _fd, _flags;
    size_t _size;
    unsigned char _small[4];
};
typedef long fpos_t;
extern FILE __stdin, __stdout, __stderr;
#define stdin (&__stdin)
#define stdout (&__stdout)
#define stderr (&__stderr)
#define EOF (-1)
#define BUFSIZ 4096
#define FILENAME_MAX 256
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 10000
#define P_tmpdir "."
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
FILE *fopen(const char *, const char *), *fdopen(int, const char *);
FILE *tmpfile(void), *popen(const char *, const char *);
char *tmpnam(char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *fmemopen(void *, size_t, const char *), *open_memstream(char **, size_t *);
int fclose(FILE *), pclose(FILE *), fflush(FILE *);
int setvbuf(FILE *, char *, int, size_t);
void setbuf(FILE *, char *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fgetc(FILE *), getc(FILE *), getchar(void), ungetc(int, FILE *);
int fputc(int, FILE *), putc(int, FILE *), putchar(int);
char *fgets(char *, int, FILE *);
char *gets(char *);
int fputs(const char *, FILE *), puts(const char *);
int fseek(FILE *, long, int);
long ftell(FILE *);
int fseeko(FILE *, off_t, int);
off_t ftello(FILE *);
void rewind(FILE *);
int fgetpos(FILE *, fpos_t *), fsetpos(FILE *, const fpos_t *);
int feof(FILE *), ferror(FILE *), fileno(FILE *);
void clearerr(FILE *);
ssize_t getline(char **, size_t *, FILE *), getdelim(char **, size_t *, int, FILE *);
void perror(const char *);
int remove(const char *), rename(const char *, const char *), renameat(int, const char *, int, const char *);
int printf(const char *, ...), fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list), vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list), vsnprintf(char *, size_t, const char *, va_list);
#include <_c23_numbers.h>
int scanf(const char *, ...) __C23_NUMBERS(scanf), fscanf(FILE *, const char *, ...) __C23_NUMBERS(fscanf);
int sscanf(const char *, const char *, ...) __C23_NUMBERS(sscanf), vscanf(const char *, va_list) __C23_NUMBERS(vscanf);
int vfscanf(FILE *, const char *, va_list) __C23_NUMBERS(vfscanf);
int vsscanf(const char *, const char *, va_list) __C23_NUMBERS(vsscanf);
#include <_stdio_more.h>
int __fill(FILE *), __spill(int, FILE *);
#define getc(f) (__FILE_OF(f)->_next < __FILE_OF(f)->_read_end ? *__FILE_OF(f)->_next++ : __fill(f))
#define putc(c, f) (__FILE_OF(f)->_next < __FILE_OF(f)->_write_end ? (*__FILE_OF(f)->_next++ = (unsigned char)(c)) : __spill(c, f))
#define getchar() getc(stdin)
#define putchar(c) putc(c, stdout)
#endif
