#ifndef _FENV_H
#define _FENV_H
/* Rounding is to nearest: fesetround refuses other directions.  Exceptions are those that feraiseexcept has raised. */
typedef int fenv_t;
typedef int fexcept_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 2
#define FE_OVERFLOW 4
#define FE_UNDERFLOW 8
#define FE_INEXACT 16
#define FE_ALL_EXCEPT 31
#define FE_TONEAREST 0
#define FE_DOWNWARD 1
#define FE_UPWARD 2
#define FE_TOWARDZERO 3
#define FE_DFL_ENV ((const fenv_t *)0)
int feclearexcept(int), feraiseexcept(int), fetestexcept(int);
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE
/* No exception can be made a signal: feenableexcept fails. */
int feenableexcept(int), fedisableexcept(int), fegetexcept(void);
#endif
int fesetexcept(int), fetestexceptflag(const fexcept_t *, int);
int fegetexceptflag(fexcept_t *, int), fesetexceptflag(const fexcept_t *, int);
int fegetround(void), fesetround(int);
int fegetenv(fenv_t *), feholdexcept(fenv_t *), fesetenv(const fenv_t *), feupdateenv(const fenv_t *);
#endif
