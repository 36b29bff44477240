/* erff, erfl */

#include <math.h>

float erff(float x)
{
    return (float)erf(x);
}

long double erfl(long double x)
{
    return erf((double)x);
}
