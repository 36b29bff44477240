/* strcat */

#include <string.h>

char *strcat(char *target, const char *source)
{
    strcpy(target + strlen(target), source);
    return target;
}
