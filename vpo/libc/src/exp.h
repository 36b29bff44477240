/* What the exponential functions share. */

double __exp_parts(double, double, double *, int *);
double __exp_sum(double, double);

/* exp is infinite, or zero, beyond these. */
#define EXP_MOST 709.782712893384
#define EXP_LEAST (-745.1332191019412)

/* e^x * 2^exponent times a complex number whose parts are at most 1, for finite x, even if e^x overflows. */
#ifdef _COMPLEX_H
double _Complex __exp_times(double, double, double, int);
#endif
