/* sqrtf, sqrtl */

#include <math.h>

float sqrtf(float x)
{
    return (float)sqrt(x);
}

long double sqrtl(long double x)
{
    return sqrt((double)x);
}
