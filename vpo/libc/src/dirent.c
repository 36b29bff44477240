/* opendir, readdir, closedir and their kin */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libc.h"

#define BUFFERED 2048

/* An entry as the system tells it, for every machine alike. */
struct told {
    uint64_t number;
    int64_t position;
    unsigned short length;
    unsigned char kind;
    char name[1];
};

struct _folder {
    uint64_t buffer[BUFFERED / 8];
    struct dirent entry;
    long told;
    int fd, next, size;
};

DIR *fdopendir(int fd)
{
    struct stat found;
    DIR *folder;

    if (fstat(fd, &found))
        return NULL;
    if (!S_ISDIR(found.st_mode)) {
        errno = ENOTDIR;
        return NULL;
    }
    folder = malloc(sizeof *folder);
    if (folder) {
        folder->fd = fd;
        folder->told = folder->next = folder->size = 0;
    }
    return folder;
}

DIR *opendir(const char *path)
{
    int fd = __open_file(path, O_RDONLY, 0);
    DIR *folder;

    if (fd < 0)
        return NULL;
    folder = fdopendir(fd);
    if (folder == NULL)
        close(fd);
    return folder;
}

struct dirent *readdir(DIR *folder)
{
    const struct told *told;

    if (folder->next >= folder->size) {
#ifdef __SYS_getdents64
        folder->size = (int)__result(
            __ease_syscall(__SYS_getdents64, (long)folder->fd, (long)folder->buffer, (long)BUFFERED));
#else
        errno = ENOSYS;
        folder->size = -1;
#endif
        folder->next = 0;
        if (folder->size <= 0)
            return NULL;
    }
    told = (const struct told *)((const char *)folder->buffer + folder->next);
    folder->next += told->length;
    folder->told++;
    folder->entry.d_ino = (ino_t)told->number;
    folder->entry.d_off = folder->told;
    folder->entry.d_reclen = sizeof folder->entry;
    folder->entry.d_type = told->kind;
    strcpy(folder->entry.d_name, told->name);
    return &folder->entry;
}

int closedir(DIR *folder)
{
    int failed = close(folder->fd);

    free(folder);
    return failed;
}

void rewinddir(DIR *folder)
{
    lseek(folder->fd, 0, SEEK_SET);
    folder->told = folder->next = folder->size = 0;
}

long telldir(DIR *folder)
{
    return folder->told;
}

void seekdir(DIR *folder, long place)
{
    rewinddir(folder);
    while (folder->told < place && readdir(folder))
        ;
}

int dirfd(DIR *folder)
{
    return folder->fd;
}
