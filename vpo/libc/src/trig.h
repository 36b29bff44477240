/* What the trigonometric functions share. */

/* Takes multiples of pi/2 off; returns how many (modulo 4), leaves the rest and what its rounding lost. */
int __reduce(double, double *);

double __sin_part(double, double);
double __cos_part(double, double);

/* The same as sums of two doubles, of which the second is left at the pointer. */
double __sin_parts(double, double, double *);
double __cos_parts(double, double, double *);

#define PI_4 0.7853981633974483
#define TINY 1e-8 /* sines and tangents below are their angles */
