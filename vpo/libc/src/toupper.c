/* tolower, toupper */

#include <ctype.h>

int tolower(int c)
{
    return (unsigned)c - 'A' < 26 ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    return (unsigned)c - 'a' < 26 ? c - ('a' - 'A') : c;
}
