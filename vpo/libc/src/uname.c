/* uname */

#include <string.h>
#include <sys/utsname.h>

int uname(struct utsname *result)
{
    strcpy(result->sysname, "ease");
    strcpy(result->nodename, "ease");
    strcpy(result->release, "1");
    strcpy(result->version, "1");
    strcpy(result->machine, "ease");
    return 0;
}
