/* expect: 205.500 1.250 */
/* The reload of a saved register moved behind the return, past the stack pointer's own move. */
#include <stdio.h>

static double g = 100;
static double id(double x) { return x - g; }
static double twice(double x) { double kept = x * 2; g = id(kept); return kept - g; }
static double caller(double x) { double kept = x + 5; twice(x); twice(x); return kept + g; }

int main(void)
{
    double a = 0.5, b = 1.25;

    a = caller(a) + 200 - g;
    printf("%.3f %.3f\n", a, b);
    return 0;
}
