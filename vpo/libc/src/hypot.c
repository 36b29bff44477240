/* hypot */

#include <math.h>
#include "exact.h"

double hypot(double x, double y)
{
    double a = fabs(x);
    double b = fabs(y);
    double scale = 1;
    double sum, rest, root;

    if (a < b) {
        a = b;
        b = fabs(x);
    }
    if (a == HUGE_VAL || b == HUGE_VAL)
        return HUGE_VAL;
    if (b == 0 || a != a || b != b || a * 1e-17 > b)
        return a + b;
    if (a > 1e150) {
        scale = 1.2980742146337069e33; /* 2^110 */
        scale *= scale * scale * scale * scale;
    } else if (b < 1e-150) {
        scale = 7.703719777548943e-34;
        scale *= scale * scale * scale * scale;
    }
    a /= scale;
    b /= scale;
    TWO_SUM(sum, rest, a * a, b * b);
    rest += product_error(a, a, a * a) + product_error(b, b, b * b);
    root = sqrt(sum);
    return (root + root_error(sum, rest, root)) * scale;
}
