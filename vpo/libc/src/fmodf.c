/* fmodf, fmodl */

#include <math.h>

float fmodf(float x, float y)
{
    return (float)fmod(x, y);
}

long double fmodl(long double x, long double y)
{
    return fmod((double)x, (double)y);
}
