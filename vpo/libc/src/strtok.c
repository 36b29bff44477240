/* strtok, strtok_r */

#include <string.h>

char *strtok_r(char *string, const char *separators, char **rest)
{
    char *token = string ? string : *rest;
    char *end;

    token += strspn(token, separators);
    if (*token == 0) {
        *rest = token;
        return NULL;
    }
    end = token + strcspn(token, separators);
    if (*end)
        *end++ = 0;
    *rest = end;
    return token;
}

char *strtok(char *string, const char *separators)
{
    static char *rest;

    if (!string && !rest)
        return NULL;
    return strtok_r(string, separators, &rest);
}
