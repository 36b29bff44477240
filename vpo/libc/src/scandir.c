/* scandir, alphasort */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef int comparison(const void *, const void *);

int alphasort(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int scandir(const char *path, struct dirent ***result, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    DIR *folder = opendir(path);
    struct dirent *entry, **all = NULL;
    int count = 0, room = 0;

    if (folder == NULL)
        return -1;
    while ((entry = readdir(folder))) {
        if (wanted && !wanted(entry))
            continue;
        if (count == room) {
            struct dirent **more = realloc(all, (room += 16) * sizeof *all);

            if (more == NULL)
                break;
            all = more;
        }
        all[count] = malloc(sizeof *entry);
        if (all[count] == NULL)
            break;
        *all[count++] = *entry;
    }
    closedir(folder);
    if (entry) { /* no memory */
        while (count > 0)
            free(all[--count]);
        free(all);
        return -1;
    }
    if (compare && count)
        qsort(all, count, sizeof *all, (comparison *)compare);
    *result = all;
    return count;
}
