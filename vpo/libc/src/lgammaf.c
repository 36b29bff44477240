/* lgammaf, lgammal, lgammaf_r, lgammal_r */

#include <math.h>

float lgammaf(float x)
{
    return (float)lgamma(x);
}

long double lgammal(long double x)
{
    return lgamma((double)x);
}

float lgammaf_r(float x, int *sign)
{
    return (float)lgamma_r(x, sign);
}

long double lgammal_r(long double x, int *sign)
{
    return lgamma_r((double)x, sign);
}
