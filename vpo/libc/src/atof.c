/* atof */

#include <stdlib.h>

double atof(const char *string)
{
    return strtod(string, NULL);
}
