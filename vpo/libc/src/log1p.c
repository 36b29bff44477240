/* log1p: log(1 + x), with what the sum loses. */

#include <math.h>
#include "log.h"

double log1p(double x)
{
    double sum = 1 + x;
    double high, low;

    if (!IS_ORDINARY(sum))
        return __log_special(sum);
    if (x == 0)
        return x;
    high = __log_parts(sum, &low);
    return high + (low + (sum > 1e16 ? 0 : (x - (sum - 1)) / sum));
}
