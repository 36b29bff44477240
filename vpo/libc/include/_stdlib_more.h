#ifndef _STDLIB_MORE_H
#define _STDLIB_MORE_H
/* What POSIX, C23 and others add to <stdlib.h>. */
#include <stdlib.h>
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
#include <_wait_status.h>
long a64l(const char *);
char *l64a(long), *initstate(unsigned, char *, size_t), *setstate(char *);
double strtod_l(const char *, char **, locale_t);
float strtof_l(const char *, char **, locale_t);
long double strtold_l(const char *, char **, locale_t);
long strtol_l(const char *, char **, int, locale_t);
unsigned long strtoul_l(const char *, char **, int, locale_t);
long long strtoll_l(const char *, char **, int, locale_t);
unsigned long long strtoull_l(const char *, char **, int, locale_t);
#endif
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE
#include <sys/types.h>
#include <alloca.h>
struct random_data {
    void *state;
};
struct drand48_data {
    unsigned short __x[3], __old[3], __addend;
    unsigned long long __factor;
};
int random_r(struct random_data *, int32_t *), srandom_r(unsigned, struct random_data *);
int initstate_r(unsigned, char *, size_t, struct random_data *), setstate_r(char *, struct random_data *);
int drand48_r(struct drand48_data *, double *), erand48_r(unsigned short[3], struct drand48_data *, double *);
int lrand48_r(struct drand48_data *, long *), nrand48_r(unsigned short[3], struct drand48_data *, long *);
int mrand48_r(struct drand48_data *, long *), jrand48_r(unsigned short[3], struct drand48_data *, long *);
int srand48_r(long, struct drand48_data *), seed48_r(unsigned short[3], struct drand48_data *);
int lcong48_r(unsigned short[7], struct drand48_data *);
char *qecvt(long double, int, int *, int *), *qfcvt(long double, int, int *, int *), *qgcvt(long double, int, char *);
int qecvt_r(long double, int, int *, int *, char *, size_t), qfcvt_r(long double, int, int *, int *, char *, size_t);
int getloadavg(double[], int), rpmatch(const char *);
long long strtoq(const char *, char **, int);
unsigned long long strtouq(const char *, char **, int);
void *valloc(size_t);
int on_exit(void (*)(int, void *), void *);
#endif
#if __STDC_VERSION__ >= 202311L || defined _GNU_SOURCE
int strfromd(char *, size_t, const char *, double), strfromf(char *, size_t, const char *, float);
int strfroml(char *, size_t, const char *, long double);
void free_sized(void *, size_t), free_aligned_sized(void *, size_t, size_t);
size_t memalignment(const void *);
#endif
#endif
