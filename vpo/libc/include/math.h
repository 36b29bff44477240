#ifndef _MATH_H
#define _MATH_H
typedef float float_t;
typedef double double_t;
#define HUGE_VAL 1e999
#define HUGE_VALF 1e999F
#define HUGE_VALL 1e999L
#define INFINITY 1e999F
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling MATH_ERRNO
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define MAXFLOAT 3.40282346638528859812e+38F
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_1_PI 0.31830988618379067154
#define M_2_SQRTPI 1.12837916709551257390
#define M_2_PI 0.63661977236758134308
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), sinh(double), cosh(double);
double tanh(double), asinh(double), acosh(double), atanh(double), exp(double), exp2(double), expm1(double);
double log(double), log2(double), log10(double), log1p(double), sqrt(double), cbrt(double), floor(double);
double ceil(double), trunc(double), round(double), rint(double), nearbyint(double), logb(double), fabs(double);
double atan2(double, double), pow(double, double), fmod(double, double), remainder(double, double);
double hypot(double, double), copysign(double, double), fmin(double, double), fmax(double, double);
double fdim(double, double), nextafter(double, double), nexttoward(double, long double), scalbln(double, long);
double remquo(double, double, int *);
double frexp(double, int *), ldexp(double, int), scalbn(double, int), modf(double, double *);
long lround(double), lrint(double);
long long llround(double), llrint(double);
int ilogb(double);
double fma(double, double, double), nan(const char *);
double erf(double), erfc(double), tgamma(double), lgamma(double), lgamma_r(double, int *);
double j0(double), j1(double), jn(int, double), y0(double), y1(double), yn(int, double);
float j0f(float), j1f(float), jnf(int, float), y0f(float), y1f(float), ynf(int, float);
extern int signgam;
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE
double drem(double, double), gamma(double), scalb(double, double), significand(double);
float dremf(float, float), gammaf(float), scalbf(float, float), significandf(float);
long double dreml(long double, long double), gammal(long double), scalbl(long double, long double);
long double significandl(long double);
int finite(double), finitef(float), finitel(long double), isinff(float), isinfl(long double), isnanf(float), isnanl(long double);
long double j0l(long double), j1l(long double), jnl(int, long double), y0l(long double), y1l(long double);
long double ynl(int, long double);
#endif
#if __STDC_VERSION__ >= 202311L || defined _GNU_SOURCE
double exp10(double), roundeven(double), nextup(double), nextdown(double);
float exp10f(float), roundevenf(float), nextupf(float), nextdownf(float);
long double exp10l(long double), roundevenl(long double), nextupl(long double), nextdownl(long double);
double fmaximum(double, double), fminimum(double, double), fmaximum_num(double, double), fminimum_num(double, double);
float fmaximumf(float, float), fminimumf(float, float), fmaximum_numf(float, float), fminimum_numf(float, float);
long double fmaximuml(long double, long double), fminimuml(long double, long double);
long double fmaximum_numl(long double, long double), fminimum_numl(long double, long double);
#endif
#ifdef _GNU_SOURCE
void sincos(double, double *, double *), sincosf(float, float *, float *), sincosl(long double, long double *, long double *);
#endif
float sinf(float), cosf(float), tanf(float), asinf(float), acosf(float), atanf(float), sinhf(float), coshf(float);
float tanhf(float), asinhf(float), acoshf(float), atanhf(float), expf(float), exp2f(float), expm1f(float);
float logf(float), log2f(float), log10f(float), log1pf(float), sqrtf(float), cbrtf(float), floorf(float);
float ceilf(float), truncf(float), roundf(float), rintf(float), nearbyintf(float), logbf(float), fabsf(float);
float atan2f(float, float), powf(float, float), fmodf(float, float), remainderf(float, float), hypotf(float, float);
float copysignf(float, float), fminf(float, float), fmaxf(float, float), fdimf(float, float);
float nextafterf(float, float), nexttowardf(float, long double), scalblnf(float, long), remquof(float, float, int *);
float frexpf(float, int *), ldexpf(float, int), scalbnf(float, int), modff(float, float *);
long lroundf(float), lrintf(float);
long long llroundf(float), llrintf(float);
int ilogbf(float);
float erff(float), erfcf(float), tgammaf(float), lgammaf(float), lgammaf_r(float, int *);
float fmaf(float, float, float), nanf(const char *);
long double sinl(long double), cosl(long double), tanl(long double), asinl(long double), acosl(long double);
long double atanl(long double), sinhl(long double), coshl(long double), tanhl(long double), asinhl(long double);
long double acoshl(long double), atanhl(long double), expl(long double), exp2l(long double), expm1l(long double);
long double logl(long double), log2l(long double), log10l(long double), log1pl(long double), sqrtl(long double);
long double cbrtl(long double), floorl(long double), ceill(long double), truncl(long double), roundl(long double);
long double rintl(long double), nearbyintl(long double), logbl(long double), fabsl(long double);
long double atan2l(long double, long double), powl(long double, long double), fmodl(long double, long double);
long double remainderl(long double, long double), hypotl(long double, long double);
long double copysignl(long double, long double), fminl(long double, long double), fmaxl(long double, long double);
long double fdiml(long double, long double), nextafterl(long double, long double);
long double nexttowardl(long double, long double), scalblnl(long double, long), remquol(long double, long double, int *);
long double frexpl(long double, int *), ldexpl(long double, int), scalbnl(long double, int), modfl(long double, long double *);
long lroundl(long double), lrintl(long double);
long long llroundl(long double), llrintl(long double);
int ilogbl(long double);
long double erfl(long double), erfcl(long double), tgammal(long double), lgammal(long double);
long double lgammal_r(long double, int *);
long double fmal(long double, long double, long double), nanl(const char *);
int __isnan(double), __isinf(double), __isfinite(double), __isnormal(double), __signbit(double), __fpclassify(double);
int __isnormalf(float), __fpclassifyf(float); /* small ones are normal as a double */
#define isnan(x) __isnan(x)
#define isinf(x) __isinf(x)
#define isfinite(x) __isfinite(x)
#define isnormal(x) (sizeof(x) == sizeof(float) ? __isnormalf(x) : __isnormal(x))
#define signbit(x) __signbit(x)
#define fpclassify(x) (sizeof(x) == sizeof(float) ? __fpclassifyf(x) : __fpclassify(x))
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#endif
