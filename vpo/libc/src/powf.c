/* powf, powl */

#include <math.h>

float powf(float x, float y)
{
    return (float)pow(x, y);
}

long double powl(long double x, long double y)
{
    return pow((double)x, (double)y);
}
