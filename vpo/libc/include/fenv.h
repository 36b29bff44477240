#ifndef _FENV_H
#define _FENV_H
/* Rounding is to nearest, and no exceptions are recorded. */
typedef int fenv_t;
typedef int fexcept_t;
#define FE_ALL_EXCEPT 0
#define FE_TONEAREST 0
#define FE_DFL_ENV ((const fenv_t *)0)
int feclearexcept(int), feraiseexcept(int), fetestexcept(int);
int fegetexceptflag(fexcept_t *, int), fesetexceptflag(const fexcept_t *, int);
int fegetround(void), fesetround(int);
int fegetenv(fenv_t *), feholdexcept(fenv_t *), fesetenv(const fenv_t *), feupdateenv(const fenv_t *);
#endif
