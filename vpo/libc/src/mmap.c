/* mmap, munmap, mprotect, msync: by malloc. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

void *mmap(void *wanted, size_t size, int protection, int how, int fd, off_t offset)
{
    char *place;
    size_t done = 0;

    (void)wanted;
    if (size == 0 || how & MAP_FIXED) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (!(how & MAP_ANONYMOUS) && how & MAP_SHARED && protection & PROT_WRITE) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    size = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    place = aligned_alloc(PAGE, size);
    if (place == NULL) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    memset(place, 0, size);
    while (!(how & MAP_ANONYMOUS) && done < size) {
        ssize_t count = pread(fd, place + done, size - done, offset + (off_t)done);

        if (count < 0) {
            free(place);
            return MAP_FAILED;
        }
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return place;
}

/* Of a whole map only: there is no telling for a part. */
int munmap(void *place, size_t size)
{
    (void)size;
    free(place);
    return 0;
}

int mprotect(void *place, size_t size, int protection)
{
    (void)place;
    (void)size;
    (void)protection;
    return 0;
}

int msync(void *place, size_t size, int how)
{
    (void)place;
    (void)size;
    (void)how;
    return 0;
}
