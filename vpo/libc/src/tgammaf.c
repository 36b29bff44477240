/* tgammaf, tgammal */

#include <math.h>

float tgammaf(float x)
{
    return (float)tgamma(x);
}

long double tgammal(long double x)
{
    return tgamma((double)x);
}
