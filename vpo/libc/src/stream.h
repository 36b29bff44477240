/* What the sources of stdio share: the state of a stream. */

#include <stdio.h>
#include "libc.h"

#define CAN_READ 1
#define CAN_WRITE 2
#define UNBUFFERED 4
#define LINE_BUFFERED 8
#define AT_EOF 16
#define FAILED 32
#define STRING 64     /* reads from or writes to a string: no descriptor */
#define LISTED 128    /* in the list of streams that exit flushes */
#define ALLOCATED 256 /* made by fopen */
#define APPENDING 512
#define FUNCTIONS 1024 /* a string, too, but its struct _functions read and write */

#define SLACK 1 /* bytes before a buffer, for ungetc */

/* A stream that a program reads and writes itself (fopencookie). */
struct _functions {
    FILE file;
    size_t (*put)(FILE *, const unsigned char *, size_t);
    int (*fill)(FILE *);
    long (*seek)(FILE *, long, int);
    int (*close)(FILE *);
};

extern FILE *__streams;

size_t __put(const void *, size_t, FILE *);
int __flush(FILE *);
void __stop_reading(FILE *);
int __attach(FILE *, int, int);
int __open_stream(FILE *, const char *, const char *);
long __write_all(int, const unsigned char *, size_t);
long __seek(int, long, int);
long __seek_stream(FILE *, long, int);
int __parse_mode(const char *, int *);
