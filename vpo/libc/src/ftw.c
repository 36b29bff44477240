/* ftw, nftw: call a function for each file below a folder. */

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

typedef int visitor(const char *, const struct stat *, int, struct FTW *);
typedef int simple_visitor(const char *, const struct stat *, int);

struct walk {
    visitor *visit; /* one of the two */
    simple_visitor *simple;
    int flags;
};

static int tell(const struct walk *walk, const char *path, const struct stat *about, int kind, int level)
{
    const char *slash = strrchr(path, '/');
    struct FTW where;

    where.base = slash && slash[1] ? (int)(slash + 1 - path) : 0;
    where.level = level;
    return walk->visit ? walk->visit(path, about, kind, &where) : walk->simple(path, about, kind);
}

static int walk_file(const struct walk *, const char *, int);

/* Visits what is in a folder; stops where a function returns something else than 0. */
static int walk_folder(const struct walk *walk, DIR *folder, const char *path, int level)
{
    size_t length = strlen(path);
    struct dirent *entry;
    int answer = 0;

    if (length && path[length - 1] == '/')
        length--;
    while (answer == 0 && (entry = readdir(folder)) != NULL) {
        char *inner;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        inner = malloc(length + strlen(entry->d_name) + 2);
        if (inner == NULL)
            return -1;
        memcpy(inner, path, length);
        inner[length] = '/';
        strcpy(inner + length + 1, entry->d_name);
        answer = walk_file(walk, inner, level + 1);
        free(inner);
    }
    return answer;
}

static int walk_file(const struct walk *walk, const char *path, int level)
{
    struct stat about;
    DIR *folder;
    int answer = 0;

    if (stat(path, &about) < 0) {
        if (level == 0)
            return -1;
        memset(&about, 0, sizeof about);
        return tell(walk, path, &about, FTW_NS, level);
    }
    if (!S_ISDIR(about.st_mode))
        return tell(walk, path, &about, FTW_F, level);
    folder = opendir(path);
    if (folder == NULL)
        return tell(walk, path, &about, FTW_DNR, level);
    if (!(walk->flags & FTW_DEPTH))
        answer = tell(walk, path, &about, FTW_D, level);
    if (answer == 0)
        answer = walk_folder(walk, folder, path, level);
    closedir(folder);
    if (answer == 0 && walk->flags & FTW_DEPTH)
        answer = tell(walk, path, &about, FTW_DP, level);
    return answer;
}

int ftw(const char *path, simple_visitor *visit, int descriptors)
{
    struct walk walk = {NULL, visit, 0};

    (void)descriptors;
    return walk_file(&walk, path, 0);
}

int nftw(const char *path, visitor *visit, int descriptors, int flags)
{
    struct walk walk = {visit, NULL, flags};

    (void)descriptors;
    if (flags & FTW_CHDIR) {
        errno = ENOSYS;
        return -1;
    }
    return walk_file(&walk, path, 0);
}
