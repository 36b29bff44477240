/* catopen, catgets, catclose: there are no catalogues of messages. */

#include <errno.h>
#include <nl_types.h>

nl_catd catopen(const char *name, int flag)
{
    (void)name;
    (void)flag;
    errno = ENOENT;
    return (nl_catd)-1;
}

char *catgets(nl_catd catalogue, int set, int number, const char *message)
{
    (void)catalogue;
    (void)set;
    (void)number;
    return (char *)message;
}

int catclose(nl_catd catalogue)
{
    (void)catalogue;
    errno = EBADF;
    return -1;
}
