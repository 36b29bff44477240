/* tempnam: a name that no file has, in the folder of TMPDIR or the one that is given. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_usable(const char *folder)
{
    return folder != NULL && access(folder, W_OK) == 0;
}

char *tempnam(const char *folder, const char *prefix)
{
    const char *wanted = getenv("TMPDIR");
    char *name;

    if (!is_usable(wanted))
        wanted = is_usable(folder) ? folder : P_tmpdir;
    if (prefix == NULL)
        prefix = "file";
    name = malloc(strlen(wanted) + 14);
    if (name == NULL)
        return NULL;
    sprintf(name, "%s/%.5sXXXXXX", wanted, prefix);
    if (*mktemp(name) == 0) {
        free(name);
        return NULL;
    }
    return name;
}
