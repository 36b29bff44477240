/* What the logarithms and pow share. */

double __log_parts(double, double *);

/* What logarithms of numbers give that are not finite and positive. */
double __log_special(double);

#define IS_ORDINARY(x) ((x) > 0 && (x) <= 1.7976931348623157e308)
