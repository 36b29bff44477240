/* The functions of <ctype.h>, for those who do not use its macros. */

#include <ctype.h>

int (isalnum)(int c)
{
    return isalnum(c);
}

int (isalpha)(int c)
{
    return isalpha(c);
}

int (isblank)(int c)
{
    return isblank(c);
}

int (iscntrl)(int c)
{
    return iscntrl(c);
}

int (isdigit)(int c)
{
    return isdigit(c);
}

int (isgraph)(int c)
{
    return isgraph(c);
}

int (islower)(int c)
{
    return islower(c);
}

int (isprint)(int c)
{
    return isprint(c);
}

int (ispunct)(int c)
{
    return ispunct(c);
}

int (isspace)(int c)
{
    return isspace(c);
}

int (isupper)(int c)
{
    return isupper(c);
}

int (isxdigit)(int c)
{
    return isxdigit(c);
}

int (isascii)(int c)
{
    return isascii(c);
}

int (toascii)(int c)
{
    return toascii(c);
}
