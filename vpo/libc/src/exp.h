/* What the exponential functions share. */

double __exp_parts(double, double, double *, int *);
double __exp_sum(double, double);

/* exp is infinite, or zero, beyond these. */
#define EXP_MOST 709.782712893384
#define EXP_LEAST (-745.1332191019412)
