#ifndef _GRP_H
#define _GRP_H
#include <sys/types.h>
/* There is no list of groups: none is found. */
struct group {
    char *gr_name, *gr_passwd;
    gid_t gr_gid;
    char **gr_mem;
};
struct group *getgrnam(const char *), *getgrgid(gid_t);
#endif
