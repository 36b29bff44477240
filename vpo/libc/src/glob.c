/* glob, globfree: names of files by patterns, one folder after the other */

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct search {
    glob_t *result;
    int flags;
    int (*complain)(const char *, int);
    char path[PATH_MAX];
};

static int add(struct search *search, const char *path, int is_folder)
{
    glob_t *result = search->result;
    size_t before = search->flags & GLOB_DOOFFS ? result->gl_offs : 0;
    char **more = realloc(result->gl_pathv, (before + result->gl_pathc + 2) * sizeof *more);
    char *copy = malloc(strlen(path) + 2);

    if (more)
        result->gl_pathv = more;
    if (more == NULL || copy == NULL)
        return GLOB_NOSPACE;
    strcpy(copy, path);
    if (is_folder && search->flags & GLOB_MARK)
        strcat(copy, "/");
    more += before;
    more[result->gl_pathc++] = copy;
    more[result->gl_pathc] = NULL;
    return 0;
}

static int has_pattern(const char *text, size_t length)
{
    while (length-- > 0)
        if (strchr("*?[\\", *text++))
            return 1;
    return 0;
}

static int step(struct search *, char *, const char *);

/* Goes on with a name that stands at the end of the path. */
static int go_on(struct search *search, char *end, const char *rest)
{
    struct stat found;

    if (*rest == 0) {
        if (stat(search->path, &found) && lstat(search->path, &found))
            return 0;
        return add(search, search->path, S_ISDIR(found.st_mode));
    }
    while (*rest == '/' && end < search->path + PATH_MAX - 1)
        *end++ = *rest++;
    *end = 0;
    return step(search, end, rest);
}

/* Looks for the first part of a pattern in the folder whose name is the path so far. */
static int in_folder(struct search *search, char *end, const char *part, size_t length, const char *rest)
{
    char pattern[NAME_MAX + 1];
    int how = FNM_PERIOD, failed = 0;
    struct dirent *entry;
    DIR *folder;

    if (length > NAME_MAX)
        return 0;
    memcpy(pattern, part, length);
    pattern[length] = 0;
    if (search->flags & GLOB_NOESCAPE)
        how |= FNM_NOESCAPE;
    if (search->flags & GLOB_PERIOD)
        how &= ~FNM_PERIOD;
    folder = opendir(end == search->path ? "." : search->path);
    if (folder == NULL) {
        if (errno == ENOENT || errno == ENOTDIR)
            return 0;
        if (search->complain && search->complain(search->path, errno))
            return GLOB_ABORTED;
        return search->flags & GLOB_ERR ? GLOB_ABORTED : 0;
    }
    while (!failed && (entry = readdir(folder))) {
        size_t size = strlen(entry->d_name);

        if (fnmatch(pattern, entry->d_name, how) || end + size >= search->path + PATH_MAX)
            continue;
        strcpy(end, entry->d_name);
        failed = go_on(search, end + size, rest);
    }
    closedir(folder);
    return failed;
}

static int step(struct search *search, char *end, const char *pattern)
{
    size_t length = strcspn(pattern, "/");

    if (*pattern == 0)
        return go_on(search, end, pattern);
    if (has_pattern(pattern, length))
        return in_folder(search, end, pattern, length, pattern + length);
    if (end + length >= search->path + PATH_MAX)
        return 0;
    memcpy(end, pattern, length);
    end[length] = 0;
    return go_on(search, end + length, pattern + length);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int glob(const char *pattern, int flags, int (*complain)(const char *, int), glob_t *result)
{
    struct search *search = malloc(sizeof *search);
    size_t before, i, offset = flags & GLOB_DOOFFS ? result->gl_offs : 0;
    char *end;
    int failed;

    if (search == NULL)
        return GLOB_NOSPACE;
    if (!(flags & GLOB_APPEND)) {
        result->gl_pathc = 0;
        result->gl_pathv = NULL;
    }
    before = result->gl_pathc;
    search->result = result;
    search->flags = flags;
    search->complain = complain;
    for (end = search->path; *pattern == '/' && end < search->path + PATH_MAX - 1; pattern++)
        *end++ = '/';
    *end = 0;
    failed = step(search, end, pattern);
    if (!failed && result->gl_pathc == before) {
        pattern -= end - search->path;
        failed = flags & GLOB_NOCHECK ? add(search, pattern, 0) : GLOB_NOMATCH;
    }
    if (result->gl_pathv && !(flags & GLOB_APPEND))
        for (i = 0; i < offset; i++)
            result->gl_pathv[i] = NULL;
    if (!(flags & GLOB_NOSORT) && result->gl_pathc > before)
        qsort(result->gl_pathv + offset + before, result->gl_pathc - before, sizeof *result->gl_pathv, compare);
    free(search);
    return failed;
}

/* Names are put behind gl_offs places that the caller has reserved, if it asked for that: these are NULL. */
void globfree(glob_t *result)
{
    size_t i, found;

    if (result->gl_pathv == NULL)
        return;
    for (i = found = 0; found < result->gl_pathc; i++)
        if (result->gl_pathv[i]) {
            free(result->gl_pathv[i]);
            found++;
        }
    free(result->gl_pathv);
    result->gl_pathv = NULL;
    result->gl_pathc = 0;
}
