/* tmpnam_r, ctermid */

#include <stdio.h>
#include <string.h>

char *tmpnam_r(char *name)
{
    return name ? tmpnam(name) : NULL;
}

char *ctermid(char *name)
{
    static char own[L_ctermid];

    return strcpy(name ? name : own, "/dev/tty");
}
