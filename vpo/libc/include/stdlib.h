#ifndef _STDLIB_H
#define _STDLIB_H
#include <_size_t.h>
#include <_c23_numbers.h>
#ifndef _WCHAR_T
#define _WCHAR_T
typedef int wchar_t;
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#if __INT_MAX__ < 0x7fffffff
#define RAND_MAX 32767
#else
#define RAND_MAX 0x7fffffff
#endif
#define MB_CUR_MAX 1
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void exit(int);
void _Exit(int);
void abort(void);
int atexit(void (*)(void));
char *getenv(const char *), *secure_getenv(const char *);
int setenv(const char *, const char *, int), unsetenv(const char *), putenv(char *), clearenv(void);
extern char **environ;
int system(const char *), getsubopt(char **, char *const *, char **);
const char *getprogname(void); void setprogname(const char *);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
char *ecvt(double, int, int *, int *), *fcvt(double, int, int *, int *), *gcvt(double, int, char *);
int ecvt_r(double, int, int *, int *, char *, size_t), fcvt_r(double, int, int *, int *, char *, size_t);
long strtol(const char *, char **, int) __C23_NUMBERS(strtol);
unsigned long strtoul(const char *, char **, int) __C23_NUMBERS(strtoul);
long long strtoll(const char *, char **, int) __C23_NUMBERS(strtoll);
unsigned long long strtoull(const char *, char **, int) __C23_NUMBERS(strtoull);
float strtof(const char *, char **);
double strtod(const char *, char **);
long double strtold(const char *, char **);
int rand(void); void srand(unsigned);
long random(void);
void srandom(unsigned);
unsigned arc4random(void), arc4random_uniform(unsigned);
void arc4random_buf(void *, size_t);
double drand48(void), erand48(unsigned short[3]);
long lrand48(void), nrand48(unsigned short[3]), mrand48(void), jrand48(unsigned short[3]);
void srand48(long), lcong48(unsigned short[7]);
unsigned short *seed48(unsigned short[3]);
int rand_r(unsigned *);
int mkstemp(char *), mkostemp(char *, int), mkstemps(char *, int);
char *mktemp(char *), *mkdtemp(char *), *realpath(const char *, char *), *canonicalize_file_name(const char *);
int posix_memalign(void **, size_t, size_t);
void *reallocarray(void *, size_t, size_t), *aligned_alloc(size_t, size_t);
void quick_exit(int);
int at_quick_exit(void (*)(void));
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
#ifdef _GNU_SOURCE
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
#endif
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int mblen(const char *, size_t);
int mbtowc(wchar_t *, const char *, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *, const char *, size_t);
size_t wcstombs(char *, const wchar_t *, size_t);
#include <_stdlib_more.h>
#endif
