/* getloadavg, rpmatch, strtoq, strtouq */

#include <stdlib.h>

int getloadavg(double loads[], int count)
{
    (void)loads;
    (void)count;
    return -1; /* nobody knows */
}

int rpmatch(const char *answer)
{
    return *answer == 'y' || *answer == 'Y' ? 1 : *answer == 'n' || *answer == 'N' ? 0 : -1;
}

long long strtoq(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtouq(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}
