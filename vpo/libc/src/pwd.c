/* getpwnam, getgrnam and their kin: nobody is known by a name. */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>

struct passwd *getpwnam(const char *name)
{
    (void)name;
    return NULL;
}

struct passwd *getpwuid(uid_t user)
{
    (void)user;
    return NULL;
}

struct passwd *getpwent(void)
{
    return NULL;
}

void setpwent(void)
{
}

void endpwent(void)
{
}

struct group *getgrnam(const char *name)
{
    (void)name;
    return NULL;
}

struct group *getgrgid(gid_t group)
{
    (void)group;
    return NULL;
}

struct group *getgrent(void)
{
    return NULL;
}

void setgrent(void)
{
}

void endgrent(void)
{
}

int getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size, struct passwd **result)
{
    (void)name;
    (void)entry;
    (void)room;
    (void)size;
    *result = NULL;
    return 0;
}

int getpwuid_r(uid_t user, struct passwd *entry, char *room, size_t size, struct passwd **result)
{
    (void)user;
    return getpwnam_r("", entry, room, size, result);
}

int getgrnam_r(const char *name, struct group *entry, char *room, size_t size, struct group **result)
{
    (void)name;
    (void)entry;
    (void)room;
    (void)size;
    *result = NULL;
    return 0;
}

int getgrgid_r(gid_t group, struct group *entry, char *room, size_t size, struct group **result)
{
    (void)group;
    return getgrnam_r("", entry, room, size, result);
}

int getgrouplist(const char *user, gid_t group, gid_t *groups, int *count)
{
    int room = *count;

    (void)user;
    *count = 1;
    if (room < 1)
        return -1;
    *groups = group;
    return 1;
}

int initgroups(const char *user, gid_t group)
{
    (void)user;
    (void)group;
    errno = EPERM;
    return -1;
}

int setgroups(size_t count, const gid_t *groups)
{
    (void)count;
    (void)groups;
    errno = EPERM;
    return -1;
}
