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
struct group *getgrent(void);
void setgrent(void), endgrent(void);
int getgrnam_r(const char *, struct group *, char *, size_t, struct group **);
int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **);
int getgrouplist(const char *, gid_t, gid_t *, int *), initgroups(const char *, gid_t), setgroups(size_t, const gid_t *);
#endif
