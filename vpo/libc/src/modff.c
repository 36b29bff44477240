/* modff, modfl */

#include <math.h>

float modff(float x, float *whole)
{
    double part;
    float rest = (float)modf(x, &part);

    *whole = (float)part;
    return rest;
}

long double modfl(long double x, long double *whole)
{
    double part;
    double rest = modf((double)x, &part);

    *whole = part;
    return rest;
}
