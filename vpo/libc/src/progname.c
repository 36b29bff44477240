/* getprogname, setprogname: the last part of the name by which the program was called, or another that it chooses. */

#include <stdlib.h>
#include <string.h>

extern char **__arguments;

static char *last_part(char *name)
{
    char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

/* program_invocation_short_name, which may be assigned to. */
char **__short_name(void)
{
    static char *name;

    if (name == NULL)
        name = last_part(__arguments[0] ? __arguments[0] : "");
    return &name;
}

const char *getprogname(void)
{
    return *__short_name();
}

void setprogname(const char *name)
{
    *__short_name() = last_part((char *)name);
}
