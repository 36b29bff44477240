/* strtod for both sizes: `direction`, if not NULL, tells on which side of the result the number lies: -1, 0, 1. */
double __strtod(const char *, char **, int *);
