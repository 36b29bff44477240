/* logbf, logbl */

#include <math.h>

float logbf(float x)
{
    return (float)logb(x);
}

long double logbl(long double x)
{
    return logb((double)x);
}
