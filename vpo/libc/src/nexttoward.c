/* nexttoward and its like: a long double is a double. */

#include <math.h>

double nexttoward(double x, long double y)
{
    return nextafter(x, (double)y);
}

float nexttowardf(float x, long double y)
{
    if ((double)x == (double)y)
        return (float)y;
    return y != y ? NAN : nextafterf(x, y > x ? HUGE_VALF : -HUGE_VALF);
}

long double nexttowardl(long double x, long double y)
{
    return nextafter((double)x, (double)y);
}
