/* atoll */

#include <stdlib.h>

long long atoll(const char *string)
{
    return strtoll(string, NULL, 10);
}
