/* What the gamma functions share. */

#define GAMMA_PRODUCT 20 /* from this number on, Stirling's series is exact enough */
#define GAMMA_TINY 1e-17 /* gamma(x) is 1 / x below */

/* The gamma function between -GAMMA_PRODUCT and GAMMA_PRODUCT as the sum of what is returned and *low. */
double __gamma_parts(double, double *);

/* The logarithm of gamma for x >= GAMMA_PRODUCT, likewise. */
double __stirling(double, double *);

/* gamma(-x) * gamma(x), without its sign, likewise; x is positive and no integer. */
double __reflection(double, double *);
